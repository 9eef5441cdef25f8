#include "values/url.h"

#include <algorithm>

#include "text/percent.h"
#include "text/split.h"
#include "text/unicode.h"
#include "text/web_address.h"
#include "tonearm/ascii.h"

namespace tonearm::builder {
namespace {

/// Whether no character can end a link early or disguise its target.
bool is_safe(std::string_view text) {
  if (!text::is_utf8(text) || text.find_first_of(" \"<>\\`") != std::string_view::npos) return false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = text::next_code_point(text, at);
    if (text::is_control(c) || text::is_bidi_override(c) || text::is_line_break(c)) return false;
  }
  return true;
}

bool has_dot_segments(std::string_view path) {
  const auto segments = text::path_segments(path);
  return std::any_of(segments.begin(), segments.end(),
                     [](std::string_view segment) { return segment == "." || segment == ".."; });
}

}  // namespace

bool is_http_url(std::string_view text) {
  const auto address = text::parse_web_address(text);
  return address && !address->host.empty() && address->authority.find_first_of("@,%") == std::string_view::npos &&
         is_safe(text);
}

std::string trimmed_url(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  text = text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
  std::string out;
  for (const char c : text) out += c == ' ' ? std::string("%20") : std::string(1, c);
  return out;
}

std::string comparable_url(std::string_view url) {
  const auto address = text::parse_web_address(url).value_or(text::WebAddress{});
  std::string host = ascii::to_lower(address.authority);
  if (host.starts_with("www.")) host.erase(0, 4);
  url.remove_prefix(address.origin.size());
  while (url.ends_with('/')) url.remove_suffix(1);
  return host.append(url);
}

std::optional<std::string> normalized_domain(std::string_view text) {
  if (text.size() > 253 || text.find('.') == std::string_view::npos || !is_safe(text)) return std::nullopt;
  if (text.find_first_of(",:/@?#%[]()&='!*+;$~|^{}") != std::string_view::npos) return std::nullopt;
  for (const auto label : text::split(text, '.')) {
    if (label.empty() || label.size() > 63 || label.front() == '-' || label.back() == '-') return std::nullopt;
  }
  return text::fold_case(text);
}

std::optional<std::string> resolve_media_url(std::string_view media_url, std::string_view text) {
  if (is_http_url(text)) return std::string(text);
  if (text.substr(0, 1) == "/") text.remove_prefix(1);
  const auto path = text.substr(0, text.find_first_of("?#"));
  const auto first_segment = path.substr(0, path.find('/'));
  // A colon in the first segment indicates a URL of another scheme, a second slash another host.
  if (first_segment.empty() || first_segment.find(':') != std::string_view::npos) return std::nullopt;
  if (!text::is_utf8(text) || text.find('\\') != std::string_view::npos || has_dot_segments(path)) return std::nullopt;
  std::string out(media_url);
  while (!out.empty() && out.back() == '/') out.pop_back();
  out += '/';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) return std::nullopt;
    if (byte >= 0x80 || std::string_view(" \"<>`^{|}").find(c) != std::string_view::npos) {
      text::append_percent_encoded(out, c);
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace tonearm::builder
