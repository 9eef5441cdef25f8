#include "routes/request_context.h"

#include <boost/asio/ip/address.hpp>

#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::web {
namespace {

std::optional<boost::asio::ip::address> peer_of(const RequestHead& head) {
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(head.client, error);
  return error ? std::nullopt : std::optional(address);
}

bool is_from_proxy(const RequestHead& head, const ProxyPolicy& proxies) {
  const auto peer = peer_of(head);
  return peer && contains(proxies.trusted_proxies, *peer);
}

}  // namespace

std::string visitor_key_of(const RequestHead& head, const ProxyPolicy& proxies) {
  const auto peer = peer_of(head);
  if (!peer) return "unknown";
  auto key = native::client_key(*peer);
  if (contains(proxies.trusted_proxies, *peer)) {
    key = native::forwarded_client(head.headers, proxies.trusted_proxies).value_or(key);
  }
  return std::to_string(static_cast<std::uint64_t>(key));
}

Transport transport_of(const RequestHead& head, const ProxyPolicy& proxies) {
  if (proxies.transport == Transport::secure) return Transport::secure;
  if (!is_from_proxy(head, proxies)) return Transport::plain;
  const auto* scheme = find_header(head.headers, "X-Forwarded-Proto");
  const bool is_https = scheme != nullptr && ascii::equals_ignoring_case(http_fields::trimmed(*scheme), "https");
  return is_https ? Transport::secure : Transport::plain;
}

bool is_same_origin(const RequestHead& head) {
  const auto* site = find_header(head.headers, "Sec-Fetch-Site");
  if (site != nullptr && *site != "same-origin") return false;
  const auto* origin = find_header(head.headers, "Origin");
  if (origin == nullptr) return true;
  const auto* host = find_header(head.headers, "Host");
  const auto scheme_end = origin->find("://");
  return host != nullptr && scheme_end != std::string::npos &&
         ascii::equals_ignoring_case(std::string_view(*origin).substr(scheme_end + 3), *host);
}

}  // namespace tonearm::web
