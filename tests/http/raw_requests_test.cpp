// Sends the requests in raw_requests.jsonl over real sockets. A row: `name`; `send`, a list of texts and of
// {"repeat", "times"}, {"pause_ms"}, {"drip", "every_ms"}, {"await"}, {"end": true}; `answers` in order, each with
// `status`, and optionally `error`, `body`, `lacks`, `headers` and `head` (there is no body); `kept`: whether the
// connection stays open.

#include <doctest/doctest.h>
#include <boost/json.hpp>
#include <fstream>

#include "loop_fixture.h"
#include "raw_client.h"

namespace tonearm::test {
namespace {

namespace json = boost::json;

std::vector<json::object> rows_of_table() {
  std::ifstream file(TONEARM_SOURCE_DIR "/tests/http/raw_requests.jsonl");
  REQUIRE(file);
  std::vector<json::object> rows;
  for (std::string line; std::getline(file, line);) rows.push_back(json::parse(line).as_object());
  return rows;
}

std::string text(const json::value& value) { return std::string(std::string_view(value.as_string())); }

std::chrono::milliseconds time(const json::value& value) { return std::chrono::milliseconds(value.as_int64()); }

void send_part(RawClient& client, const json::value& part) {
  if (part.is_string()) {
    client.send(std::string_view(part.get_string()));
    return;
  }
  const auto& step = part.as_object();
  if (const auto* repeated = step.if_contains("repeat")) {
    std::string all;
    for (std::int64_t i = 0; i < step.at("times").as_int64(); ++i) all += text(*repeated);
    client.send(all);
  } else if (const auto* pause = step.if_contains("pause_ms")) {
    std::this_thread::sleep_for(time(*pause));
  } else if (const auto* drip = step.if_contains("drip")) {
    for (const char c : text(*drip)) {
      if (!client.send(std::string_view(&c, 1))) break;
      std::this_thread::sleep_for(time(step.at("every_ms")));
    }
  } else if (const auto* awaited = step.if_contains("await")) {
    CHECK(client.read_text(text(*awaited)));
  } else {
    client.end();
  }
}

void check_error(const Response& response, const json::value& code) {
  const auto* type = find_header(response.headers, "Content-Type");
  CHECK((type != nullptr && *type == "application/json"));
  const auto body = json::parse(response.body).as_object();
  CHECK(body.at("error") == code);
  CHECK(!body.at("message").as_string().empty());
}

void check_header(const Response& response, const json::key_value_pair& wanted) {
  const std::string name(wanted.key().data(), wanted.key().size());
  CAPTURE(name);
  const auto* value = find_header(response.headers, name);
  if (wanted.value().is_null()) {
    CHECK(value == nullptr);
    return;
  }
  CHECK(value != nullptr);
  if (value == nullptr) return;
  if (wanted.value().is_string()) {
    CHECK(*value == text(wanted.value()));
    return;
  }
  const auto& rule = wanted.value().as_object();
  CHECK(*value != text(rule.at("not")));
  CHECK(static_cast<std::int64_t>(value->size()) == rule.at("length").as_int64());
}

void check_answer(RawClient& client, const json::object& wanted) {
  const bool bodiless = wanted.if_contains("head") != nullptr;
  const auto response = client.read_answer(bodiless ? BodyIs::absent : BodyIs::present);
  CHECK(response.has_value());
  if (!response) return;
  CHECK(response->status == wanted.at("status").as_int64());
  CHECK(find_header(response->headers, "Date") != nullptr);
  if (const auto* code = wanted.if_contains("error")) check_error(*response, *code);
  if (const auto* body = wanted.if_contains("body")) CHECK(response->body == text(*body));
  if (const auto* secret = wanted.if_contains("lacks")) CHECK(response->body.find(text(*secret)) == std::string::npos);
  if (const auto* headers = wanted.if_contains("headers")) {
    for (const auto& header : headers->as_object()) check_header(*response, header);
  }
}

void play(std::uint16_t port, const json::object& row) {
  RawClient client(port);
  for (const auto& part : row.at("send").as_array()) send_part(client, part);
  for (const auto& answer : row.at("answers").as_array()) check_answer(client, answer.as_object());
  if (!row.at("kept").as_bool()) {
    CHECK(client.read_end());
    return;
  }
  client.send("GET /echo?again HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto again = client.read_answer();
  CHECK((again && again->body == "GET /echo?again "));
}

// CHECK-1, HOST-4
TEST_CASE("Every raw request of the table has the expected result") {
  Loop loop;
  const auto rows = rows_of_table();
  CHECK(rows.size() >= 150);
  for (const auto& row : rows) {
    const auto name = text(row.at("name"));
    CAPTURE(name);
    play(loop.port(), row);
  }
}

}  // namespace
}  // namespace tonearm::test
