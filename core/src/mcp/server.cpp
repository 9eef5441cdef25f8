#include "mcp/server.h"

#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "mcp/prompts.h"
#include "mcp/resources.h"
#include "mcp/tool_call.h"
#include "mcp/tool_words.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::mcp {
namespace {

namespace js = boost::json;
using json::Writer;
using std::string_view;

constexpr int kOk = 200;
constexpr int kNotFound = 404;

/// For how long a client may keep what it read, in milliseconds.
constexpr std::int64_t kHourMs = 3'600'000;
enum class Scope : std::uint8_t { all_accounts, one_account };

/// What the stateless revision says of an answer that can be kept.
void write_caching(Writer& out, const Message& message, std::int64_t ttl_ms, Scope scope) {
  if (message.era != Era::stateless) return;
  out.integer("ttlMs", ttl_ms);
  out.string("cacheScope", scope == Scope::all_accounts ? "public" : "private");
}

template <class Write>
Response listed(const Message& message, const Write& write) {
  return result_answer(message, [&](Writer& out) {
    write(out);
    write_caching(out, message, kHourMs, Scope::all_accounts);
  });
}

void write_capabilities(Writer& out) {
  write_object(out, "capabilities", [&] {
    for (const string_view name : {"tools", "resources", "prompts"}) write_object(out, name, [] {});
  });
}

/// The revision that the client asked for where it is one with a handshake, else the latest of these.
Response initialized(const Message& message) {
  return result_answer(message, [&](Writer& out) {
    const string_view asked = string_in(message.params, "protocolVersion");
    out.string("protocolVersion", asked == kEarlierRevision ? kEarlierRevision : kHandshakeRevision);
    write_capabilities(out);
    write_server_info(out, "serverInfo");
    out.string("instructions", kInstructions);
  });
}

Response discovered(const Message& message) {
  return listed(message, [](Writer& out) {
    write_array(out, "supportedVersions", [&] {
      for (const string_view revision : {kStatelessRevision, kHandshakeRevision, kEarlierRevision}) {
        out.string(revision);
      }
    });
    write_capabilities(out);
    write_server_info(out, "serverInfo");
    out.string("instructions", kInstructions);
  });
}

/// An error of a well-formed message: HTTP itself has succeeded.
Response refused(const Message& message, const RpcError& error) { return error_answer(kOk, message.id, error); }

Response unread(const Message& message, string_view uri, string_view why) {
  Writer data;
  data.begin_object();
  data.string("uri", text::quotable(uri));
  data.end_object();
  const RpcCode code = message.era == Era::stateless ? RpcCode::invalid_params : RpcCode::no_resource;
  return refused(message, {code, std::string(why), data.take()});
}

Response read_resource(const Message& message, Api& api) {
  const string_view uri = string_in(message.params, "uri");
  if (uri == kLicensesUri) {
    return listed(message, [&](Writer& out) { write_contents(out, uri, "application/json", license_table()); });
  }
  const auto target = credits_target(uri);
  if (!target)
    return unread(message, uri, "There is no such resource: see resources/list and resources/templates/list.");
  const Response answer = api.call({{"GET", *target, {}}, {}});
  if (answer.status == kNotFound) return unread(message, uri, "There is no such collection.");
  if (answer.status != kOk) {
    const js::value error = js::parse(answer.body);
    return refused(message, {RpcCode::internal_error, std::string(string_in(error.as_object(), "message"))});
  }
  return result_answer(message, [&](Writer& out) {
    write_contents(out, uri, "text/plain", answer.body);
    write_caching(out, message, 0, Scope::one_account);
  });
}

Response get_prompt(const Message& message) {
  const js::object none;
  const auto* given = message.params.if_contains("arguments");
  if (given != nullptr && !given->is_object()) {
    return refused(message, {RpcCode::invalid_params, "arguments must be an object."});
  }
  std::optional<std::string> why;
  Response response = result_answer(message, [&](Writer& out) {
    why = write_prompt(out, string_in(message.params, "name"), given == nullptr ? none : given->get_object());
  });
  return why ? refused(message, {RpcCode::invalid_params, *why}) : std::move(response);
}

Response unknown_method(const Message& message) {
  const int status = message.era == Era::stateless ? kNotFound : kOk;
  return error_answer(status, message.id,
                      {RpcCode::method_not_found, "Method not found: " + text::quotable(message.method)});
}

/// The headers of an answer of the API that stand on the answer to its message too (LIMIT-7, SERVICE-8).
void carry_headers(const Headers& from, Response& to) {
  constexpr std::array<string_view, 3> kCarried{"RateLimit-Policy", "RateLimit", "Tonearm-Catalog"};
  for (const Header& header : from) {
    const bool is_carried =
        std::any_of(kCarried.begin(), kCarried.end(), [&](string_view name) { return is_named(header, name); });
    if (is_carried) to.headers.push_back(header);
  }
}

}  // namespace

bool is_origin_allowed(const RequestHead& head) {
  constexpr std::array<string_view, 3> kLoopback{"localhost", "127.0.0.1", "[::1]"};
  for (const Header& header : head.headers) {
    if (!is_named(header, "Origin")) continue;
    string_view origin = header.value;
    const std::size_t scheme = origin.find("://");
    if (scheme == string_view::npos) return false;
    const string_view name = origin.substr(0, scheme);
    if (name != "http" && name != "https") return false;
    origin.remove_prefix(scheme + 3);
    const bool is_loopback = std::any_of(kLoopback.begin(), kLoopback.end(), [origin](string_view host) {
      if (!origin.starts_with(host)) return false;
      const string_view port = origin.substr(host.size());
      return port.empty() || (port.front() == ':' && ascii::is_digits(port.substr(1)));
    });
    if (!is_loopback) return false;
  }
  return true;
}

Response Server::answer(const RequestHead& head, const Result<js::value>& body, Api& api) const {
  auto read = read_message(head, body);
  if (auto* refusal = std::get_if<Response>(&read)) return std::move(*refusal);
  const Message& message = std::get<Message>(read);
  if (message.id.empty()) return {202, {{"Cache-Control", "no-store"}}, {}};  // a notification
  return answer_message(message, api);
}

Response Server::answer_message(const Message& message, Api& api) const {
  const string_view method = message.method;
  if (method == "tools/call") return call_tool(message, api);
  if (method == "tools/list") {
    return listed(message, [this](Writer& out) {
      out.key("tools");
      out.raw(tools_.list());
    });
  }
  if (method == "resources/list") return listed(message, write_resources);
  if (method == "resources/templates/list") return listed(message, write_resource_templates);
  if (method == "resources/read") return read_resource(message, api);
  if (method == "prompts/list") return listed(message, write_prompts);
  if (method == "prompts/get") return get_prompt(message);
  const bool shakes_hands = message.era == Era::handshake;
  if (method == "server/discover" && !shakes_hands) return discovered(message);
  if (method == "initialize" && shakes_hands) return initialized(message);
  if (method == "ping" && shakes_hands) return result_answer(message, [](Writer&) {});
  return unknown_method(message);
}

Response Server::call_tool(const Message& message, Api& api) const {
  const string_view name = string_in(message.params, "name");
  const Operation* tool = tools_.find(name);
  if (tool == nullptr) {
    return refused(message, {RpcCode::invalid_params, "Unknown tool: " + text::quotable(name)});
  }
  const js::object none;
  const auto* given = message.params.if_contains("arguments");
  if (given != nullptr && !given->is_object()) {
    return refused(message, {RpcCode::invalid_params, "arguments must be an object."});
  }
  if (auto refusal = api.count(*tool)) return *std::move(refusal);
  const auto request = make_request(*tool, given == nullptr ? none : given->get_object());
  const Response answer = request ? api.call(request->request) : api.refuse(request.error());
  const Detail detail = request ? request->detail : Detail::compact;
  Response response = result_answer(message, [&](Writer& out) { write_result(out, *tool, answer, detail); });
  carry_headers(answer.headers, response);
  return response;
}

}  // namespace tonearm::mcp
