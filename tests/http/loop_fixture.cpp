#include "loop_fixture.h"

#include <chrono>
#include <stdexcept>

#include "tonearm/result.h"

namespace tonearm::test {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSlow{100};
constexpr std::size_t kHugeBytes = 8 * 1024 * 1024;

Response text_response(std::string body) { return {200, {{"Content-Type", "text/plain"}}, std::move(body)}; }

Response json_response(std::size_t size) {
  return {200, {{"Content-Type", "application/json"}, {"ETag", "\"abc\""}}, '"' + std::string(size - 2, 'a') + '"'};
}

std::string path_of(const RequestHead& head) { return head.target.substr(0, head.target.find('?')); }

}  // namespace

std::variant<Response, Admitted> EchoHandler::admit(const RequestHead& head) {
  const auto path = path_of(head);
  if (path == "/refuse") return error_response({ErrorCode::invalid_api_key, "The key is invalid."});
  if (path == "/throw-admit") throw std::runtime_error("secret");
  return Admitted{};
}

std::optional<std::variant<Response, Admitted>> EchoHandler::try_admit(const RequestHead& head) {
  if (!path_of(head).starts_with("/once")) return std::nullopt;
  ++answered_inline;
  return Admitted{};
}

Response EchoHandler::answer(const Admitted& /*admitted*/, const Request& request) {
  const auto path = path_of(request.head);
  if (request.body.size() > kBodyBytesMax) return error_response({ErrorCode::too_large, "The body is too large."});
  if (path == "/size") return text_response(std::to_string(request.body.size()));
  if (path == "/big") return json_response(4000);
  if (path == "/small") return {200, {{"Content-Type", "application/json"}}, "{}"};
  if (path == "/binary") return {200, {{"Content-Type", "application/octet-stream"}}, std::string(4000, 'a')};
  if (path == "/huge") return {200, {{"Content-Type", "application/octet-stream"}}, std::string(kHugeBytes, 'a')};
  if (path == "/large") return {200, {{"Content-Type", "application/octet-stream"}}, std::string(100'000, 'a')};
  if (path == "/empty") return {204, {}, ""};
  if (path == "/throw") throw std::runtime_error("secret");
  if (path == "/split") return {200, {{"X-Name", "a\r\nX-Evil: b"}}, "x"};
  if (path == "/etag") {
    const auto* tags = find_header(request.head.headers, "If-None-Match");
    if (tags != nullptr && tags->find("\"abc\"") != std::string::npos) return {304, {{"ETag", "\"abc\""}}, ""};
    return json_response(4000);
  }
  if (path == "/once/big") return json_response(4000);
  if (path == "/once/throw") throw std::runtime_error("secret");
  if (path == "/once/busy") {
    const auto end = std::chrono::steady_clock::now() + kSlow;
    while (std::chrono::steady_clock::now() < end) continue;
    return text_response("busy");
  }
  if (path == "/slow") {
    std::this_thread::sleep_for(kSlow);
    return text_response("slow");
  }
  if (path == "/gate") {
    wait_at_gate();
    return text_response("through");
  }
  return text_response(request.head.method + ' ' + request.head.target + ' ' + request.body);
}

native::JobOwner EchoHandler::owner_of(const RequestHead& head) const {
  const auto* owner = find_header(head.headers, "X-Owner");
  return owner == nullptr ? native::JobOwner::everyone : native::JobOwner{std::stoull(*owner)};
}

void EchoHandler::complete(const RequestHead& head, Response& response) const {
  response.headers.push_back({"X-Completed", head.target});
}

void EchoHandler::wait_at_gate() {
  std::unique_lock lock(mutex_);
  ++gate_requests_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return gate_open_; });
}

void EchoHandler::open_gate() {
  const std::lock_guard lock(mutex_);
  gate_open_ = true;
  changed_.notify_all();
}

void EchoHandler::wait_for_gate_requests(int count) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return gate_requests_ >= count; });
}

native::HttpLimits short_limits() {
  native::HttpLimits limits;
  limits.progress_timeout = milliseconds(500);
  limits.phase_timeout = milliseconds(600);
  limits.idle_timeout = milliseconds(700);
  limits.close_timeout = milliseconds(300);
  limits.sweep_interval = milliseconds(20);
  return limits;
}

namespace {

native::HttpServer::Options server_options(const LoopOptions& options) {
  native::HttpServer::Options wanted;
  wanted.endpoint.address = "127.0.0.1";
  wanted.tls = options.tls;
  wanted.limits = options.limits;
  wanted.trusted_proxies = options.trusted_proxies;
  return wanted;
}

}  // namespace

Loop::Loop(const LoopOptions& options)
    : pool_(options.workers, options.queue),
      server_({threads_, handler, pool_, clock, random, log, metrics}, server_options(options)) {
  threads_.start(log);
}

Loop::~Loop() {
  handler.open_gate();
  threads_.stop();
  pool_.stop();
}

}  // namespace tonearm::test
