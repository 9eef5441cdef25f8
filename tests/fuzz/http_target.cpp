// Bytes of a connection, from the strict head to the API's answer. What is parsed must not depend on how the bytes
// arrive.

#include <algorithm>
#include <boost/json.hpp>
#include <fstream>

#include "api_target.h"
#include "http/body_parser.h"
#include "http/parsed_head.h"
#include "http/strict_head.h"
#include "target.h"

namespace tonearm::fuzz {
namespace {

using native::BodyState;
using native::StrictHead;

/// A connection's bytes, some at a time.
class Arrival {
 public:
  Arrival(std::string_view bytes, std::size_t step) : bytes_(bytes), step_(step) {}

  /// Returns false if nothing more arrives.
  bool more() {
    if (bytes_.empty()) return false;
    const auto some = bytes_.substr(0, step_);
    unread += some;
    bytes_.remove_prefix(some.size());
    return true;
  }

  std::string unread;

 private:
  std::string_view bytes_;
  std::size_t step_;
};

/// The complete requests of a connection, and whether the last one is malformed.
struct Parsed {
  std::vector<Request> requests;
  bool is_malformed = false;
};

enum class Next : std::uint8_t { request, end, malformed };

Next parse_one(Arrival& arrival, std::vector<Request>& requests) {
  StrictHead head;
  auto state = head.scan(arrival.unread);
  while (state == StrictHead::State::more) {
    if (!arrival.more()) return Next::end;
    state = head.scan(arrival.unread);
  }
  if (state == StrictHead::State::refused) return Next::malformed;
  auto request = native::parse_head(std::string_view(arrival.unread).substr(head.begin(), head.end() - head.begin()));
  arrival.unread.erase(0, head.end());
  std::optional<native::BodyParser> parser;
  if (head.framing().body.has_body()) parser.emplace(head.framing().body);
  while (parser) {
    std::size_t consumed = 0;
    const auto body = parser->put_body(arrival.unread, consumed);
    arrival.unread.erase(0, consumed);
    if (body == BodyState::complete) break;
    if (body != BodyState::more) return Next::malformed;
    if (!arrival.more()) return Next::end;
  }
  requests.push_back({std::move(request), parser ? std::move(parser->body) : std::string()});
  return head.framing().is_persistent ? Next::request : Next::end;
}

Parsed parse(std::string_view bytes, std::size_t step) {
  Arrival arrival(bytes, step);
  Parsed parsed;
  auto next = Next::request;
  while (next == Next::request) next = parse_one(arrival, parsed.requests);
  parsed.is_malformed = next == Next::malformed;
  return parsed;
}

bool is_equal(const Request& a, const Request& b) {
  return a.head.method == b.head.method && a.head.target == b.head.target && a.head.headers == b.head.headers &&
         a.body == b.body;
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 127; });
}

void check_request(const Request& request) {
  const auto& head = request.head;
  require(!head.method.empty() && !head.target.empty(), "a request has no method or no target");
  require(!has_control(head.method) && !has_control(head.target), "a control character in a request line");
  const auto count = [&head](std::string_view name) {
    return std::count_if(head.headers.begin(), head.headers.end(),
                         [&](const Header& it) { return is_named(it, name); });
  };
  require(count("Transfer-Encoding") + count("Content-Length") <= 1, "a request has two lengths");
  require(count("Host") <= 1, "a request has two hosts");
  for (const auto& [name, value] : head.headers)
    require(!has_control(name) && !has_control(value), "a control character in a field");
}

/// The texts of the table of raw requests that are sent at once.
std::vector<std::string> raw_requests() {
  std::ifstream file(TONEARM_SOURCE_DIR "/tests/http/raw_requests.jsonl");
  std::vector<std::string> found;
  for (std::string line; std::getline(file, line);) {
    std::string sent;
    const auto row = boost::json::parse(line);
    for (const auto& part : row.at("send").as_array()) {
      if (part.is_string()) sent += boost::json::value_to<std::string>(part);
    }
    if (!sent.empty() && sent.size() < 2'000) found.push_back(std::move(sent));
  }
  return found;
}

void run_http(std::string_view input) {
  const auto parsed = parse(input, std::string_view::npos);
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}}) {
    if (input.size() > 4'096 && step == 1) continue;
    const auto again = parse(input, step);
    require(again.is_malformed == parsed.is_malformed, "whether a request is malformed depends on how it arrives");
    require(std::equal(again.requests.begin(), again.requests.end(), parsed.requests.begin(), parsed.requests.end(),
                       is_equal),
            "requests depend on how they arrive");
  }
  for (const auto& request : parsed.requests) {
    check_request(request);
    checked_answer(request);
  }
}

}  // namespace

const Target kHttp{"http", raw_requests, run_http};

}  // namespace tonearm::fuzz
