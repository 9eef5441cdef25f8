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

void EchoHandler::wait_at_gate() {
  std::unique_lock lock(mutex_);
  ++guests_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return gate_open_; });
}

void EchoHandler::open_gate() {
  const std::lock_guard lock(mutex_);
  gate_open_ = true;
  changed_.notify_all();
}

void EchoHandler::wait_for_guests(int count) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return guests_ >= count; });
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

Loop::Loop(const LoopOptions& options)
    : pool_(options.workers, options.queue_max),
      guard_(io_.get_executor()),
      server_({io_, handler, pool_, clock, random, log, metrics},
              {{"127.0.0.1", 0}, options.tls, options.limits, native::Compression::allowed, options.trusted_proxies}) {
  constexpr int kIoThreads = 2;
  for (int i = 0; i < kIoThreads; ++i) {
    threads_.emplace_back([this] { io_.run(); });
  }
}

Loop::~Loop() {
  handler.open_gate();
  io_.stop();
  for (auto& thread : threads_) thread.join();
  pool_.stop();
}

}  // namespace tonearm::test
