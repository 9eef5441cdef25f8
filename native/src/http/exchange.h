#pragma once
// One request and its answer, without any I/O: the two stages of the service, and what the host adds to the answer.
// Used by one thread at a time: a stage runs on the worker pool, all else on the strand of the session.

#include <atomic>
#include <chrono>
#include <string>
#include <variant>

#include "http/answer.h"
#include "http/client_address.h"
#include "http/forwarded_clients.h"
#include "http/handler.h"
#include "http/http_limits.h"
#include "monitoring/log.h"
#include "monitoring/metrics.h"
#include "system/worker_pool.h"
#include "tonearm/ports.h"

namespace tonearm::native {

/// What the sessions of one address share. Outlives them.
struct SessionContext {
  Handler& handler;
  WorkerPool& pool;
  Clock& clock;
  RequestIds request_ids;
  Log& log;
  Metrics& metrics;
  HttpLimits limits;
  Compression compression = Compression::allowed;
  AddressBlocks trusted_proxies{};
  ForwardedClients forwarded{limits.connections_per_client_max};
  /// Set for good when the server stops: from then on only requests under way are answered.
  std::atomic<bool> stopping{false};
};

/// What came of a call on a thread of connections: it waits for what that thread does not wait for; it is answered; or
/// its answer has yet to be compressed, which takes longer than the answer did.
enum class AtOnce : std::uint8_t { no, answered, to_encode };

class Exchange {
 public:
  /// What a connection knows of a request besides its head.
  struct Traits {
    int minor_version = 1;
    bool keep_alive = true;
    bool has_body = false;
    bool may_drain = false;  // a body that nobody wants is short, and comes in any case
    bool is_health_check = false;
  };

  Exchange(SessionContext& context, RequestHead head, const Traits& traits);
  ~Exchange() { --context_.metrics.in_flight; }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  /// The first stage, and where there is no body, the second as well. Does not throw.
  void admit();
  /// The first stage on a thread of connections. Does not throw. Without a body alone.
  AtOnce try_admit();
  /// What is left of a call that is `to_encode`. Does not throw.
  void encode();
  /// The second stage. Does not throw. REQUIRES: not is_answered().
  void answer(std::string body);
  /// Instead of the first stage: what the host answers by itself.
  void answer_early(Response response);
  /// Instead of the second stage, where the body did not come: ends the call, and the connection.
  void abandon(int status, std::string_view message);

  /// Whether the response is there. Without a body, it always is after the first stage.
  bool is_answered() const { return !head_.empty(); }
  Response& response() { return std::get<Response>(outcome_); }
  std::string_view head() const { return head_; }
  std::string take_head() { return std::move(head_); }
  std::chrono::steady_clock::time_point began() const { return began_; }
  bool has_body() const { return traits_.has_body; }
  bool keep_alive() const { return traits_.keep_alive; }
  /// Counts the answer in the metrics, now that it was sent.
  void count();

 private:
  template <class Work>
  void guarded(const Work& work);
  Response refuse_call(int status, std::string_view message);
  void finish_early();
  void finish();

  SessionContext& context_;
  Request request_;
  Traits traits_;
  Headers negotiation_;  // the fields that choose the form of the answer, as they came
  std::string request_id_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::duration worked_{0};  // of the time that both stages together have
  std::variant<Response, Admitted> outcome_;
  std::string head_;  // of the answer
};

}  // namespace tonearm::native
