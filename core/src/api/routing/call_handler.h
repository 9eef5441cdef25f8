#pragma once
// What every service answers calls with: the API and the admin interface over accounts, collections and a catalog.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "api/requests/answer_cache.h"
#include "api/requests/call.h"
#include "api/requests/routes.h"
#include "api/routing/admin_gate.h"
#include "state/accounts.h"
#include "state/collections.h"
#include "state/readiness.h"
#include "tonearm/calls.h"
#include "tonearm/catalog.h"
#include "tonearm/http.h"
#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::api {

/// Safe for concurrent calls. Its functions are those of `Service` (tonearm/service.h).
class CallHandler {
 public:
  /// All of them outlive it.
  struct Dependencies {
    Clock& clock;
    Hashing& hashing;
    sql::Store& store;
    state::Accounts& accounts;
    state::Collections& collections;
    std::function<std::shared_ptr<const Catalog>()> catalog;
    std::function<void(state::CallRecord)> record;             // takes the record of an answered call (RECORD-1)
    std::function<std::shared_ptr<BodySource>()> backup = {};  // as in Service::Dependencies
  };
  CallHandler(Dependencies dependencies, const ServiceOptions& options)
      : dependencies_(std::move(dependencies)),
        admin_gate_(dependencies_.clock, dependencies_.hashing, options),
        cache_(options.answer_cache_bytes),
        readiness_(dependencies_.store, dependencies_.clock),
        shares_bodies_(options.shares_bodies),
        report_failure_(options.report_failure) {}

  std::variant<Response, Admitted> admit(const RequestHead& head);
  std::optional<std::variant<Response, Admitted>> try_admit(const RequestHead& head);
  Response answer(const Admitted& admitted, const Request& request);
  /// CHECK-5 to CHECK-14 on the GET routes that the catalog alone answers; everywhere else 404. Needs no admission and
  /// leaves no record: for CatalogReader alone.
  Response read_catalog(const Request& request);
  Response refuse(const Admitted& admitted, const RequestHead& head, Response response);
  std::optional<Response> refuse_admin(const RequestHead& head) { return admin_gate_.refuse(head); }
  std::optional<Response> refuse_metrics(const RequestHead& head) { return admin_gate_.refuse_metrics(head); }
  Response handle_admin(const Request& request);
  ServiceCounts counts() const { return cache_.counts(); }

 private:
  /// What is kept of a call beside its answer, each may be null; and whether the answer's body may be shared.
  struct Notes {
    state::CallRecord* record = nullptr;
    OperatorAct* act = nullptr;
    bool shares_body = false;  // in Response::shared_body
  };

  friend class MessageCalls;

  struct Times {
    std::int64_t began_ms = 0;
    std::int64_t waited_ms = 0;  // as in Admitted
  };
  /// CHECK-3 and CHECK-4. `route`: what the record of a refused call names; empty: the route of the head.
  std::variant<Response, Admitted> admit_key(const RequestHead& head, state::Counting counting, std::string_view route,
                                             Times times);
  /// The same of a key that was looked at.
  std::variant<Response, Admitted> admitted_as(const state::Admission& admission, Admitted admitted,
                                               const RequestHead& head, std::string_view route);
  Response recorded(const Admitted& admitted, const RequestHead& head, std::string_view route, Response response);
  static state::CallRecord begin_record(const Admitted& admitted, const std::string& method);
  /// POST /mcp.
  Response answer_message(const Admitted& admitted, const Request& request);
  /// CHECK-5 to CHECK-14 on one surface.
  Response dispatch(Surface surface, const Admitted& admitted, const Request& request, Notes notes);
  Result<Response> run(const RouteMatch& found, const Admitted& admitted, const Request& request,
                       const std::shared_ptr<const Catalog>& catalog, Notes notes);
  /// Adds what the answer of a call with a key carries, and records the call (RECORD-1).
  void end_record(const Admitted& admitted, Response& response, state::CallRecord record);

  Dependencies dependencies_;
  AdminGate admin_gate_;
  AnswerCache cache_;
  state::Readiness readiness_;
  const bool shares_bodies_;
  std::function<void(std::string_view)> report_failure_;
};

/// CHECK-5, 405.
Response method_not_allowed(std::string_view method, const std::string& allowed);

}  // namespace tonearm::api
