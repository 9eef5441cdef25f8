// tonearm-server: wires the core to the system, and lives until a signal ends it.

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "files/small_file.h"
#include "http/http_server.h"
#include "http/io_threads.h"
#include "monitoring/audit_log.h"
#include "postgresql/postgresql_store.h"
#include "server/admin_handler.h"
#include "server/connection_limits.h"
#include "server/server_options.h"
#include "snapshot/catalog_holder.h"
#include "snapshot/catalog_watch.h"
#include "sqlite_state/guarded_store.h"
#include "sqlite_state/state_copy.h"
#include "sqlite_state/state_file.h"
#include "supervision/supervisor.h"
#include "system/descriptor_limit.h"
#include "system/signals.h"
#include "system/signing_keys.h"
#include "system/system_ports.h"
#include "system/ticker.h"
#include "tonearm/terminal.h"

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFlushInterval{250};  // LIMIT-9: at most one second is lost
constexpr milliseconds kPollInterval{500};
constexpr milliseconds kTidyInterval{500};
constexpr milliseconds kStopTime{10'000};
constexpr std::size_t kQueueMax = 2'000;
constexpr int kTicksPerRetention = 120;  // a minute between two searches for what is too old
// While something is too old: steps between two flushes, and how long others may write between two steps.
constexpr int kRetentionStepsMax = 10;
constexpr milliseconds kRetentionPause{10};

/// Writes what the core holds in memory, and lets it forget what is too old (RECORD-4).
class Housekeeping {
 public:
  struct Dependencies {
    Service& service;
    StateCheckpoint* checkpoint;  // null: a shared state does so itself
    StateRoom* room;              // null: a shared state's is another's
    Metrics& metrics;
    Log& log;
  };

  explicit Housekeeping(const Dependencies& with)
      : service_(with.service),
        checkpoint_(with.checkpoint),
        room_(with.room),
        metrics_(with.metrics),
        log_(with.log) {}

  bool flush() {
    try {
      const auto report = service_.flush();
      metrics_.count_flush(report.counters_written, report.records_written);
      if (failing_) log_.info("counts and call records are written again");
      failing_ = false;
      return true;
    } catch (const std::exception& failure) {
      metrics_.count_flush_failure();
      if (!failing_) log_.error(std::string("counts and call records wait in memory: ") + failure.what());
      failing_ = true;
      return false;
    }
  }

  /// What may take a while; on a thread of its own, so that no flush waits for it (LIMIT-9).
  void tidy() {
    if (--ticks_to_retention_ <= 0) retain();
    checkpoint();
    look_at_room();
  }

 private:
  void checkpoint() {
    if (checkpoint_ == nullptr) return;
    try {
      checkpoint_->run();
      log_stays_ = false;
    } catch (const std::exception& failure) {
      if (!log_stays_) log_.error(failure.what());
      log_stays_ = true;
    }
  }

  /// RECORD-9
  void look_at_room() {
    if (room_ == nullptr) return;
    room_->keep();
    const bool is_short = room_->is_short();
    if (is_short != was_short_) {
      const auto left = std::to_string(room_->free_bytes() >> 20U) + " MiB are left on the disk of the state: ";
      if (is_short) log_.error(left + "calls are counted by day and leave no records until there is more room");
      if (!is_short) log_.info(left + "calls leave records again");
    }
    was_short_ = is_short;
  }

  void retain() {
    try {
      bool more = service_.retain_step();
      for (int step = 1; more && step < kRetentionStepsMax; ++step) {
        std::this_thread::sleep_for(kRetentionPause);
        more = service_.retain_step();
      }
      ticks_to_retention_ = more ? 1 : kTicksPerRetention;
    } catch (const std::exception& failure) {
      ticks_to_retention_ = kTicksPerRetention;
      log_.error(std::string("old call records stay for now: ") + failure.what());
    }
  }

  Service& service_;
  StateCheckpoint* checkpoint_;
  StateRoom* room_;
  Metrics& metrics_;
  Log& log_;
  bool was_short_ = false;
  bool failing_ = false;
  bool log_stays_ = false;
  int ticks_to_retention_ = 1;
};

/// What an embedded state has beside its store. LIMIT-10: it belongs to one server process.
struct StateHold {
  explicit StateHold(const ServerOptions& options)
      : lock(options.state), room(lock.path(), std::uint64_t{options.state_reserve_mib} << 20U) {
    remove_old_copies(lock.path());
  }

  StateLock lock;
  StateRoom room;
};

std::unique_ptr<StateHold> hold_state(const ServerOptions& options) {
  return is_postgresql_url(options.state) ? nullptr : std::make_unique<StateHold>(options);
}

std::unique_ptr<StateCheckpoint> open_checkpoint(const StateHold* hold) {
  return hold == nullptr ? nullptr : std::make_unique<StateCheckpoint>(hold->lock.path());
}

std::function<std::shared_ptr<BodySource>()> backup_of(const StateHold* hold) {
  if (hold == nullptr) return nullptr;
  return [hold] {
    hold->lock.check_in_place();
    return copy_state(hold->lock.path());
  };
}

std::function<bool()> shortage_of(const StateHold* hold) {
  if (hold == nullptr) return nullptr;
  return [hold] { return hold->room.is_short(); };
}

struct OpenedState {
  std::unique_ptr<sql::Store> store;
  const PostgresqlState* postgresql = nullptr;  // the same, where it is one
};

OpenedState open_state(const ServerOptions& options, StateHold* hold) {
  if (hold != nullptr) return {open_guarded_state(hold->lock, hold->room)};
  PostgresqlOptions postgresql;
  postgresql.url = options.state;
  postgresql.connections_max = options.threads + 1;  // and one for what is written in the background
  auto opened = open_postgresql(postgresql);
  const auto* const state = opened.get();
  return {std::move(opened), state};
}

/// HOST-21: raises the limit of descriptors to what is wished for, and bounds the connections by what there is.
ConnectionLimits limit_connections(const ServerOptions& options, Log& log) {
  const auto of_database = is_postgresql_url(options.state) ? options.threads + 1 : 0;
  const ConnectionWishes wishes{options.connections, options.connections_per_client, of_database};
  const auto descriptors = raise_descriptor_limit(descriptors_wanted(wishes));
  const auto limits = connection_limits(wishes, descriptors);
  const auto line = std::to_string(descriptors) + " descriptors: up to " + std::to_string(limits.api.connections_max) +
                    " connections, " + std::to_string(limits.api.connections_per_client_max) + " of one client";
  if (limits.api.connections_max < options.connections) {
    log.warning(line + "; for " + std::to_string(options.connections) + " connections raise the hard limit to " +
                std::to_string(descriptors_wanted(wishes)));
  } else {
    log.info(line);
  }
  return limits;
}

/// Those of connections never wait, so more than processors would gain nothing.
std::size_t io_threads_of(const ServerOptions& options) {
  return std::clamp<std::size_t>(options.threads, 1, std::max(1U, std::thread::hardware_concurrency()));
}

/// HOST-30
SignatureRule signature_rule(const std::string& key_file) {
  if (key_file.empty()) return {};
  return [keys = TrustedKeys(key_file)](const std::optional<SignatureClaim>& claim) { return keys.refusal(claim); };
}

/// Everything, in the order in which it is made and, backwards, ended.
class Server {
 public:
  /// `announce`: called once, on another thread, when the addresses listen and the catalog was looked at.
  Server(const ServerOptions& options, Log& log, std::function<void(const std::string&)> announce)
      : log_(log),
        limits_(limit_connections(options, log)),
        audit_log_(options.audit_log, log),
        token_hash_(hashing_.sha256(read_own_secret(options.admin_token_file))),
        catalog_(options.catalog, {options.allow_evaluation}, hashing_, log, signature_rule(options.catalog_key)),
        hold_(hold_state(options)),
        state_(open_state(options, hold_.get())),
        checkpoint_(open_checkpoint(hold_.get())),
        service_(Service::make({clock_, random_, hashing_, *state_.store, [this] { return catalog_.current(); },
                                backup_of(hold_.get()), shortage_of(hold_.get())},
                               service_options(options))),
        housekeeping_({*service_, checkpoint_.get(), hold_ ? &hold_->room : nullptr, metrics_, log}),
        pool_(options.threads, kQueueMax),
        api_handler_(*service_),
        admin_handler_({*service_, metrics_, [this] { return gauges(); }}),
        threads_(io_threads_of(options)),
        api_({threads_, api_handler_, pool_, clock_, random_, log, metrics_},
             {options.listen, options.tls, limits_.api, Compression::allowed, options.trusted_proxies}),
        admin_({threads_, admin_handler_, pool_, clock_, random_, log, metrics_},
               {options.admin_listen, options.tls, limits_.admin, Compression::off, {}}) {
    threads_.start(log);
    flush_.emplace(kFlushInterval, [this] { housekeeping_.flush(); });
    tidy_.emplace(kTidyInterval, [this] { housekeeping_.tidy(); });
    watch_.emplace(catalog_, kPollInterval, [this, announce = std::move(announce)] { announce(urls()); });
  }
  ~Server() {
    threads_.stop();
    pool_.stop();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string urls() const { return "listening on " + api_.url() + " admin " + admin_.url(); }

  /// HOST-23: reads again what an operator may have replaced. No connection ends by it.
  void reload() {
    log_.reopen();
    audit_log_.reopen();
    const bool api_reloaded = api_.reload_tls();
    const bool admin_reloaded = admin_.reload_tls();
    watch_->check_now();
    log_.info(api_reloaded && admin_reloaded ? "SIGHUP: reloaded" : "SIGHUP: reloaded, but for the certificate");
  }

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
    threads_.stop();
    pool_.stop();
    return housekeeping_.flush();
  }

 private:
  ServiceOptions service_options(const ServerOptions& options) {
    ServiceOptions result;
    if (!options.key_secret_file.empty()) result.key_secret = read_own_secret(options.key_secret_file);
    result.admin_token_hash = token_hash_;
    if (!options.metrics_token_file.empty()) {
      result.metrics_token_hash = hashing_.sha256(read_own_secret(options.metrics_token_file));
    }
    result.report_act = [this](std::string_view line) { audit_log_.write(line); };
    result.report_failure = [this](std::string_view failure) { report_failure(failure); };
    result.answer_cache_bytes = options.answer_cache_mib * 1024 * 1024;
    result.shares_bodies = true;
    return result;
  }

  /// One line for many: where the state cannot be read, every call meets the same failure.
  void report_failure(std::string_view failure) {
    metrics_.count_failure();
    constexpr std::int64_t kSilenceMs = 10'000;
    const std::int64_t now_ms = SystemClock().now_ms();
    std::int64_t last_ms = last_failure_ms_;
    if (now_ms - last_ms < kSilenceMs || !last_failure_ms_.compare_exchange_strong(last_ms, now_ms)) return;
    log_.error("calls are answered 503: " + std::string(failure));
  }

  Metrics::Gauges gauges() const {
    Metrics::Gauges gauges;
    gauges.queued = pool_.queued();
    gauges.service = service_->counts();
    gauges.catalog_refusals = catalog_.refusals();
    if (hold_) gauges.room = {hold_->room.free_bytes(), hold_->room.is_short()};
    if (state_.postgresql != nullptr) {
      const auto counts = state_.postgresql->counts();
      gauges.pool = {counts.connections_open, counts.connections_idle, counts.calls_waiting, counts.retries};
    }
    if (const auto catalog = catalog_.current()) {
      gauges.catalog_version = catalog->version();
      gauges.catalog_tracks = catalog->track_count();
    }
    return gauges;
  }

  static bool wait(HttpServer& server, std::chrono::steady_clock::time_point until) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - std::chrono::steady_clock::now());
    return server.wait_until_closed(std::max(left, milliseconds(0)));
  }

  Log& log_;
  ConnectionLimits limits_;
  std::atomic<std::int64_t> last_failure_ms_ = 0;
  SystemClock clock_;
  SystemRandom random_;
  OpensslHashing hashing_;
  Metrics metrics_;
  AuditLog audit_log_;
  Sha256 token_hash_;
  CatalogHolder catalog_;
  std::unique_ptr<StateHold> hold_;  // of an embedded state
  OpenedState state_;
  std::unique_ptr<StateCheckpoint> checkpoint_;  // of an embedded state
  std::unique_ptr<Service> service_;
  Housekeeping housekeeping_;
  WorkerPool pool_;
  ServiceHandler api_handler_;
  AdminHandler admin_handler_;
  IoThreads threads_;
  HttpServer api_;
  HttpServer admin_;
  std::optional<CatalogWatch> watch_;
  std::optional<Ticker> flush_;
  std::optional<Ticker> tidy_;
};

int run(std::span<const char* const> words) {
  try {
    auto parsed = parse_server_options(words, settings::process_environment);
    if (const auto* end = std::get_if<settings::ExitStatus>(&parsed)) return settings::print(*end);
    const auto& options = std::get<ServerOptions>(parsed);
    Signals signals;  // before any thread starts
    const auto log = options.log_file.empty() ? make_stderr_log(options.log_format)
                                              : make_file_log(options.log_file, options.log_format);
    Server server(options, *log, [&log](const std::string& urls) {
      log->info(urls);
      std::cout << urls << std::endl;  // last: who reads it finds everything before it in the log
      tell_ready();
    });
    int received = signals.wait();
    for (; received == SIGHUP; received = signals.wait()) {
      tell_reloading();
      server.reload();
      tell_ready();
    }
    tell_stopping();
    log->info(received == SIGINT ? "SIGINT: stopping" : "SIGTERM: stopping");
    return server.stop() ? 0 : 1;
  } catch (const std::exception& failure) {
    std::cerr << "tonearm-server: " << terminal::line(failure.what()) << '\n';
    return 1;
  }
}

}  // namespace
}  // namespace tonearm::native

int main(int argc, char** argv) {
  const std::vector<const char*> words(argv + 1, argv + argc);
  return tonearm::native::run(words);
}
