#pragma once
// Writes HTML that is well-formed and escaped whatever it is given (WEB-16): a text cannot become markup, an address
// cannot become a script, because there is no other way in. Not to be shared between threads.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::web::html {

/// The attribute of an element. Its name is written in the program; what is of others stands in the value.
class Attribute {
 public:
  /// REQUIRES: not a name whose value is an address or a script (href, src, action, style, on...).
  Attribute(std::string_view name, std::string_view value);

  /// A path of this site: begins with one slash. Any other is left out, and with it the attribute.
  static Attribute local(std::string_view name, std::string_view path);
  /// An address of the web, http or https. Any other is left out, and with it the attribute.
  static Attribute web(std::string_view name, std::string_view url);

  std::string_view name() const { return name_; }
  const std::string& value() const { return value_; }
  bool stands() const { return stands_; }

 private:
  Attribute() = default;

  std::string_view name_;
  std::string value_;
  bool stands_ = true;
};

using Attributes = std::initializer_list<Attribute>;

class Writer {
 public:
  Writer();

  Writer& open(std::string_view tag, Attributes attributes = {});
  /// The element that was opened last.
  Writer& close();
  /// An element that has no content: meta, link, input, br.
  Writer& leaf(std::string_view tag, Attributes attributes = {});
  Writer& text(std::string_view text);
  /// open, text, close.
  Writer& element(std::string_view tag, Attributes attributes, std::string_view text);
  /// A text of the catalog: tidied, and isolated, so that its direction changes nothing around it.
  Writer& foreign(std::string_view text);
  /// JSON for scripts and machines in a `script` that is none.
  Writer& data(std::string_view type, std::string_view id, std::string_view json);

  /// REQUIRES: all elements are closed.
  std::string take();

 private:
  void tag(std::string_view name, const Attributes& attributes);

  std::string out_;
  std::vector<std::string_view> open_;
};

/// A text of the catalog on one line: controls and what reorders its surroundings are gone, and what is longer than
/// `length_max` characters is cut, with an ellipsis.
std::string tidy(std::string_view text, std::size_t length_max = 300);

/// Whether an address is http or https, with a host, and nothing that a browser would read otherwise.
bool is_web_url(std::string_view url);

}  // namespace tonearm::web::html
