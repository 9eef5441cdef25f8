#pragma once
// A request of a connection, from its head on. Not to be shared between threads.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/connection_table.h"
#include "http/exchange.h"
#include "http/request_parser.h"

namespace tonearm::native {

/// Who asks, as the connection says it.
struct Asker {
  std::string client;       // its address
  bool from_proxy = false;  // a trusted one, so requests name their clients
  AcceptPolicy policy = AcceptPolicy::serve;
};

struct Asked {
  RequestParser parser;
  bool is_health_check = false;
  bool is_for_server = false;
  bool is_refused = false;  // there are too many connections
  AtOnce at_once = AtOnce::no;
  std::optional<ForwardedRequest> place;
  std::optional<Exchange> exchange;

  static bool is_announced_too_long(const RequestParser& parser) {
    return parser.content_length().value_or(0) > kBodyBytesMax;
  }
};

/// Null: Beast refuses the head. `leaves`: the connection ends behind the answer. REQUIRES: strict_head.h accepted it.
inline std::unique_ptr<Asked> take_request(SessionContext& context, const Asker& asker, std::string_view head,
                                           bool leaves) {
  auto asked = std::make_unique<Asked>();
  auto& parser = asked->parser;
  if (!parser.put_head(head)) return nullptr;
  auto& request = parser.request.head;
  asked->is_health_check = context.handler.is_health_check(request);
  asked->is_for_server = request.target == "*";
  asked->is_refused = asker.policy == AcceptPolicy::refuse && !asked->is_health_check;
  // A body that nobody wants is taken only where it is short and the client sends it anyway.
  const bool may_drain = !parser.expects_continue && !Asked::is_announced_too_long(parser);
  const auto client = asker.from_proxy && !asked->is_health_check
                          ? forwarded_client(request.headers, context.trusted_proxies)
                          : std::nullopt;
  asked->place.emplace(context.forwarded, client);
  request.client = asker.client;
  const Exchange::Traits traits{parser.minor_version, parser.is_persistent() && !leaves, !parser.is_done(), may_drain,
                                asked->is_health_check};
  asked->exchange.emplace(context, std::move(request), traits);
  return asked;
}

}  // namespace tonearm::native
