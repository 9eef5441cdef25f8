#include "html/writer.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "text/unicode.h"
#include "text/web_address.h"
#include "tonearm/ascii.h"

namespace tonearm::web::html {
namespace {

/// Escapes text content and quoted attribute values.
void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
}

/// Removes control characters, which HTML forbids, and replaces bytes that are not valid UTF-8.
std::string printable(std::string_view raw) {
  const auto valid = text::valid_utf8(raw);
  std::string out;
  out.reserve(valid.size());
  for (std::size_t at = 0; at < valid.size();) {
    const auto c = text::next_code_point(valid, at);
    if (!text::is_control(c) || c == U'\n' || c == U'\t') text::append_utf8(out, c);
  }
  return out;
}

bool has_space_or_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= 0x20 || byte == 0x7f;
  });
}

}  // namespace

Attribute::Attribute(std::string_view name, std::string_view value) : name_(name), value_(printable(value)) {
  constexpr std::array<std::string_view, 9> kAddresses{"href",   "src",    "action", "formaction", "poster",
                                                       "srcset", "srcdoc", "style",  "data"};
  if (name.starts_with("on") || std::find(kAddresses.begin(), kAddresses.end(), name) != kAddresses.end()) {
    throw std::logic_error("use Attribute::local or Attribute::web for " + std::string(name));
  }
}

Attribute Attribute::local(std::string_view name, std::string_view path) {
  Attribute made;
  made.name_ = name;
  made.value_ = path;
  made.is_valid_ = path.starts_with("/") && !path.starts_with("//") && !path.starts_with("/\\") &&
                   !has_space_or_control(path) && text::is_utf8(path);
  return made;
}

Attribute Attribute::web(std::string_view name, std::string_view url) {
  Attribute made;
  made.name_ = name;
  made.value_ = url;
  made.is_valid_ = is_web_url(url);
  return made;
}

Writer::Writer() : out_("<!doctype html>\n") {}

void Writer::tag(std::string_view name, const Attributes& attributes) {
  out_.append("<").append(name);
  for (const auto& attribute : attributes) {
    if (!attribute.is_valid()) continue;
    out_.append(" ").append(attribute.name()).append("=\"");
    append_escaped(out_, attribute.value());
    out_ += '"';
  }
  out_ += '>';
}

Writer& Writer::open(std::string_view name, Attributes attributes) {
  tag(name, attributes);
  open_.push_back(name);
  return *this;
}

Writer& Writer::close() {
  if (open_.empty()) throw std::logic_error("no element to close");
  out_.append("</").append(open_.back()).append(">");
  open_.pop_back();
  return *this;
}

Writer& Writer::leaf(std::string_view name, Attributes attributes) {
  tag(name, attributes);
  return *this;
}

Writer& Writer::text(std::string_view text) {
  append_escaped(out_, printable(text));
  return *this;
}

Writer& Writer::element(std::string_view name, Attributes attributes, std::string_view content) {
  return open(name, attributes).text(content).close();
}

Writer& Writer::untrusted_text(std::string_view content) { return element("bdi", {}, sanitize(content)); }

Writer& Writer::data(std::string_view type, std::string_view id, std::string_view json) {
  if (id.empty()) {
    open("script", {{"type", type}});
  } else {
    open("script", {{"type", type}, {"id", id}});
  }
  // In JSON these characters occur only in strings, where an escape is equivalent. So no value can close the element.
  for (const char c : json) {
    if (c == '<' || c == '>' || c == '&') {
      out_ += "\\u00";
      ascii::append_hex(out_, static_cast<std::uint8_t>(c));
    } else {
      out_ += c;
    }
  }
  return close();
}

std::string Writer::take() {
  if (!open_.empty()) throw std::logic_error("element not closed: " + std::string(open_.back()));
  return std::move(out_);
}

std::string sanitize(std::string_view raw, std::size_t length_max) {
  auto line = text::one_line(text::valid_utf8(raw));
  if (text::code_points(line) <= length_max) return line;
  return std::string(text::first_code_points(line, length_max)) + "…";
}

bool is_web_url(std::string_view url) {
  return text::parse_web_address(url) && !has_space_or_control(url) && text::is_utf8(url) &&
         url.find('\\') == std::string_view::npos;
}

}  // namespace tonearm::web::html
