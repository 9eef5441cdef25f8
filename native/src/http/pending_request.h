#pragma once
// A request of a connection, from its head until its response is written. Not thread-safe.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/connection_table.h"
#include "http/exchange.h"
#include "http/request_parser.h"

namespace tonearm::native {

/// The other end of a connection.
struct Peer {
  std::string address;
  bool is_trusted_proxy = false;      // X-Forwarded-For then names the client
  std::optional<ClientKey> client{};  // nothing: unknown, as behind a proxy
  AcceptPolicy policy = AcceptPolicy::serve;
};

struct PendingRequest {
  RequestParser parser;
  bool is_health_check = false;
  WorkerPool::Placement placement{};
  bool is_for_server = false;  // OPTIONS *
  bool is_refused = false;     // there are too many connections
  InlineResult inline_result = InlineResult::needs_pool;
  std::optional<ClientKey> client{};
  std::optional<RunningRequest> slot;
  std::optional<Exchange> exchange;

  static bool announces_too_much(const RequestParser& parser) {
    return parser.content_length().value_or(0) > kBodyBytesMax;
  }
};

/// Whether the connection serves further requests after this one.
enum class AfterResponse : std::uint8_t { keep_open, close };

inline WorkerPool::Placement placement_of(const Handler& handler, const RequestHead& head) {
  if (handler.is_health_check(head)) return {WorkerPool::ThreadGroup::health};
  const auto group = handler.is_file_read(head) ? WorkerPool::ThreadGroup::files : WorkerPool::ThreadGroup::requests;
  return {group, handler.owner_of(head)};
}

/// Returns null if Beast rejects the head. REQUIRES: strict_head.h accepted it.
inline std::unique_ptr<PendingRequest> parse_request(SessionContext& context, const Peer& peer, std::string_view head,
                                                     AfterResponse after) {
  auto pending = std::make_unique<PendingRequest>();
  auto& parser = pending->parser;
  if (!parser.put_head(head)) return nullptr;
  auto& request = parser.request.head;
  pending->is_health_check = context.handler.is_health_check(request);
  pending->is_for_server = request.target == "*";
  pending->is_refused = peer.policy == AcceptPolicy::refuse && !pending->is_health_check;
  // An unwanted body is read only if it is short and the client sends it in any case.
  const bool may_drain = !parser.expects_continue && !PendingRequest::announces_too_much(parser);
  const auto client = peer.is_trusted_proxy && !pending->is_health_check
                          ? forwarded_client(request.headers, context.trusted_proxies)
                          : std::nullopt;
  pending->slot.emplace(context.forwarded, client);
  pending->client = client ? client : peer.client;
  request.client = peer.address;
  pending->placement = placement_of(context.handler, request);
  const bool keep_alive = parser.is_persistent() && after == AfterResponse::keep_open;
  const Exchange::Traits traits{parser.minor_version, keep_alive, !parser.is_done(), may_drain,
                                pending->is_health_check};
  pending->exchange.emplace(context, std::move(request), traits);
  return pending;
}

}  // namespace tonearm::native
