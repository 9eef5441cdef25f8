// tonearm-server: connects the core to the system and runs until a signal stops it.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "files/small_file.h"
#include "housekeeping/housekeeping.h"
#include "http/http_server.h"
#include "http/io_threads.h"
#include "monitoring/audit_log.h"
#include "monitoring/log_throttle.h"
#include "postgresql/postgresql_store.h"
#include "remote_catalog/remote_catalog.h"
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
constexpr milliseconds kMaintenanceInterval{500};
constexpr milliseconds kStopTime{10'000};
constexpr std::size_t kQueueMax = 2'000;

/// The lock and the disk reserve of an embedded state. LIMIT-10: it belongs to one server process.
struct EmbeddedState {
  explicit EmbeddedState(const ServerOptions& options)
      : lock(options.state), reserve(lock.path(), std::uint64_t{options.state_reserve_mib} << 20U) {
    remove_old_copies(lock.path());
  }

  StateLock lock;
  DiskReserve reserve;
};

std::unique_ptr<EmbeddedState> lock_state(const ServerOptions& options) {
  return is_postgresql_url(options.state) ? nullptr : std::make_unique<EmbeddedState>(options);
}

std::unique_ptr<StateCheckpoint> open_checkpoint(const EmbeddedState* embedded) {
  return embedded == nullptr ? nullptr : std::make_unique<StateCheckpoint>(embedded->lock.path());
}

std::function<std::shared_ptr<BodySource>()> backup_of(const EmbeddedState* embedded) {
  if (embedded == nullptr) return nullptr;
  return [embedded] {
    embedded->lock.check_in_place();
    return copy_state(embedded->lock.path());
  };
}

std::function<bool()> shortage_check_of(const EmbeddedState* embedded) {
  if (embedded == nullptr) return nullptr;
  return [embedded] { return embedded->reserve.is_short(); };
}

/// The stores of the state.
struct OpenedState {
  std::unique_ptr<sql::Store> embedded;  // null: PostgreSQL
  std::vector<std::unique_ptr<PostgresqlState>> databases;

  sql::Store& first() const { return embedded ? *embedded : *databases.front(); }
  std::vector<sql::Store*> others() const {
    std::vector<sql::Store*> stores;
    for (std::size_t index = 1; index < databases.size(); ++index) stores.push_back(databases[index].get());
    return stores;
  }
};

OpenedState open_state(const ServerOptions& options, EmbeddedState* embedded) {
  OpenedState state;
  if (embedded != nullptr) {
    state.embedded = open_guarded_state(embedded->lock, embedded->reserve);
    return state;
  }
  std::vector<std::string> urls{options.state};
  urls.insert(urls.end(), options.more_states.begin(), options.more_states.end());
  for (const auto& url : urls) {
    PostgresqlOptions postgresql;
    postgresql.url = url;
    postgresql.connections_max = options.threads + 1;  // one for background writes
    state.databases.push_back(open_postgresql(postgresql));
  }
  return state;
}

/// HOST-21: raises the descriptor limit as far as possible and limits the connections accordingly.
ConnectionLimits limit_connections(const ServerOptions& options, Log& log) {
  const auto databases = is_postgresql_url(options.state) ? 1 + options.more_states.size() : 0;
  const auto database_connections = databases * (options.threads + 1);
  const RequestedConnections requested{options.connections, options.connections_per_client, database_connections};
  const auto descriptors = raise_descriptor_limit(descriptors_for(requested));
  const auto limits = connection_limits(requested, descriptors);
  const auto line = std::to_string(descriptors) + " descriptors: up to " + std::to_string(limits.api.connections_max) +
                    " connections, " + std::to_string(limits.api.connections_per_client_max) + " of one client";
  if (limits.api.connections_max < options.connections) {
    log.warning(line + "; for " + std::to_string(options.connections) + " connections raise the hard limit to " +
                std::to_string(descriptors_for(requested)));
  } else {
    log.info(line);
  }
  return limits;
}

/// I/O threads never wait, so more than one per processor is useless.
std::size_t io_threads_of(const ServerOptions& options) {
  return std::clamp<std::size_t>(options.threads, 1, std::max(1U, std::thread::hardware_concurrency()));
}

/// HOST-30
SignatureRule signature_rule(const std::string& key_file) {
  if (key_file.empty()) return alteration;
  return [keys = TrustedKeys(key_file)](const std::optional<SignatureClaim>& claim) { return keys.refusal(claim); };
}

/// All parts of the server, in the order of construction; they stop in the opposite order.
class Server {
 public:
  /// `announce`: called once, on another thread, when the addresses listen and the catalog was polled.
  Server(const ServerOptions& options, Log& log, std::function<void(const std::string&)> announce)
      : log_(log),
        limits_(limit_connections(options, log)),
        audit_log_(options.audit_log, log),
        token_hash_(hashing_.sha256(read_own_secret(options.admin_token_file))),
        rule_(signature_rule(options.catalog_key)),
        catalog_(options.catalog, {options.allow_evaluation}, hashing_, log, rule_),
        remote_(open_remote_catalog(options)),
        embedded_(lock_state(options)),
        state_(open_state(options, embedded_.get())),
        checkpoint_(open_checkpoint(embedded_.get())),
        service_(Service::make({clock_, random_, hashing_, state_.first(), [this] { return served_catalog(); },
                                backup_of(embedded_.get()), shortage_check_of(embedded_.get()), state_.others()},
                               service_options(options))),
        housekeeping_({[this] { return service_->flush(); }, [this] { return service_->retain_step(); },
                       checkpoint_.get(), embedded_ ? &embedded_->reserve : nullptr, metrics_, log}),
        pool_(options.threads, {.waiting_max = kQueueMax}),
        api_handler_(*service_, [this] { return remote_ && remote_->is_early(); }),
        admin_handler_({*service_, metrics_, [this] { return gauges(); }}),
        threads_(io_threads_of(options)),
        api_({threads_, api_handler_, pool_, clock_, random_, log, metrics_},
             {options.listen, options.tls, limits_.api, Compression::allowed, options.trusted_proxies}),
        admin_({threads_, admin_handler_, pool_, clock_, random_, log, metrics_},
               {options.admin_listen, options.tls, limits_.admin, Compression::off, {}}) {
    threads_.start(log);
    flush_.emplace(kFlushInterval, [this] { housekeeping_.flush(); });
    maintenance_.emplace(kMaintenanceInterval, [this] { housekeeping_.maintain(); });
    watch_.emplace(catalog_, kPollInterval, [this, announce = std::move(announce)] {
      if (remote_) remote_->start(catalog_.current() != nullptr);
      announce(urls());
    });
  }
  ~Server() {
    watch_.reset();
    if (remote_) remote_->stop();
    threads_.stop();
    pool_.stop();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string urls() const { return "listening on " + api_.url() + " admin " + admin_.url(); }

  /// HOST-23: reloads what an operator may have replaced. All connections stay open.
  void reload() {
    log_.reopen();
    audit_log_.reopen();
    const bool api_reloaded = api_.reload_tls();
    const bool admin_reloaded = admin_.reload_tls();
    watch_->check_now();
    if (remote_) remote_->check_now();
    log_.info(api_reloaded && admin_reloaded ? "SIGHUP: reloaded" : "SIGHUP: reloaded, except for the certificate");
  }

  /// Finishes running requests and writes what is in memory. Returns false if something is lost.
  bool stop() {
    const auto until = std::chrono::steady_clock::now() + kStopTime;
    api_.stop();
    admin_.stop();
    const bool finished = wait_until_closed(api_, until) && wait_until_closed(admin_, until);
    if (!finished) log_.warning("some requests did not finish in time");
    maintenance_.reset();
    flush_.reset();
    watch_.reset();
    if (remote_) remote_->stop();
    threads_.stop();
    pool_.stop();
    service_->skip_no_database();
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
    result.write_audit_line = [this](std::string_view line) { audit_log_.write(line); };
    result.report_failure = [this](std::string_view failure) { report_failure(failure); };
    result.answer_cache_bytes = options.answer_cache_mib * 1024 * 1024;
    result.shares_bodies = true;
    result.oauth = {options.public_url, options.authorization_server};
    return result;
  }

  /// Throttles the log, because every call fails the same way while the state cannot be read.
  void report_failure(std::string_view failure) {
    metrics_.count_failure();
    if (const auto more = failures_.try_log(SystemClock().now_ms())) {
      log_.error("calls are answered 503: " + std::string(failure) + *more);
    }
  }

  Metrics::Gauges gauges() const {
    Metrics::Gauges gauges;
    gauges.queued = pool_.queued();
    gauges.service = service_->counts();
    gauges.catalog_refusals = catalog_.refusals();
    if (remote_) {
      const auto counts = remote_->counts();
      gauges.storage = {counts.bytes, counts.failures, counts.missing_blocks, counts.answered_s};
    }
    if (embedded_) gauges.disk = {embedded_->reserve.free_bytes(), embedded_->reserve.is_short()};
    for (const auto& database : state_.databases) {
      const auto counts = database->counts();
      if (!gauges.pool) gauges.pool = {0, 0, 0, 0};
      gauges.pool->open += counts.connections_open;
      gauges.pool->idle += counts.connections_idle;
      gauges.pool->waiting += counts.calls_waiting;
      gauges.pool->retries += counts.retries;
    }
    if (const auto catalog = served_catalog()) {
      gauges.catalog_version = catalog->version();
      gauges.catalog_tracks = catalog->track_count();
    }
    return gauges;
  }

  std::unique_ptr<RemoteCatalog> open_remote_catalog(const ServerOptions& options) {
    if (!options.remote_catalog) return nullptr;
    const auto& remote = *options.remote_catalog;
    DownloadOptions download{remote.access,    options.catalog,  {},    remote.folder,
                             remote.bytes_max, remote.bytes_max, rule_, {options.allow_evaluation}};
    return std::make_unique<RemoteCatalog>(RemoteCatalog::Options{std::move(download), remote.interval}, hashing_,
                                           random_, log_);
  }

  /// A complete catalog, or the one that is being downloaded.
  std::shared_ptr<const Catalog> served_catalog() const {
    auto complete = catalog_.current();
    if (!remote_ || !remote_->is_early()) return complete;
    if (complete == nullptr) return remote_->early();
    remote_->end_early();
    return complete;
  }

  static bool wait_until_closed(HttpServer& server, std::chrono::steady_clock::time_point until) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - std::chrono::steady_clock::now());
    return server.wait_until_closed(std::max(left, milliseconds(0)));
  }

  Log& log_;
  ConnectionLimits limits_;
  LogThrottle failures_;
  SystemClock clock_;
  SystemRandom random_;
  OpensslHashing hashing_;
  Metrics metrics_;
  AuditLog audit_log_;
  Sha256 token_hash_;
  SignatureRule rule_;
  CatalogHolder catalog_;
  std::unique_ptr<RemoteCatalog> remote_;    // null: the catalog is a file
  std::unique_ptr<EmbeddedState> embedded_;  // null: PostgreSQL
  OpenedState state_;
  std::unique_ptr<StateCheckpoint> checkpoint_;  // null: PostgreSQL
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
  std::optional<Ticker> maintenance_;
};

int run(std::span<const char* const> words) {
  try {
    auto parsed = parse_server_options(words, settings::process_environment);
    if (const auto* end = std::get_if<settings::ExitStatus>(&parsed)) return settings::print(*end);
    const auto& options = std::get<ServerOptions>(parsed);
    Signals signals;  // before any thread starts
    const auto log = open_log(options.log_file, options.log_format);
    Server server(options, *log, [&log](const std::string& urls) {
      log->info(urls);
      std::cout << urls << std::endl;  // last, so that a reader of this line finds all earlier lines in the log
      notify_ready();
    });
    int received = signals.wait();
    for (; received == SIGHUP; received = signals.wait()) {
      notify_reloading();
      server.reload();
      notify_ready();
    }
    notify_stopping();
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
