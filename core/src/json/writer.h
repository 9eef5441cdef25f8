#pragma once
// Writes compact JSON into a string: no whitespace, keys in the order of the calls, UTF-8 unchanged.
// REQUIRES: the calls form well-formed JSON, and strings are valid UTF-8.

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
  /// Writes `scaled` / 10^digits as a plain decimal: no exponent, no trailing zeros (SERVICE-3). decimal(183500, 3):
  /// 183.5
  void decimal(std::int64_t scaled, int digits);
  /// Appends a value that is already JSON.
  void raw(std::string_view value);

  // These write a key and its value.
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
  /// Writes a key and an object of numbers. REQUIRES: name and number pairs, with unique names.
  template <class Pairs>
  void integers(std::string_view name, const Pairs& pairs) {
    key(name);
    begin_object();
    for (const auto& [inner, value] : pairs) integer(inner, value);
    end_object();
  }

  /// The offsets where the next value will begin and where the last one ended.
  std::size_t next_begin() const { return text_.size() + (needs_comma_ ? 1 : 0); }
  std::size_t end() const { return text_.size(); }

  /// A position in the output.
  struct Mark {
    std::size_t size;
    bool needs_comma;
  };
  Mark mark() const { return {text_.size(), needs_comma_}; }
  /// Removes everything that was written after the mark. REQUIRES: the mark was made by this writer inside the same
  /// JSON object or array.
  void rewind(Mark mark) {
    text_.resize(mark.size);
    needs_comma_ = mark.needs_comma;
  }

  /// Reserves memory for `more` bytes and a margin.
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
