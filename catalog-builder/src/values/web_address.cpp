#include "values/web_address.h"

#include <algorithm>

#include "text/percent.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::builder {
namespace {

bool begins_with_scheme(std::string_view text, std::string_view scheme) {
  return ascii::equals_ignoring_case(text.substr(0, scheme.size()), scheme);
}

/// Nothing in it that could end a link early or hide where it leads.
bool is_plain(std::string_view text) {
  if (!text::is_utf8(text) || text.find_first_of(" \"<>\\`") != std::string_view::npos) return false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = text::next_code_point(text, at);
    if (text::is_control(c) || text::is_bidi_override(c) || text::is_line_break(c)) return false;
  }
  return true;
}

bool climbs(std::string_view path) {
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find('/', begin), path.size());
    const auto segment = path.substr(begin, end - begin);
    if (segment == ".." || segment == ".") return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

bool is_http_url(std::string_view text) {
  std::size_t begin = 0;
  if (begins_with_scheme(text, "https://")) {
    begin = 8;
  } else if (begins_with_scheme(text, "http://")) {
    begin = 7;
  } else {
    return false;
  }
  if (!is_plain(text)) return false;
  const auto authority = text.substr(begin, text.find_first_of("/?#", begin) - begin);
  if (authority.empty()) return false;
  const auto host = authority.substr(0, authority.front() == '[' ? authority.find(']') : authority.find(':'));
  return !host.empty() && authority.find_first_of("@,%") == std::string_view::npos;
}

std::string tidy_address(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  text = text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
  std::string out;
  for (const char c : text) out += c == ' ' ? std::string("%20") : std::string(1, c);
  return out;
}

std::string same_address(std::string_view url) {
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  const auto host_end = std::min(url.find_first_of("/?#"), url.size());
  std::string host = ascii::to_lower(url.substr(0, host_end));
  if (host.starts_with("www.")) host.erase(0, 4);
  auto rest = url.substr(host_end);
  while (rest.ends_with('/')) rest.remove_suffix(1);
  return host + std::string(rest);
}

std::optional<std::string> lower_domain(std::string_view text) {
  if (text.size() > 253 || text.find('.') == std::string_view::npos || !is_plain(text)) return std::nullopt;
  if (text.find_first_of(",:/@?#%[]()&='!*+;$~|^{}") != std::string_view::npos) return std::nullopt;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('.', begin), text.size());
    const auto label = text.substr(begin, end - begin);
    if (label.empty() || label.size() > 63 || label.front() == '-' || label.back() == '-') return std::nullopt;
    begin = end + 1;
  }
  return text::fold_case(text);
}

std::optional<std::string> media_address(std::string_view media_url, std::string_view text) {
  if (is_http_url(text)) return std::string(text);
  if (text.substr(0, 1) == "/") text.remove_prefix(1);
  const auto path = text.substr(0, text.find_first_of("?#"));
  const auto first_segment = path.substr(0, path.find('/'));
  // A colon in the first segment makes it a URL of another scheme; a second slash makes it another host.
  if (first_segment.empty() || first_segment.find(':') != std::string_view::npos) return std::nullopt;
  if (!text::is_utf8(text) || text.find('\\') != std::string_view::npos || climbs(path)) return std::nullopt;
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

std::string encode_segment(std::string_view text) { return text::encode_percent(text); }

std::string encode_path(std::string_view text) { return text::encode_percent(text, "/"); }

}  // namespace tonearm::builder
