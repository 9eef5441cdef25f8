#include "oauth/redirect_address.h"

#include <algorithm>
#include <array>

#include "text/percent.h"
#include "text/web_address.h"
#include "tonearm/ascii.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kAddressBytesMax = 2'000;
constexpr std::array<std::string_view, 3> kLoopbackHosts{"127.0.0.1", "[::1]", "localhost"};

/// The characters of a URI (RFC 3986) without `#`.
bool is_uri_character(char c) {
  constexpr std::string_view kOthers = "-._~:/?[]@!$&'()*+,;=%";
  return ascii::is_alphanumeric(c) || kOthers.find(c) != std::string_view::npos;
}

bool is_host_character(char c) {
  return ascii::is_alphanumeric(c) || c == '.' || c == '-' || c == '[' || c == ']' || c == ':';
}

bool is_authority(const text::WebAddress& address) {
  const bool has_port = !address.port.empty();
  return !address.host.empty() && std::all_of(address.authority.begin(), address.authority.end(), is_host_character) &&
         (!has_port || ascii::is_digits(address.port.substr(1)));
}

bool has_loopback_host(const text::WebAddress& address) {
  return !address.is_https &&
         std::find(kLoopbackHosts.begin(), kLoopbackHosts.end(), address.host) != kLoopbackHosts.end();
}

}  // namespace

std::string_view redirect_error(std::string_view text) {
  if (text.size() > kAddressBytesMax) return "A redirect address has at most 2,000 characters.";
  if (text.find('#') != std::string_view::npos) return "A redirect address must not have a fragment.";
  const auto address = text::parse_web_address(text);
  const bool is_absolute = address && (text.starts_with("https://") || text.starts_with("http://")) &&
                           std::all_of(text.begin(), text.end(), is_uri_character) && is_authority(*address);
  if (!is_absolute) return "A redirect address must be an absolute URL.";
  if (!address->is_https && !has_loopback_host(*address)) {
    return "A redirect address must use https, or http of 127.0.0.1, [::1] or localhost.";
  }
  return {};
}

bool is_same_redirect(std::string_view registered, std::string_view requested) {
  if (registered == requested) return true;
  if (!redirect_error(requested).empty()) return false;
  const auto known = text::parse_web_address(registered);
  const auto given = text::parse_web_address(requested);
  return known && given && has_loopback_host(*known) && has_loopback_host(*given) && known->host == given->host &&
         registered.substr(known->origin.size()) == requested.substr(given->origin.size());
}

std::string_view redirect_host(std::string_view address) {
  const auto parsed = text::parse_web_address(address);
  return parsed ? parsed->authority : std::string_view{};
}

bool is_loopback(std::string_view address) {
  const auto parsed = text::parse_web_address(address);
  return parsed && has_loopback_host(*parsed);
}

std::string with_parameters(std::string_view address,
                            const std::vector<std::pair<std::string_view, std::string_view>>& parameters) {
  std::string out(address);
  char separator = address.find('?') == std::string_view::npos ? '?' : '&';
  for (const auto& [name, value] : parameters) {
    if (value.empty()) continue;
    out += separator;
    out.append(name).append("=").append(text::encode_percent(value));
    separator = '&';
  }
  return out;
}

}  // namespace tonearm::web
