#pragma once
// Authentication of operators, and the audit log of the admin interface (ADMIN-1, ADMIN-7, ADMIN-8).

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

/// An entry of the audit log: one call of the admin interface. Nothing in it is secret.
struct AuditEntry {
  std::string_view method;
  std::string_view route{};  // the template; empty: unknown
  std::string subject{};     // the ids in the path
  std::string detail{};      // the requested plan or lifetime
  std::string created{};     // the id of the created account or key
  int status = 0;
  bool is_plain_read = false;  // changes nothing and shows no secret
};

/// Safe for concurrent calls.
class AdminGate {
 public:
  /// Both outlive the object.
  AdminGate(Clock& clock, Hashing& hashing, const ServiceOptions& options)
      : clock_(clock),
        hashing_(hashing),
        admin_token_hash_(options.admin_token_hash),
        metrics_token_hash_(options.metrics_token_hash),
        write_audit_line_(options.write_audit_line) {}

  /// Returns an error response if the head lacks the admin token, else nothing. Wrong tokens are audited. Those above a
  /// bound per minute are answered 429 and only counted. The right token is never throttled.
  std::optional<Response> refuse(const RequestHead& head);
  /// Does the same for the metrics, which also accept a token of their own, if there is one.
  std::optional<Response> refuse_metrics(const RequestHead& head);

  /// Writes one line of the audit log. Plain reads are only counted, and the next line has their number.
  void audit(const RequestHead& head, const AuditEntry& act);

 private:
  bool is_token(std::string_view token, const Sha256& hash);
  /// Audits a wrong token and returns the error, or 429.
  Response reject_token(const RequestHead& head, const Error& error);
  /// Returns false if there were too many wrong tokens in this minute.
  bool count_wrong_token();

  Clock& clock_;
  Hashing& hashing_;
  const Sha256 admin_token_hash_;
  const std::optional<Sha256> metrics_token_hash_;
  const std::function<void(std::string_view)> write_audit_line_;
  std::mutex mutex_;
  std::int64_t minute_ = 0;
  std::int64_t wrong_tokens_ = 0;  // in that minute
  std::int64_t unaudited_ = 0;     // wrong tokens that the audit log does not mention yet
  std::int64_t reads_ = 0;         // plain reads that it does not mention yet
};

}  // namespace tonearm::api
