#include "mcp/server.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "api/description/openapi.h"
#include "api/requests/routes.h"
#include "mcp/aliases.h"
#include "mcp/player.h"
#include "mcp/tool_words.h"

namespace tonearm::mcp {
namespace {

namespace bj = boost::json;

TEST_CASE("MCP-3: only local origins and requests without Origin are allowed") {
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

/// An API that admits every call and finds nothing.
class EmptyApi final : public Api {
 public:
  std::optional<Response> admit_call(std::string_view name) override {
    counted.emplace_back(name);
    return refusal;
  }
  std::optional<Response> admit_message() override {
    counted.emplace_back("message");
    return refusal;
  }
  Response call(const Request& request) override {
    requests.push_back(request);
    return {404, {{"Content-Type", "application/json"}}, R"({"error":"not_found","message":"None."})"};
  }
  Result<MediaOrigins> media_origins() override {
    if (!origins) return Error{ErrorCode::unavailable, "No catalog."};
    return *origins;
  }
  Response reject(const Error& error) override { return error_response(error); }

  std::vector<Request> requests;
  std::vector<std::string> counted;  // the names of calls, and "message"
  std::optional<Response> refusal{};
  std::optional<MediaOrigins> origins{};  // nothing: no catalog
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
                    .body = route.handler.body,
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

TEST_CASE("MCP-6: every operation of the API has a unique name and a description") {
  std::set<std::string_view> names;
  for (const Operation& operation : operations()) {
    CHECK_MESSAGE(names.insert(operation.name).second, operation.path);
    CHECK_MESSAGE(!operation.description.empty(), operation.path);
  }
}

TEST_CASE("MCP-7: the list of tools is at most 40,000 bytes, and every tool rejects unknown arguments") {
  const Tools tools(operations(), api::openapi_description());
  CHECK(tools.list(Apps::possible).size() <= 40'000);
  const bj::value list = bj::parse(tools.list(Apps::possible));
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

TEST_CASE("MCP-7: arguments become the same request as over HTTP") {
  EmptyApi api;
  answer_to(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_item","arguments":)"
            R"({"collection_id":"col_a","track_id":"a b/..?&","note":null,"position":2}}})",
            api);
  REQUIRE(api.requests.size() == 1);
  CHECK(api.requests[0].head.method == "PATCH");
  CHECK(api.requests[0].head.target == "/v1/collections/col_a/items/a%20b%2F..%3F%26");
  CHECK(api.requests[0].body == R"({"note":null,"position":2})");
  CHECK(*find_header(api.requests[0].head.headers, "Prefer") == "return=minimal");
  answer_to(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_tracks","arguments":)"
            R"({"q":"a&b=c d","genre":["x","y"],"min_bpm":0.5,"commercial":true,"cursor":null,"limit":3}}})",
            api);
  REQUIRE(api.requests.size() == 2);
  CHECK(api.requests[1].head.target == "/v1/search?q=a%26b%3Dc%20d&genre=x%2Cy&min_bpm=0.5&commercial=true&limit=3");
  CHECK(api.requests[1].body.empty());
}

TEST_CASE("MCP-7: identifiers have one name in all tools, and a limit of ten tracks unless the caller says otherwise") {
  const Tools tools(operations(), api::openapi_description());
  const bj::value list = bj::parse(tools.list(Apps::possible));
  for (const bj::value& tool : list.as_array()) {
    const bj::object& arguments = tool.at("inputSchema").at("properties").as_object();
    if (find_alias(tool.at("name").as_string()) != nullptr) continue;
    for (const char* name : {"id", "ids", "trackId", "track", "tracks", "seeds"}) {
      CHECK_MESSAGE(!arguments.contains(name), tool.at("name").as_string());
    }
    const auto* limit = arguments.if_contains("limit");
    if (limit != nullptr && limit->at("maximum") == 50) CHECK(limit->at("default") == 10);
  }
  EmptyApi api;
  answer_to(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"similar_to_collection","arguments":)"
            R"({"collection_id":"col_a","track_ids":["a-1","a-2"],"limit":null}}})",
            api);
  answer_to(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_tracks","arguments":)"
            R"({"collection_id":"col_a","track_ids":["a-1"],"detail":"full"}}})",
            api);
  REQUIRE(api.requests.size() == 2);
  CHECK(api.requests[0].head.target == "/v1/collections/col_a/similar?seeds=a-1%2Ca-2&limit=10");
  CHECK(api.requests[1].body == R"({"tracks":["a-1"]})");
}

TEST_CASE("MCP-16: search and fetch call other tools, and add less than 1,000 bytes to the list") {
  std::size_t bytes = 0;
  for (const Alias& alias : aliases()) bytes += bj::serialize(listed(alias)).size();
  CHECK(bytes < 1'000);
  EmptyApi api;
  answer_to(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"a b"}}})",
            api);
  const auto answer = answer_to(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch","arguments":{"id":"a-1"}}})", api);
  REQUIRE(api.requests.size() == 2);
  CHECK(api.requests[0].head.target == "/v1/search?q=a%20b&limit=10");
  CHECK(api.requests[1].head.target == "/v1/tracks/a-1");
  CHECK(api.counted == std::vector<std::string>{"search_tracks", "get_track"});
  CHECK(answer.at("result").at("isError") == true);
}

TEST_CASE("MCP-7: the API's names of identifiers are accepted, too, but not both names at once") {
  EmptyApi api;
  answer_to(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_item","arguments":)"
            R"({"id":"col_a","trackId":"a-1","position":2}}})",
            api);
  REQUIRE(api.requests.size() == 1);
  CHECK(api.requests[0].head.target == "/v1/collections/col_a/items/a-1");
  const auto answer = answer_to(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_track",)"
                                R"("arguments":{"id":"a-1","track_id":"a-2"}}})",
                                api);
  CHECK(api.requests.size() == 1);
  CHECK(answer.at("result").at("content").at(0).at("text").as_string().starts_with(
      "invalid_parameter: track_id is given twice.\nParameter: track_id\n"));
}

TEST_CASE("MCP-7: numbers become the text that the API accepts, or rejects as it was written") {
  EmptyApi api;
  const std::vector<std::pair<std::string, std::string>> cases{
      {"-0.5", "-0.5"},        {"-3", "-3"},
      {"90.25", "90.25"},      {"9E1", "90"},
      {"1e300", "1E300"},      {"-1e300", "-1E300"},
      {"1e-7", "1E-7"},        {"18446744073709551615", "18446744073709551615"},
      {"[0.5,-2]", "0.5%2C-2"}};
  for (const auto& [number, text] : cases) {
    answer_to(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_tracks","arguments":{"min_bpm":)" +
            number + "}}}",
        api);
    CHECK(api.requests.back().head.target == "/v1/search?min_bpm=" + text + "&limit=10");
  }
}

TEST_CASE("MCP-5, LIMIT-16: a tool and a resource with data of the account are calls, all else is a message") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"("id":1,"method":"tools/call","params":{"name":"usage"})", "usage"},
      {R"("id":1,"method":"tools/call","params":{"name":"get_track","arguments":{"detail":7}})", "get_track"},
      {R"("id":1,"method":"tools/call","params":{"name":"usage","arguments":[]})", "message"},
      {R"("id":1,"method":"tools/call","params":{"name":"fly"})", "message"},
      {R"("method":"tools/call","params":{"name":"usage"})", "message"},
      {R"("id":1,"method":"resources/read","params":{"uri":"tonearm://collections/col_a/credits"})", "resources/read"},
      {R"("method":"resources/read","params":{"uri":"tonearm://collections/col_a/credits"})", "message"},
      {R"("id":1,"method":"resources/read","params":{"uri":"tonearm://licenses"})", "message"},
      {R"("id":1,"method":"resources/read","params":{"uri":"tonearm://collections/a/b/credits"})", "message"},
      {R"("id":1,"method":"resources/read","params":{"uri":"ui://tonearm/player"})", "message"},
      {R"("id":1,"method":"resources/list")", "message"},
      {R"("id":1,"method":"ping")", "message"},
      {R"("id":1,"method":"fly")", "message"},
      {R"("id":null,"method":"ping")", "message"}};
  for (const auto& row : cases) {
    CAPTURE(row.first);
    EmptyApi api;
    const RequestHead head{"POST", "/mcp", {}};
    const bj::value body = bj::parse(R"({"jsonrpc":"2.0",)" + row.first + '}');
    server().answer(head, body, api);
    CHECK(api.counted == std::vector<std::string>{row.second});
    api.requests.clear();
    api.refusal = Response{429, {}, "over"};
    CHECK(server().answer(head, body, api).status == 429);
    CHECK(api.requests.empty());
  }
}

/// Returns the tools that name the player.
std::vector<std::string> linked_tools(const bj::value& list) {
  std::vector<std::string> names;
  for (const bj::value& tool : list.as_array()) {
    const auto* meta = tool.as_object().if_contains("_meta");
    if (meta != nullptr && meta->at("ui").at("resourceUri").as_string() == kPlayerUri)
      names.emplace_back(tool.at("name").as_string());
  }
  return names;
}

TEST_CASE("MCP-21: tools that return tracks name the player, for clients that may show it") {
  const Tools tools(operations(), api::openapi_description());
  CHECK(linked_tools(bj::parse(tools.list(Apps::possible))) ==
        std::vector<std::string>{"search_tracks", "get_tracks", "get_track", "similar_tracks", "get_collection",
                                 "similar_to_collection"});
  CHECK(linked_tools(bj::parse(tools.list(Apps::none))).empty());
  CHECK(player_page().size() < 40'000);
}

TEST_CASE("MCP-21: in the stateless revision the client's capabilities decide") {
  const std::string apps = "io.modelcontextprotocol/ui";
  const std::vector<std::pair<std::string, bool>> cases{
      {R"({"extensions":{")" + apps + R"(":{"mimeTypes":["text/plain","text/html;profile=mcp-app"]}}})", true},
      {R"({"extensions":{")" + apps + R"(":{"mimeTypes":["text/html"]}}})", false},
      {R"({"extensions":{")" + apps + R"(":{"mimeTypes":"text/html;profile=mcp-app"}}})", false},
      {R"({"extensions":{")" + apps + R"(":[]}})", false},
      {R"({"extensions":7})", false},
      {R"({})", false}};
  for (const auto& row : cases) {
    CAPTURE(row.first);
    EmptyApi api;
    const RequestHead head{"POST", "/mcp", {{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/list"}}};
    const std::string meta = R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientCapabilities":)" +
                             row.first + '}';
    const bj::value body =
        bj::parse(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":)" + meta + "}}");
    const bj::value answer = bj::parse(server().answer(head, body, api).body);
    CHECK(linked_tools(answer.at("result").at("tools")).empty() != row.second);
  }
}

TEST_CASE("MCP-22: the player's policy names the hosts of audio and waveforms, and no other") {
  EmptyApi api;
  api.origins = MediaOrigins{{"https://a.example", "https://www.a.example"}, {"https://p.example:8443"}};
  const std::string message =
      R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://tonearm/player"}})";
  const bj::object answer = answer_to(message, api);
  const bj::value& content = answer.at("result").at("contents").at(0);
  CHECK(content.at("mimeType").as_string() == kAppMediaType);
  CHECK(content.at("text").as_string() == player_page());
  CHECK(bj::serialize(content.at("_meta")) ==
        R"({"ui":{"csp":{"connectDomains":["https://p.example:8443"],"resourceDomains":)"
        R"(["https://a.example","https://*.a.example","https://www.a.example"]},"prefersBorder":true}})");
  api.origins = MediaOrigins{};
  CHECK(bj::serialize(answer_to(message, api).at("result").at("contents").at(0).at("_meta").at("ui").at("csp")) ==
        R"({"connectDomains":[],"resourceDomains":[]})");
  api.origins.reset();
  CHECK(answer_to(message, api).at("error") == bj::value{{"code", -32603}, {"message", "No catalog."}});
}

TEST_CASE("MCP-10: an error of the API names the next step") {
  EmptyApi api;
  const auto answer = answer_to(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_track","arguments":{"track_id":"a"}}})",
      api);
  CHECK(answer.at("result").at("isError") == true);
  CHECK(answer.at("result").at("content").at(0).at("text").as_string() ==
        "not_found: None.\nNext: " + std::string(next_step(ErrorCode::not_found)));
  for (const ErrorRow& row : kErrorTable) CHECK(next_step(row.code).ends_with('.'));
}

}  // namespace
}  // namespace tonearm::mcp
