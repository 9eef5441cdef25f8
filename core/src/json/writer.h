#pragma once
// Writes compact JSON into a string: no whitespace, keys in the order of the calls, UTF-8 as it is.
// REQUIRES: calls that make a well-formed text; strings are valid UTF-8.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tonearm::json {

class Writer {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);

  void string(std::string_view value);
  void integer(std::int64_t value);
  void boolean(bool value);
  void null();
  /// `scaled` / 10^digits as a plain decimal: no exponent, no trailing zeros (SERVICE-3). decimal(183500, 3): 183.5
  void decimal(std::uint64_t scaled, int digits);
  /// A value that is JSON already.
  void raw(std::string_view value);

  // A key with its value.
  void string(std::string_view name, std::string_view value) {
    key(name);
    string(value);
  }
  template <std::integral T>
  void integer(std::string_view name, T value) {
    key(name);
    integer(static_cast<std::int64_t>(value));
  }
  void boolean(std::string_view name, bool value) {
    key(name);
    boolean(value);
  }
  /// A key with an object of numbers by their names. REQUIRES: pairs, each name once.
  template <class Pairs>
  void integers(std::string_view name, const Pairs& pairs) {
    key(name);
    begin_object();
    for (const auto& [inner, value] : pairs) integer(inner, value);
    end_object();
  }

  /// Where the next value will begin, and where the last one ended.
  std::size_t next_begin() const { return text_.size() + (needs_comma_ ? 1 : 0); }
  std::size_t end() const { return text_.size(); }

  /// Everything that was written until now.
  struct Mark {
    std::size_t size;
    bool needs_comma;
  };
  Mark mark() const { return {text_.size(), needs_comma_}; }
  /// Takes back what was written since. REQUIRES: a mark of this object, taken inside the same object or array.
  void rewind(Mark mark) {
    text_.resize(mark.size);
    needs_comma_ = mark.needs_comma;
  }

  /// Makes room for `more` bytes and a little beside them.
  void reserve(std::size_t more) { text_.reserve(text_.size() + more + 256); }
  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  void open(char bracket);
  void close(char bracket);
  void before_value();
  void quote(std::string_view value, std::string_view suffix);

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace tonearm::json
