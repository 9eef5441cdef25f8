// POST /mcp: connects the MCP server (mcp/) with the routes of the API (docs/spec/mcp.md).

#include <algorithm>
#include <iterator>

#include "api/description/openapi.h"
#include "api/requests/body.h"
#include "api/requests/call.h"
#include "api/routing/call_handler.h"
#include "mcp/server.h"

namespace tonearm::api {
namespace {

mcp::Operation operation_of(const Route& route) {
  const bool only_reads = route.method == "GET" || (route.method == "POST" && route.status == 200);
  return {.name = route.name,
          .title = route.summary,
          .description = route.description,
          .method = route.method,
          .path = route.path,
          .query = route.query(),
          .body = route.handler.body,
          .answer = route.answer,
          .minimal_answer = route.minimal_answer,
          .answers_text = !route.text_types.empty(),
          .read_only = only_reads,
          .idempotent = route.method != "POST" || route.unchanged_status != 0,
          .reads_only_catalog = route.needs == Needs::catalog};
}

/// Created at the first message, because most processes never receive one.
const mcp::Server& server() {
  static const mcp::Server server = [] {
    std::vector<mcp::Operation> operations;
    for (const Route& route : kRoutes) {
      if (route.surface == Surface::api && route.is_tool) operations.push_back(operation_of(route));
    }
    return mcp::Server(std::move(operations), openapi_description());
  }();
  return server;
}

MessageNeeds needs_of(const mcp::Operation* tool) {
  if (tool == nullptr) return MessageNeeds::state;
  if (tool->reads_only_catalog) return MessageNeeds::catalog;
  return tool->read_only || tool->method == "DELETE" ? MessageNeeds::state : MessageNeeds::write;
}

}  // namespace

/// The calls of one message, made with the key that was admitted with it.
class McpCalls final : public mcp::Api {
 public:
  McpCalls(CallHandler& handler, const Admitted& admitted, const RequestHead& head)
      : handler_(handler), admitted_(admitted), head_(head) {}

  std::optional<Response> admit_call(std::string_view name) override {
    if (admitted_.counted_message) return std::nullopt;
    auto admitted = handler_.admit_key(head_, state::Counting::counted, CallHandler::route_of_call(name),
                                       {admitted_.began_ms, admitted_.waited_ms});
    if (auto* refusal = std::get_if<Response>(&admitted)) return std::move(*refusal);
    admitted_ = std::get<Admitted>(std::move(admitted));
    admitted_.counted_message = name;
    return std::nullopt;
  }

  std::optional<Response> admit_message() override {
    if (admitted_.counted_message) return std::nullopt;
    admitted_.counted_message.emplace();
    return handler_.limit_message(admitted_);
  }

  Response call(const Request& request) override {
    state::CallRecord record = handler_.begin_record(admitted_, head_.method);
    Response response = handler_.dispatch(Surface::api, admitted_, request, {.record = &record});
    return record_call(std::move(response), std::move(record));
  }

  Result<MediaOrigins> media_origins() override {
    const auto catalog = handler_.dependencies_.served_catalog();  // take-downs change no origin
    if (catalog == nullptr) return catalog_unavailable();
    return catalog->media_origins();
  }

  Response reject(const Error& error) override {
    return record_call(error_response(error), handler_.begin_record(admitted_, head_.method));
  }

  Admitted take_admitted() { return std::move(admitted_); }

 private:
  /// RECORD-1: records the call by its name.
  Response record_call(Response response, state::CallRecord record) {
    record.route = CallHandler::route_of_call(admitted_.counted_message.value_or(""));
    handler_.end_record(admitted_, response, std::move(record));
    return response;
  }

  CallHandler& handler_;
  Admitted admitted_;
  const RequestHead& head_;
};

std::variant<Response, AdmittedMessage> CallHandler::admit_message(const Admitted& admitted, const Request& request) {
  if (request.head.method != "POST") return AdmittedMessage{admitted};
  McpCalls calls(*this, admitted, request.head);
  auto admission = server().admit(request.head, parse_message(request), calls);
  if (admission.refusal) return *std::move(admission.refusal);
  return AdmittedMessage{calls.take_admitted(), needs_of(admission.tool)};
}

Response CallHandler::answer_mcp(const Admitted& admitted, const Request& request) {
  if (request.head.method != "POST") {
    auto refusal = limit_message(admitted);
    return refusal ? *std::move(refusal) : method_not_allowed(request.head.method, "POST");
  }
  McpCalls calls(*this, admitted, request.head);
  return server().answer(request.head, parse_message(request), calls);
}

}  // namespace tonearm::api
