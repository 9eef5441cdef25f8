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

native::ClientKey visitor_of(const RequestHead& head, const ProxyPolicy& proxies) {
  const auto peer = peer_of(head);
  if (!peer) return {};
  const auto key = native::client_key(*peer);
  if (!contains(proxies.trusted_proxies, *peer)) return key;
  return native::forwarded_client(head.headers, proxies.trusted_proxies).value_or(key);
}

std::string visitor_key_of(const RequestHead& head, const ProxyPolicy& proxies) {
  return std::to_string(static_cast<std::uint64_t>(visitor_of(head, proxies)));
}

Transport transport_of(const RequestHead& head, const ProxyPolicy& proxies) {
  if (proxies.transport == Transport::secure) return Transport::secure;
  if (!is_from_proxy(head, proxies)) return Transport::plain;
  const auto* scheme = find_header(head.headers, "X-Forwarded-Proto");
  const bool is_https = scheme != nullptr && ascii::equals_ignoring_case(http_fields::trimmed(*scheme), "https");
  return is_https ? Transport::secure : Transport::plain;
}

bool is_same_origin(const RequestHead& head, Transport transport) {
  const auto* site = find_header(head.headers, "Sec-Fetch-Site");
  if (site != nullptr && *site != "same-origin") return false;
  const auto* origin = find_header(head.headers, "Origin");
  if (origin == nullptr) return true;
  const auto* host = find_header(head.headers, "Host");
  const bool is_secure = transport == Transport::secure;
  const std::string_view scheme = is_secure ? "https://" : "http://";
  const std::string_view default_port = is_secure ? ":443" : ":80";
  const auto without_default_port = [default_port](std::string_view authority) {
    return authority.ends_with(default_port) ? authority.substr(0, authority.size() - default_port.size()) : authority;
  };
  return host != nullptr && ascii::equals_ignoring_case(std::string_view(*origin).substr(0, scheme.size()), scheme) &&
         ascii::equals_ignoring_case(without_default_port(std::string_view(*origin).substr(scheme.size())),
                                     without_default_port(*host));
}

}  // namespace tonearm::web
