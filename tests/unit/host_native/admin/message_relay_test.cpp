#include "admin/message_relay.h"

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tonearm::native {
namespace {

/// A server that answers all messages alike, and the requests that it received.
struct Relay {
  ClientResponse response{200, R"({"jsonrpc":"2.0","id":1,"result":{}})"};
  bool is_there = true;
  std::vector<ClientRequest> asked;

  std::string run(const std::string& lines) {
    std::istringstream in(lines);
    std::ostringstream out;
    relay_messages(in, out, [this](const ClientRequest& request) {
      if (!is_there) throw std::runtime_error("no answer from there");
      asked.push_back(request);
      return response;
    });
    return out.str();
  }
};

TEST_CASE("MCP-14: a request gets the server's response as a line, and a notification gets none") {
  Relay relay;
  relay.response.body = "{\"jsonrpc\":\"2.0\",\n\"id\":1,\"result\":{}}";
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  CHECK(relay.run(ping + "\n\n" + R"({"jsonrpc":"2.0","method":"notifications/initialized"})" + "\n") ==
        "{\"jsonrpc\":\"2.0\", \"id\":1,\"result\":{}}\n");
  REQUIRE(relay.asked.size() == 2);
  CHECK(relay.asked[0].body == ping);
  CHECK(relay.asked[0].target == "/mcp");
  CHECK(relay.asked[0].headers.empty());
}

TEST_CASE("MCP-14: a response that is not JSON-RPC becomes a JSON-RPC error with the message's id") {
  Relay relay;
  relay.response = {429, R"({"error":"rate_limited","message":"Over."})"};
  CHECK(
      relay.run(R"({"jsonrpc":"2.0","id":"a","method":"ping"})") ==
      R"({"jsonrpc":"2.0","id":"a","error":{"code":429,"message":"Over.","data":{"error":"rate_limited","message":"Over."}}})"
      "\n");
  relay.response = {502, "<html>"};
  CHECK(relay.run(R"({"jsonrpc":"2.0","id":7,"method":"ping"})") ==
        R"({"jsonrpc":"2.0","id":7,"error":{"code":502,"message":"The server answered with status 502."}})"
        "\n");
  relay.is_there = false;
  CHECK(relay.run(R"({"jsonrpc":"2.0","id":7,"method":"ping"})") ==
        R"({"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"no answer from there"}})"
        "\n");
  CHECK(relay.run(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").empty());
  CHECK(relay.run("no message\n[]\n") ==
        R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"A line must be one JSON-RPC message."}})"
        "\n"
        R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"A line must be one JSON-RPC message."}})"
        "\n");
}

TEST_CASE("MCP-14: a line longer than a message is an error, and the next line is read") {
  constexpr std::size_t kBytesMax = 262'144;
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  const std::string error =
      R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"A message must have at most 262144 bytes; this line was not sent."}})"
      "\n";
  const std::string longest = ping + std::string(kBytesMax - ping.size(), ' ');
  Relay relay;
  CHECK(relay.run(longest + " \n" + longest + '\n' + ping) ==
        error + relay.response.body + '\n' + relay.response.body + '\n');
  REQUIRE(relay.asked.size() == 2);
  CHECK(relay.asked[0].body == longest);
  CHECK(relay.run(std::string(3 * kBytesMax, 'x')) == error);
  CHECK(relay.run(std::string(3 * kBytesMax, ' ') + "\n\n") == error);
  CHECK(relay.run("").empty());
  CHECK(relay.run("\n").empty());
}

TEST_CASE("MCP-4, MCP-14: the stateless revision's headers come from the message") {
  Relay relay;
  relay.run(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"usage","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})"
      "\n"
      R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"tonearm://\u00e4","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
  CHECK(relay.asked.at(0).headers ==
        Headers{{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "usage"}});
  CHECK(relay.asked.at(1).headers == Headers{{"MCP-Protocol-Version", "2026-07-28"},
                                             {"Mcp-Method", "resources/read"},
                                             {"Mcp-Name", "=?base64?dG9uZWFybTovL8Ok?="}});
}

}  // namespace
}  // namespace tonearm::native
