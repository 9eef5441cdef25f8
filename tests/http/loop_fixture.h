#pragma once
// An HTTP server on a free port, with short timeouts and a handler that echoes requests.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>

#include "fakes.h"
#include "http/handler.h"
#include "http/http_server.h"
#include "monitoring/log.h"
#include "monitoring/metrics.h"
#include "system/worker_pool.h"

namespace tonearm::test {

class SilentLog final : public native::Log {
 public:
  void info(std::string_view /*line*/) override {}
  void warning(std::string_view /*line*/) override {}
  void error(std::string_view /*line*/) override { ++errors; }
  void request_error(std::string_view line, std::span<const native::LogField> fields) override {
    ++errors;
    const std::lock_guard lock(mutex_);
    last_.assign(line);
    for (const auto& [name, value] : fields) last_.append(" ").append(name).append("=").append(value);
  }
  /// Returns the last line about a request, with its fields.
  std::string last() {
    const std::lock_guard lock(mutex_);
    return last_;
  }

  std::atomic<int> errors{0};

 private:
  std::mutex mutex_;
  std::string last_;
};

/// Echoes method, target and body at `/echo`. The other paths are in loop_fixture.cpp.
class EchoHandler final : public native::Handler {
 public:
  std::variant<Response, Admitted> admit(const RequestHead& head) override;
  /// Answers paths that begin with `/once` inline.
  std::optional<std::variant<Response, Admitted>> try_admit(const RequestHead& head) override;
  Response answer(const Admitted& admitted, const Request& request) override;
  bool is_health_check(const RequestHead& head) const override { return head.target == "/health"; }
  bool is_file_read(const RequestHead& head) const override { return head.target == "/file"; }
  /// The number in the field X-Owner.
  native::JobOwner owner_of(const RequestHead& head) const override;
  void complete(const RequestHead& head, Response& response) const override;

  std::atomic<int> answered_inline{0};

  /// Releases the requests that wait at `/gate`.
  void open_gate();
  /// Waits until that many requests have reached `/gate`.
  void wait_for_gate_requests(int count);

 private:
  void wait_at_gate();

  std::mutex mutex_;
  std::condition_variable changed_;
  bool gate_open_ = false;
  int gate_requests_ = 0;
};

/// Returns different bytes on every call. Safe for concurrent calls.
class CountingRandom final : public Random {
 public:
  void fill(std::span<std::uint8_t> out) override {
    if (++calls_ == fails_from) throw std::runtime_error("no random bytes");
    for (auto& byte : out) byte = static_cast<std::uint8_t>(++count_);
  }

  std::atomic<int> fails_from{0};  // the number of the call that fails; 0: none

 private:
  std::atomic<int> calls_{0};
  std::atomic<unsigned> count_{0};
};

native::HttpLimits short_limits();

struct LoopOptions {
  native::HttpLimits limits = short_limits();
  std::size_t workers = 2;
  native::FairQueue::Limits queue{.waiting_max = 100};
  native::TlsFiles tls;
  native::AddressBlocks trusted_proxies;
};

class Loop {
 public:
  explicit Loop(const LoopOptions& options = {});
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  std::uint16_t port() const { return server_.port(); }
  std::size_t queued() const { return pool_.queued(); }

  FakeClock clock;
  CountingRandom random;
  SilentLog log;
  native::Metrics metrics;
  EchoHandler handler;

 private:
  native::WorkerPool pool_;
  native::IoThreads threads_{2};
  native::HttpServer server_;

 public:
  native::HttpServer& server() { return server_; }
};

}  // namespace tonearm::test
