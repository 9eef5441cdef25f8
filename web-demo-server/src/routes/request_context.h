#pragma once
// A request with what the site derives from its head. Values.

#include <string>
#include <string_view>
#include <vector>

#include "http/client_address.h"
#include "messages/message.h"
#include "tonearm/http.h"

namespace tonearm::web {

struct RequestContext {
  const Request& request;
  std::string_view path;
  std::string_view query;
  std::string visitor_key;  // identifies the visitor for rate limits; not an IP address as text
  Transport transport = Transport::plain;

  bool is_read() const { return request.head.method == "GET" || request.head.method == "HEAD"; }
  bool has_method(std::string_view method) const { return request.head.method == method; }
};

/// Which proxies are trusted, and whether the server itself uses TLS.
struct ProxyPolicy {
  native::AddressBlocks trusted_proxies;
  Transport transport = Transport::plain;  // of the listening socket
};

/// Returns the client of a request: the one that X-Forwarded-For names if the peer is a trusted proxy, else the peer.
native::ClientKey visitor_of(const RequestHead& head, const ProxyPolicy& proxies);
/// Returns the visitor's key for rate limits.
std::string visitor_key_of(const RequestHead& head, const ProxyPolicy& proxies);
/// Returns whether the browser uses https, either to this server or to a trusted proxy that reports it.
Transport transport_of(const RequestHead& head, const ProxyPolicy& proxies);

/// Returns whether Sec-Fetch-Site and Origin allow that the request comes from a page of this site (WEB-9).
/// `transport`: the browser's.
bool is_same_origin(const RequestHead& head, Transport transport);

}  // namespace tonearm::web
