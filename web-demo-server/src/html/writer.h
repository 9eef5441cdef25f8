#pragma once
// Writes well-formed, escaped HTML from any input (WEB-16). Text cannot become markup and a URL cannot become a script,
// because the writer offers no function for that. Not thread-safe.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::web::html {

/// An attribute of an element. Its name is a constant of the program; only its value may be untrusted.
class Attribute {
 public:
  /// REQUIRES: the value of `name` is not a URL or a script (href, src, action, style, on...).
  Attribute(std::string_view name, std::string_view value);

  /// A path of this site, which begins with exactly one slash. Otherwise the attribute is invalid and not written.
  static Attribute local(std::string_view name, std::string_view path);
  /// An http or https URL. Otherwise the attribute is invalid and not written.
  static Attribute web(std::string_view name, std::string_view url);

  std::string_view name() const { return name_; }
  const std::string& value() const { return value_; }
  bool is_valid() const { return is_valid_; }

 private:
  Attribute() = default;

  std::string_view name_;
  std::string value_;
  bool is_valid_ = true;
};

using Attributes = std::initializer_list<Attribute>;

class Writer {
 public:
  Writer();

  Writer& open(std::string_view tag, Attributes attributes = {});
  /// Closes the element that was opened last.
  Writer& close();
  /// Writes a void element: meta, link, input, br.
  Writer& leaf(std::string_view tag, Attributes attributes = {});
  Writer& text(std::string_view text);
  /// Writes an element that contains only text.
  Writer& element(std::string_view tag, Attributes attributes, std::string_view text);
  /// Writes text from the catalog, sanitized and in a `bdi`, so that its direction does not affect the text around it.
  Writer& untrusted_text(std::string_view text);
  /// Writes JSON in a `script` element that is not executed.
  Writer& data(std::string_view type, std::string_view id, std::string_view json);

  /// REQUIRES: all elements are closed.
  std::string take();

 private:
  void tag(std::string_view name, const Attributes& attributes);

  std::string out_;
  std::vector<std::string_view> open_;
};

/// Returns the text on one line, without control and bidirectional override characters, cut to `length_max` characters
/// with an ellipsis.
std::string sanitize(std::string_view text, std::size_t length_max = 300);

/// Returns whether `url` is http or https, has a host, and contains nothing that browsers parse differently.
bool is_web_url(std::string_view url);

}  // namespace tonearm::web::html
