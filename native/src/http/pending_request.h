#pragma once
// A request of a connection, from its head until its response is written. Not thread-safe.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/body_parser.h"
#include "http/connection_table.h"
#include "http/exchange.h"

namespace tonearm::native {

/// The other end of a connection.
struct Peer {
  std::string address;
  bool is_trusted_proxy = false;      // X-Forwarded-For then names the client
  std::optional<ClientKey> client{};  // nothing: unknown, as behind a proxy
  AcceptPolicy policy = AcceptPolicy::serve;
};

struct PendingRequest {
  std::optional<BodyParser> body;  // nothing: the request has none
  bool is_health_check = false;
  WorkerPool::Placement placement{};
  bool is_for_server = false;  // OPTIONS *
  bool is_refused = false;     // there are too many connections
  InlineResult inline_result = InlineResult::needs_pool;
  std::optional<ClientKey> client{};
  std::optional<RunningRequest> slot;
  std::optional<Exchange> exchange;
};

/// Whether the connection serves further requests after this one.
enum class AfterResponse : std::uint8_t { keep_open, close };

inline WorkerPool::Placement placement_of(const Handler& handler, const RequestHead& head) {
  if (handler.is_health_check(head)) return {WorkerPool::ThreadGroup::health};
  const auto group = handler.is_file_read(head) ? WorkerPool::ThreadGroup::files : WorkerPool::ThreadGroup::requests;
  return {group, handler.owner_of(head)};
}

inline std::unique_ptr<PendingRequest> make_pending(SessionContext& context, const Peer& peer, RequestHead request,
                                                    const Framing& framing, AfterResponse after) {
  auto pending = std::make_unique<PendingRequest>();
  if (framing.body.has_body()) pending->body.emplace(framing.body);
  pending->is_health_check = context.handler.is_health_check(request);
  pending->is_for_server = request.target == "*";
  pending->is_refused = peer.policy == AcceptPolicy::refuse && !pending->is_health_check;
  // An unwanted body is read only if it is short and the client sends it in any case.
  const bool may_drain = !framing.body.expects_continue && pending->body && !pending->body->announces_too_much();
  const auto client = peer.is_trusted_proxy && !pending->is_health_check
                          ? forwarded_client(request.headers, context.trusted_proxies)
                          : std::nullopt;
  pending->slot.emplace(context.forwarded, client);
  pending->client = client ? client : peer.client;
  request.client = peer.address;
  pending->placement = placement_of(context.handler, request);
  const bool keep_alive = framing.is_persistent && after == AfterResponse::keep_open;
  const Exchange::Traits traits{framing.minor_version, keep_alive, framing.body.has_body(), may_drain,
                                pending->is_health_check};
  pending->exchange.emplace(context, std::move(request), traits);
  return pending;
}

}  // namespace tonearm::native
