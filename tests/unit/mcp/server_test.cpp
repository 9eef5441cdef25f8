#include "mcp/server.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "api/description/openapi.h"
#include "api/requests/routes.h"
#include "mcp/tool_words.h"

namespace tonearm::mcp {
namespace {

namespace bj = boost::json;

TEST_CASE("MCP-3: only origins of this machine are allowed, and no origin at all") {
  const auto is_allowed = [](std::vector<std::string> origins) {
    RequestHead head{"POST", "/mcp", {}};
    for (auto& origin : origins) head.headers.push_back({"origin", std::move(origin)});
    return is_origin_allowed(head);
  };
  CHECK(is_allowed({}));
  for (const char* good : {"http://localhost", "https://localhost:8443", "http://127.0.0.1:1", "http://[::1]:3000"}) {
    CHECK_MESSAGE(is_allowed({good}), good);
  }
  for (const char* bad : {"", "null", "localhost", "file://localhost", "http://localhost.example",
                          "http://localhost:", "http://localhost:1a", "http://localhost:80/", "http://127.0.0.10",
                          "http://[::1].example", "http://example.org", "HTTP://localhost"}) {
    CHECK_MESSAGE(!is_allowed({bad}), bad);
  }
  CHECK_FALSE(is_allowed({"http://localhost", "http://example.org"}));
}

/// An API that counts nothing and has nothing.
class EmptyApi final : public Api {
 public:
  std::optional<Response> count(const Operation& /*tool*/) override { return std::nullopt; }
  Response call(const Request& request) override {
    asked.push_back(request);
    return {404, {{"Content-Type", "application/json"}}, R"({"error":"not_found","message":"None."})"};
  }
  Response refuse(const Error& error) override { return error_response(error); }

  std::vector<Request> asked;
};

std::vector<Operation> operations() {
  std::vector<Operation> made;
  for (const api::Route& route : api::kRoutes) {
    if (route.surface != api::Surface::api) continue;
    made.push_back({.name = route.name,
                    .title = route.summary,
                    .description = route.description,
                    .method = route.method,
                    .path = route.path,
                    .query = route.query(),
                    .takes_body = route.handler.body != nullptr,
                    .answer = route.answer,
                    .minimal_answer = route.minimal_answer,
                    .answers_text = !route.text_types.empty()});
  }
  return made;
}

const Server& server() {
  static const Server made(operations(), api::openapi_description());
  return made;
}

TEST_CASE("MCP-6: every operation of the API has a name of its own and words for a model") {
  std::set<std::string_view> names;
  for (const Operation& operation : server().tools().operations()) {
    CHECK_MESSAGE(names.insert(operation.name).second, operation.path);
    CHECK_MESSAGE(!operation.description.empty(), operation.path);
  }
}

TEST_CASE("MCP-7: the list of tools is of bounded size, and every tool refuses unknown arguments") {
  CHECK(server().tools().list().size() < 100'000);
  const bj::value list = bj::parse(server().tools().list());
  for (const bj::value& tool : list.as_array()) {
    CHECK(tool.at("inputSchema").at("additionalProperties") == false);
    CHECK(tool.at("outputSchema").at("type") == "object");
    CHECK_FALSE(tool.at("description").as_string().empty());
  }
}

bj::object answer_to(const std::string& message, EmptyApi& api) {
  const Response answer = server().answer({"POST", "/mcp", {}}, bj::parse(message), api);
  return bj::parse(answer.body).as_object();
}

TEST_CASE("MCP-7: arguments become the request that they would be over HTTP") {
  EmptyApi api;
  answer_to(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_item","arguments":)"
            R"({"id":"col_a","trackId":"a b/..?&","note":null,"position":2}}})",
            api);
  REQUIRE(api.asked.size() == 1);
  CHECK(api.asked[0].head.method == "PATCH");
  CHECK(api.asked[0].head.target == "/v1/collections/col_a/items/a%20b%2F..%3F%26");
  CHECK(api.asked[0].body == R"({"note":null,"position":2})");
  CHECK(*find_header(api.asked[0].head.headers, "Prefer") == "return=minimal");
  answer_to(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_tracks","arguments":)"
            R"({"q":"a&b=c d","genre":["x","y"],"min_bpm":0.5,"commercial":true,"cursor":null,"limit":3}}})",
            api);
  REQUIRE(api.asked.size() == 2);
  CHECK(api.asked[1].head.target == "/v1/search?q=a%26b%3Dc%20d&genre=x%2Cy&min_bpm=0.5&commercial=true&limit=3");
  CHECK(api.asked[1].body.empty());
}

TEST_CASE("MCP-10: an error of the API says what to do next") {
  EmptyApi api;
  const auto answer = answer_to(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_track","arguments":{"id":"a"}}})", api);
  CHECK(answer.at("result").at("isError") == true);
  CHECK(answer.at("result").at("content").at(0).at("text").as_string() ==
        "not_found: None.\nNext: " + std::string(next_step(ErrorCode::not_found)));
  for (const ErrorRow& row : kErrorTable) CHECK(next_step(row.code).ends_with('.'));
}

}  // namespace
}  // namespace tonearm::mcp
