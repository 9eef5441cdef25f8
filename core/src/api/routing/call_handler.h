#pragma once
// Answers the calls of the API and the admin interface. Every service uses it.

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
#include "api/routing/protected_resource.h"
#include "state/accounts/accounts.h"
#include "state/accounts/message_limit.h"
#include "state/collections/collections.h"
#include "state/readiness.h"
#include "state/take_downs/take_downs.h"
#include "tonearm/calls.h"
#include "tonearm/catalog.h"
#include "tonearm/http.h"
#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::api {

/// Implements the functions of `Service` (tonearm/service.h). Safe for concurrent calls.
class CallHandler {
 public:
  /// All of them outlive the object.
  struct Dependencies {
    Clock& clock;
    Hashing& hashing;
    sql::Store& store;
    state::Accounts& accounts;
    state::Collections& collections;
    state::TakeDowns& take_downs;
    std::function<std::shared_ptr<const Catalog>()> catalog;         // throws Failure if it cannot be read
    std::function<std::shared_ptr<const Catalog>()> served_catalog;  // with the tracks that were taken down
    std::function<void(state::CallRecord)> record;                   // called for each answered call (RECORD-1)
    std::function<std::shared_ptr<BodySource>()> backup = {};        // as in Service::Dependencies
    SharedAnswers* shared_answers = nullptr;                         // may be null
  };
  CallHandler(Dependencies dependencies, const ServiceOptions& options)
      : dependencies_(std::move(dependencies)),
        admin_gate_(dependencies_.clock, dependencies_.hashing, options),
        cache_(options.answer_cache_bytes, dependencies_.shared_answers),
        readiness_(dependencies_.store, dependencies_.clock),
        shares_bodies_(options.shares_bodies),
        report_failure_(options.report_failure),
        protected_resource_(options.oauth) {}

  std::variant<Response, Admitted> admit(const RequestHead& head);
  std::optional<std::variant<Response, Admitted>> try_admit(const RequestHead& head);
  Response answer(const Admitted& admitted, const Request& request);
  /// As in ShardCalls.
  std::variant<Response, AdmittedMessage> admit_message(const Admitted& admitted, const Request& request);
  /// CHECK-5 to CHECK-14 on GET routes that need only the catalog; 404 on all others. Without admission and record, for
  /// CatalogReader.
  Response read_catalog(const Request& request);
  Response refuse(const Admitted& admitted, const RequestHead& head, Response response);
  std::optional<Response> refuse_admin(const RequestHead& head) { return admin_gate_.refuse(head); }
  std::optional<Response> refuse_metrics(const RequestHead& head) { return admin_gate_.refuse_metrics(head); }
  Response handle_admin(const Request& request);
  ServiceCounts counts() const { return cache_.counts(); }

 private:
  /// What `dispatch` fills beside the answer. Either may be null.
  struct SideOutputs {
    state::CallRecord* record = nullptr;
    AuditEntry* audit = nullptr;
    bool shares_body = false;  // whether the answer may use Response::shared_body
  };

  friend class McpCalls;

  struct Times {
    std::int64_t began_ms = 0;
    std::int64_t waited_ms = 0;  // as in Admitted
  };
  /// CHECK-3 and CHECK-4. `route`: for the record of a refused call; empty: the route of the head.
  std::variant<Response, Admitted> admit_key(const RequestHead& head, state::Counting counting, std::string_view route,
                                             Times times);
  /// Does the same, without the OAuth challenge of an answer 401.
  std::variant<Response, Admitted> check_key(const RequestHead& head, state::Counting counting, std::string_view route,
                                             Times times);
  /// Converts an admission to `Admitted` or to the response 401 or 429.
  std::variant<Response, Admitted> to_admission_result(const state::Admission& admission, Admitted admitted,
                                                       const RequestHead& head, std::string_view route);
  /// Completes the response to a call that is not answered by a route, and records the call.
  Response record_refusal(const Admitted& admitted, const RequestHead& head, std::string_view route, Response response);
  static state::CallRecord begin_record(const Admitted& admitted, const std::string& method);
  /// Returns the route in the record of a call that a message to /mcp makes (MCP-5).
  static std::string route_of_call(std::string_view name) { return "/mcp:" + std::string(name); }
  /// LIMIT-16: counts a request to /mcp that is no call. Returns the response 429 if there are too many.
  std::optional<Response> limit_message(const Admitted& admitted);
  /// Answers /mcp (mcp_endpoint.cpp).
  Response answer_mcp(const Admitted& admitted, const Request& request);
  /// CHECK-5 to CHECK-14 on one surface.
  Response dispatch(Surface surface, const Admitted& admitted, const Request& request, SideOutputs outputs);
  /// Parses the query and calls the route's function.
  Answer call_route(const RouteMatch& found, const Admitted& admitted, const Request& request,
                    const std::shared_ptr<const Catalog>& catalog, SideOutputs outputs);
  /// Adds the header fields for a call with a key, and records the call (RECORD-1).
  void end_record(const Admitted& admitted, Response& response, state::CallRecord record);

  Dependencies dependencies_;
  AdminGate admin_gate_;
  state::MessageLimit message_limit_;
  AnswerCache cache_;
  state::Readiness readiness_;
  const bool shares_bodies_;
  std::function<void(std::string_view)> report_failure_;
  ProtectedResource protected_resource_;
};

}  // namespace tonearm::api
