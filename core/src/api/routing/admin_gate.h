#pragma once
// Who may use the admin interface, and the audit log of what operators do with it (ADMIN-1, ADMIN-7, ADMIN-8).

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/calls.h"
#include "tonearm/http.h"
#include "tonearm/ports.h"

namespace tonearm::api {

/// One call of the admin interface, as the audit log has it. Nothing in it is secret.
struct OperatorAct {
  std::string_view method;
  std::string_view route{};  // the template; empty: no such route
  std::string subject{};     // the ids in the path
  std::string detail{};      // what was asked for: a plan, a lifetime
  std::string created{};     // the id of what was made
  int status = 0;
};

/// Safe for concurrent calls.
class AdminGate {
 public:
  /// Both outlive it.
  AdminGate(Clock& clock, Hashing& hashing, const ServiceOptions& options)
      : clock_(clock),
        hashing_(hashing),
        admin_token_hash_(options.admin_token_hash),
        metrics_token_hash_(options.metrics_token_hash),
        report_act_(options.report_act) {}

  /// The refusal where the head lacks the admin token, else nothing. Wrong tokens are audited; those above a bound for
  /// each minute are answered 429 and only counted. A right token is never slowed by others' wrong ones.
  std::optional<Response> refuse(const RequestHead& head);
  /// As `refuse`, for the metrics alone: their own token opens them too, where there is one.
  std::optional<Response> refuse_metrics(const RequestHead& head);

  /// Writes one line of the audit log.
  void audit(const RequestHead& head, const OperatorAct& act);

 private:
  bool is_token(std::string_view token, const Sha256& hash);
  Response refuse_wrong(const RequestHead& head, const Error& error);
  /// Counts a wrong token. False: there were too many in this minute.
  bool note_wrong_token();

  Clock& clock_;
  Hashing& hashing_;
  const Sha256 admin_token_hash_;
  const std::optional<Sha256> metrics_token_hash_;
  const std::function<void(std::string_view)> report_act_;
  std::mutex mutex_;
  std::int64_t minute_ = 0;
  std::int64_t wrong_tokens_ = 0;  // in that minute
  std::int64_t not_audited_ = 0;   // wrong tokens that no line tells of yet
};

}  // namespace tonearm::api
