#include "text/web_address.h"

#include <algorithm>
#include <array>

#include "text/percent.h"
#include "text/split.h"
#include "tonearm/ascii.h"

namespace tonearm::text {
namespace {

constexpr std::array<std::string_view, 2> kSchemes{"http://", "https://"};
constexpr std::array<std::string_view, 2> kDefaultPorts{":80", ":443"};
constexpr std::array<std::string_view, 6> kTrackingParameters{"fbclid", "gclid",  "igshid",
                                                              "mc_cid", "mc_eid", "msclkid"};

/// Whether a URL may contain the character as it is: the unreserved and the reserved ones, and `%`.
constexpr std::array<bool, 256> kMayStay = [] {
  std::array<bool, 256> may_stay{};
  for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
                                       "!$&'()*+,/:;=?@%")) {
    may_stay[static_cast<unsigned char>(c)] = true;
  }
  return may_stay;
}();

/// Appends the text: decodes escapes of unreserved characters, and escapes every character that a URL must not contain.
void append_normalized(std::string& out, std::string_view text) {
  out.reserve(out.size() + text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size() && ascii::hex_value(text[i + 1]) >= 0 &&
                           ascii::hex_value(text[i + 2]) >= 0;
    if (is_escape) {
      const char c = static_cast<char>(ascii::hex_value(text[i + 1]) * 16 + ascii::hex_value(text[i + 2]));
      i += 2;
      if (is_unreserved(c)) {
        out += c;
      } else {
        append_percent_encoded(out, c);
      }
    } else if (kMayStay[static_cast<unsigned char>(text[i])]) {
      out += text[i];
    } else {
      append_percent_encoded(out, text[i]);
    }
  }
}

bool is_tracking_parameter(std::string_view parameter) {
  const std::string_view name = parameter.substr(0, parameter.find('='));
  // Links to pieces on Incompetech contain the button of a search form.
  return parameter == "Search=Search" || name.starts_with("utm_") ||
         std::find(kTrackingParameters.begin(), kTrackingParameters.end(), name) != kTrackingParameters.end();
}

std::string normalize_query(std::string_view query) {
  std::string kept;
  for (const std::string_view parameter : split(query, '&')) {
    if (parameter.empty() || is_tracking_parameter(parameter)) continue;
    kept += kept.empty() ? '?' : '&';
    append_normalized(kept, parameter);
  }
  return kept;
}

std::optional<WebAddress> normalizable(std::string_view text) {
  auto address = parse_web_address(text);
  if (!address) return std::nullopt;
  const char first = address->authority.front();
  const bool names_host = ascii::is_alphanumeric(first) || first == '[' || static_cast<unsigned char>(first) >= 0x80;
  return names_host ? address : std::nullopt;
}

}  // namespace

std::optional<WebAddress> parse_web_address(std::string_view text) {
  const auto* const scheme = std::find_if(kSchemes.begin(), kSchemes.end(), [text](std::string_view candidate) {
    return ascii::equals_ignoring_case(text.substr(0, candidate.size()), candidate);
  });
  if (scheme == kSchemes.end()) return std::nullopt;
  WebAddress address;
  address.is_https = scheme != kSchemes.begin();
  address.origin = text.substr(0, text.find_first_of("/?#", scheme->size()));
  address.authority = address.origin.substr(scheme->size());
  if (address.authority.empty()) return std::nullopt;

  const auto host = address.authority.substr(address.authority.rfind('@') + 1);
  const std::size_t bracket = host.starts_with('[') ? host.rfind(']') : std::string_view::npos;
  const std::size_t colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
  address.host = host.substr(0, colon);
  address.port = host.substr(address.host.size());

  const auto rest = text.substr(address.origin.size(), text.find('#') - address.origin.size());
  address.path = rest.substr(0, rest.find('?'));
  address.query = rest.substr(address.path.size());
  return address;
}

bool is_web_address(std::string_view text) { return normalizable(text).has_value(); }

std::optional<NormalizedUrl> normalize_url(std::string_view text) {
  const auto address = normalizable(text);
  if (!address) return std::nullopt;
  NormalizedUrl url;
  url.host = ascii::to_lower(address->authority);
  for (const std::string_view port : kDefaultPorts) {
    if (url.host.ends_with(port)) url.host.resize(url.host.size() - port.size());
  }
  if (url.host.starts_with("www.")) url.host.erase(0, 4);
  std::string_view path = address->path;
  while (path.ends_with('/')) path.remove_suffix(1);
  append_normalized(url.path, path);
  url.query = normalize_query(address->query.substr(std::min<std::size_t>(address->query.size(), 1)));
  return url;
}

std::string normalized_url(std::string_view text) {
  const auto url = normalize_url(text);
  return url ? url->joined() : std::string();
}

bool is_in_domain(std::string_view host, std::string_view domain) {
  return host == domain || (host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.');
}

std::vector<std::string_view> path_segments(std::string_view path) {
  auto segments = split(path, '/');
  std::erase(segments, std::string_view());
  return segments;
}

}  // namespace tonearm::text
