#pragma once
// A request, and what the site knows of who makes it. Values.

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
  std::string visitor;  // whom a throttle counts; not an address as it is written
  Transport transport = Transport::plain;

  bool is_read() const { return request.head.method == "GET" || request.head.method == "HEAD"; }
  bool has_method(std::string_view method) const { return request.head.method == method; }
};

/// How visitors come to the server.
struct ProxyPolicy {
  native::AddressBlocks trusted_proxies;
  Transport transport = Transport::plain;  // of the server's own address
};

/// The visitor whom the throttle counts, behind trusted proxies the one that they name.
std::string visitor_key_of(const RequestHead& head, const ProxyPolicy& proxy_policy);
/// Whether the visitor's browser speaks https: to the server, or to a trusted proxy that says so.
Transport transport_of(const RequestHead& head, const ProxyPolicy& proxy_policy);

/// WEB-9: whether a write comes from a page of this site, as far as its head says.
bool is_same_origin(const RequestHead& head);

}  // namespace tonearm::web
