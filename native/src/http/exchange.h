#pragma once
// One request and its response, without I/O: runs the two stages of the service and renders the response. Used by one
// thread at a time: a stage runs on the worker pool or inline, everything else on the session's thread.

#include <atomic>
#include <chrono>
#include <string>
#include <variant>

#include "http/answer_budget.h"
#include "http/client_address.h"
#include "http/handler.h"
#include "http/http_limits.h"
#include "http/response_head.h"
#include "http/running_requests.h"
#include "monitoring/log.h"
#include "monitoring/metrics.h"
#include "system/worker_pool.h"
#include "tonearm/ports.h"

namespace tonearm::native {

/// What the sessions of one listening address share. Outlives them.
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
  RunningRequests forwarded{limits.connections_per_client_max};
  AnswerBudget answers{limits};
  /// Set once when the server stops; from then on only requests in progress are answered.
  std::atomic<bool> stopping{false};
};

/// The result of an inline call on an I/O thread. `needs_pool`: nothing has happened, because the call may wait.
/// `needs_encoding`: the response must still be compressed, which is slower than the call was.
enum class InlineResult : std::uint8_t { needs_pool, answered, needs_encoding };

class Exchange {
 public:
  /// What the connection knows about a request besides its head.
  struct Traits {
    int minor_version = 1;
    bool keep_alive = true;
    bool has_body = false;
    bool may_drain = false;  // an unwanted body is short and arrives in any case
    bool is_health_check = false;
  };

  Exchange(SessionContext& context, RequestHead head, const Traits& traits);
  ~Exchange() { --context_.metrics.in_flight; }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  /// Runs the first stage and, if there is no body, the second. Does not throw.
  void admit();
  /// Runs both stages on an I/O thread if they will not wait. Does not throw. REQUIRES: the request has no body.
  InlineResult try_admit();
  /// Finishes a call that `needs_encoding`. Does not throw.
  void encode();
  /// Runs the second stage. Does not throw. REQUIRES: not is_answered().
  void answer(std::string body);
  /// Replaces the first stage by the host's own response.
  void answer_early(Response response);
  /// Replaces the second stage by an error if the body did not arrive. The connection closes.
  void abandon(int status, std::string_view message);

  /// Returns whether the response is complete. Without a body, it always is after the first stage.
  bool is_answered() const { return !head_.empty(); }
  Response& response() { return std::get<Response>(outcome_); }
  std::string_view head() const { return head_; }
  std::string take_head() { return std::move(head_); }
  std::chrono::steady_clock::time_point began() const { return began_; }
  bool has_body() const { return traits_.has_body; }
  bool keep_alive() const { return traits_.keep_alive; }
  /// Counts the response in the metrics.
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
  Headers negotiation_;  // the original fields that select a representation
  std::string request_id_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::duration worked_{0};  // by the first stage; both share the call time
  std::variant<Response, Admitted> outcome_;
  std::string head_;  // of the response
};

}  // namespace tonearm::native
