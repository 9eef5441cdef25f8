#include "text/policy_source.h"

#include <algorithm>

#include "text/web_address.h"
#include "tonearm/ascii.h"

namespace tonearm::text {
namespace {

bool is_nameable(const WebAddress& address) {
  const auto is_name = [](char c) { return ascii::is_alphanumeric(c) || c == '-' || c == '.' || c == '_'; };
  const auto digits = address.port.substr(std::min<std::size_t>(address.port.size(), 1));
  return !address.host.empty() && std::all_of(address.host.begin(), address.host.end(), is_name) &&
         std::all_of(digits.begin(), digits.end(), ascii::is_digit) && digits.empty() == address.port.empty();
}

bool is_ip_address(std::string_view host) { return host.find_first_not_of("0123456789.") == std::string_view::npos; }

}  // namespace

std::optional<std::string> policy_source(std::string_view url) {
  const auto address = parse_web_address(url);
  if (!address || !is_nameable(*address)) return std::nullopt;
  return (address->is_https ? "https://" : "http://") + ascii::to_lower(address->host) + std::string(address->port);
}

std::vector<std::string> with_subdomains(const std::string& source) {
  std::vector<std::string> sources{source};
  const auto address = parse_web_address(source);
  std::string_view host = address->host;
  if (is_ip_address(host)) return sources;
  if (host.starts_with("www.")) host.remove_prefix(4);
  const std::string scheme(address->is_https ? "https://" : "http://");
  sources.push_back(scheme + "*." + std::string(host));
  if (scheme + std::string(host) != source) sources.push_back(scheme + std::string(host));
  return sources;
}

}  // namespace tonearm::text
