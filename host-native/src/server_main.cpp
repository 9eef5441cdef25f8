// tonearm-server: wires the core to the system, and lives until a signal ends it.

#include <pthread.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "admin_handler.h"
#include "catalog_holder.h"
#include "http_server.h"
#include "postgresql_store.h"
#include "server_options.h"
#include "small_file.h"
#include "state_copy.h"
#include "state_file.h"
#include "system_ports.h"
#include "ticker.h"

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFlushInterval{500};  // C7.6: at most one second is lost
constexpr milliseconds kLookInterval{500};
constexpr milliseconds kStopTime{10'000};
constexpr std::size_t kQueueMax = 2'000;
constexpr int kTicksPerRetention = 120;  // a minute between two looks for what is too old
// While something is too old: steps between two flushes, and how long others may write between two steps.
constexpr int kRetentionStepsMax = 10;
constexpr milliseconds kRetentionPause{10};

/// SIGTERM and SIGINT, blocked in all threads of the process and waited for in one.
class StopSignals {
 public:
  StopSignals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGTERM);
    sigaddset(&set_, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
  }
  int wait() {
    int received = 0;
    sigwait(&set_, &received);
    return received;
  }

 private:
  sigset_t set_{};
};

/// The threads of an io_context.
class IoThreads {
 public:
  IoThreads(boost::asio::io_context& io, std::size_t count) : io_(io), guard_(io.get_executor()) {
    for (std::size_t i = 0; i < count; ++i) {
      threads_.emplace_back([this] { io_.run(); });
    }
  }
  ~IoThreads() { stop(); }
  IoThreads(const IoThreads&) = delete;
  IoThreads& operator=(const IoThreads&) = delete;

  void stop() {
    io_.stop();
    for (auto& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

 private:
  boost::asio::io_context& io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
  std::vector<std::thread> threads_;
};

/// Writes what the core holds in memory, and lets it forget what is too old (C8).
class Housekeeping {
 public:
  struct Parts {
    Service& service;
    StateCheckpoint* checkpoint;  // null: a shared state does so itself
    Metrics& metrics;
    Log& log;
  };

  explicit Housekeeping(const Parts& parts)
      : service_(parts.service), checkpoint_(parts.checkpoint), metrics_(parts.metrics), log_(parts.log) {}

  bool flush() {
    try {
      const auto report = service_.flush();
      metrics_.count_flush(report.counters_written, report.records_written);
      if (failing_) log_.info("counts and call records are written again");
      failing_ = false;
      return true;
    } catch (const std::exception& fault) {
      metrics_.count_flush_failure();
      if (!failing_) log_.error(std::string("counts and call records wait in memory: ") + fault.what());
      failing_ = true;
      return false;
    }
  }

  /// What may take a while; on a thread of its own, so that no flush waits for it (C7.6).
  void tidy() {
    if (--ticks_to_retention_ <= 0) retain();
    checkpoint();
  }

 private:
  void checkpoint() {
    if (checkpoint_ == nullptr) return;
    try {
      checkpoint_->run();
      log_stays_ = false;
    } catch (const std::exception& fault) {
      if (!log_stays_) log_.error(fault.what());
      log_stays_ = true;
    }
  }

  void retain() {
    try {
      bool more = service_.retain_step();
      for (int step = 1; more && step < kRetentionStepsMax; ++step) {
        std::this_thread::sleep_for(kRetentionPause);
        more = service_.retain_step();
      }
      ticks_to_retention_ = more ? 1 : kTicksPerRetention;
    } catch (const std::exception& fault) {
      ticks_to_retention_ = kTicksPerRetention;
      log_.error(std::string("old call records stay for now: ") + fault.what());
    }
  }

  Service& service_;
  StateCheckpoint* checkpoint_;
  Metrics& metrics_;
  Log& log_;
  bool failing_ = false;
  bool log_stays_ = false;
  int ticks_to_retention_ = 1;
};

/// C7.2: an embedded state belongs to one server process.
std::unique_ptr<StateLock> lock_state(const ServerOptions& options) {
  if (is_postgresql_url(options.state)) return nullptr;
  auto lock = std::make_unique<StateLock>(options.state);
  remove_old_copies(options.state);
  return lock;
}

std::unique_ptr<StateCheckpoint> open_checkpoint(const ServerOptions& options) {
  return is_postgresql_url(options.state) ? nullptr : std::make_unique<StateCheckpoint>(options.state);
}

std::function<std::shared_ptr<BodySource>()> backup_of(const ServerOptions& options) {
  if (is_postgresql_url(options.state)) return nullptr;
  return [path = options.state] { return copy_state(path); };
}

std::unique_ptr<sql::Store> open_state(const ServerOptions& options) {
  if (!is_postgresql_url(options.state)) return open_state_file(options.state);
  PostgresqlOptions postgresql;
  postgresql.url = options.state;
  postgresql.connections_max = options.threads + 1;  // and one for what is written in the background
  return open_postgresql(postgresql);
}

/// Everything, in the order in which it is made and, backwards, ended.
class Server {
 public:
  Server(const ServerOptions& options, Log& log)
      : log_(log),
        token_hash_(hashing_.sha256(read_secret(options.admin_token_file))),
        catalog_(options.catalog, {options.allow_evaluation}, hashing_, log),
        lock_(lock_state(options)),
        store_(open_state(options)),
        checkpoint_(open_checkpoint(options)),
        service_(Service::make(
            {clock_, random_, hashing_, *store_, [this] { return catalog_.current(); }, backup_of(options)},
            service_options(options))),
        housekeeping_({*service_, checkpoint_.get(), metrics_, log}),
        pool_(options.threads, kQueueMax),
        api_handler_(*service_),
        admin_handler_({*service_, metrics_, [this] { return gauges(); }}),
        api_({io_, api_handler_, pool_, clock_, random_, log, metrics_},
             {options.listen, options.tls, {}, Compression::allowed}),
        admin_({io_, admin_handler_, pool_, clock_, random_, log, metrics_},
               {options.admin_listen, options.tls, {}, Compression::off}) {
    catalog_.look();
    io_threads_.emplace(io_, std::max<std::size_t>(1, options.threads));
    watch_.emplace(kLookInterval, [this] { catalog_.look(); });
    flush_.emplace(kFlushInterval, [this] { housekeeping_.flush(); });
    tidy_.emplace(kFlushInterval, [this] { housekeeping_.tidy(); });
  }
  ~Server() {
    io_threads_.reset();
    pool_.stop();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string urls() const { return "listening on " + api_.url() + " admin " + admin_.url(); }

  /// Lets the requests under way end, and writes what is held in memory. False: something is lost.
  bool stop() {
    const auto until = std::chrono::steady_clock::now() + kStopTime;
    api_.stop();
    admin_.stop();
    const bool ended = wait(api_, until) && wait(admin_, until);
    if (!ended) log_.warning("some requests did not end in time");
    tidy_.reset();
    flush_.reset();
    watch_.reset();
    io_threads_.reset();
    pool_.stop();
    return housekeeping_.flush();
  }

 private:
  ServiceOptions service_options(const ServerOptions& options) const {
    ServiceOptions result;
    if (!options.key_secret_file.empty()) result.key_secret = read_secret(options.key_secret_file);
    result.admin_token_hash = token_hash_;
    result.report_fault = [this](std::string_view fault) { report_fault(fault); };
    result.answer_cache_bytes = options.answer_cache_mib * 1024 * 1024;
    return result;
  }

  /// One line for many: where the state cannot be read, every call meets the same fault.
  void report_fault(std::string_view fault) const {
    constexpr std::int64_t kSilenceMs = 10'000;
    const std::int64_t now_ms = SystemClock().now_ms();
    std::int64_t last_ms = last_fault_ms_;
    if (now_ms - last_ms < kSilenceMs || !last_fault_ms_.compare_exchange_strong(last_ms, now_ms)) return;
    log_.error("calls are answered 503: " + std::string(fault));
  }

  Metrics::Gauges gauges() const {
    Metrics::Gauges gauges;
    gauges.queued = pool_.queued();
    if (const auto catalog = catalog_.current()) {
      gauges.catalog_version = catalog->version();
      gauges.catalog_tracks = catalog->track_count();
    }
    return gauges;
  }

  static bool wait(HttpServer& server, std::chrono::steady_clock::time_point until) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - std::chrono::steady_clock::now());
    return server.wait_for_end(std::max(left, milliseconds(0)));
  }

  Log& log_;
  mutable std::atomic<std::int64_t> last_fault_ms_ = 0;
  SystemClock clock_;
  SystemRandom random_;
  OpensslHashing hashing_;
  Metrics metrics_;
  Sha256 token_hash_;
  CatalogHolder catalog_;
  std::unique_ptr<StateLock> lock_;  // of an embedded state
  std::unique_ptr<sql::Store> store_;
  std::unique_ptr<StateCheckpoint> checkpoint_;  // of an embedded state
  std::unique_ptr<Service> service_;
  Housekeeping housekeeping_;
  WorkerPool pool_;
  ServiceHandler api_handler_;
  AdminHandler admin_handler_;
  boost::asio::io_context io_;
  HttpServer api_;
  HttpServer admin_;
  std::optional<IoThreads> io_threads_;
  std::optional<Ticker> watch_;
  std::optional<Ticker> flush_;
  std::optional<Ticker> tidy_;
};

int run(std::span<const char* const> words) {
  auto log = make_stderr_log();
  try {
    auto parsed = parse_server_options(words, process_environment);
    if (const auto* end = std::get_if<EarlyEnd>(&parsed)) {
      std::cout << end->out;
      std::cerr << end->errors;
      return end->status;
    }
    StopSignals signals;  // before any thread starts
    Server server(std::get<ServerOptions>(parsed), *log);
    std::cout << server.urls() << std::endl;
    log->info(server.urls());
    const int received = signals.wait();
    log->info(received == SIGINT ? "SIGINT: stopping" : "SIGTERM: stopping");
    return server.stop() ? 0 : 1;
  } catch (const std::exception& fault) {
    std::cerr << "tonearm-server: " << fault.what() << '\n';
    return 1;
  }
}

}  // namespace
}  // namespace tonearm::native

int main(int argc, char** argv) {
  const std::vector<const char*> words(argv + 1, argv + argc);
  return tonearm::native::run(words);
}
