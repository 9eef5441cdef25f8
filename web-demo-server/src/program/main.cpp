// tonearm-web: wires the site and runs it until a signal stops it.

#include <atomic>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "files/small_file.h"
#include "http/http_server.h"
#include "http/io_threads.h"
#include "pages/pages.h"
#include "postgresql/postgresql_store.h"
#include "program/background_jobs.h"
#include "program/web_options.h"
#include "program/webhook_jobs.h"
#include "public_web/curl_web.h"
#include "renderer/render_worker.h"
#include "routes/share_routes.h"
#include "routes/web_handler.h"
#include "sqlite_state/guarded_store.h"
#include "sqlite_state/state_file.h"
#include "supervision/supervisor.h"
#include "system/descriptor_limit.h"
#include "system/signals.h"
#include "system/system_ports.h"
#include "system/ticker.h"
#include "tonearm/terminal.h"

namespace tonearm::web {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTick{500};
constexpr milliseconds kCheckpointInterval{10'000};
constexpr milliseconds kStopTime{10'000};
constexpr std::size_t kIoThreads = 2;
constexpr std::size_t kCallsPerPerson = 8;  // WEB-44
constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kSecondMs = 1'000;
constexpr std::int64_t kResetCodeMs = 24 * kHourMs;

/// Creates the --data folder, readable only by its owner.
const std::string& make_private_folder(const std::string& path) {
  namespace fs = std::filesystem;
  if (!fs::exists(path)) {
    fs::create_directories(path);
    fs::permissions(path, fs::perms::owner_all);
  }
  return path;
}

/// Locks the store file, which only one process may open.
struct StoreLock {
  explicit StoreLock(const std::string& path) : lock(path), reserve(lock.path(), 0) {}
  native::StateLock lock;
  native::DiskReserve reserve;
};

std::unique_ptr<StoreLock> lock_store(const std::string& store) {
  return native::is_postgresql_url(store) ? nullptr : std::make_unique<StoreLock>(store);
}

std::unique_ptr<sql::Store> open_store(const WebOptions& options, StoreLock* store_lock) {
  if (store_lock != nullptr) return open_guarded_state(store_lock->lock, store_lock->reserve, kPeople);
  native::PostgresqlOptions postgresql;
  postgresql.purpose = kPeople;
  postgresql.url = options.store;
  postgresql.connections_max = options.threads + 1;
  return open_postgresql(postgresql);
}

std::unique_ptr<native::StateCheckpoint> open_checkpoint(const StoreLock* store_lock) {
  return store_lock == nullptr ? nullptr : std::make_unique<native::StateCheckpoint>(store_lock->lock.path());
}

native::HttpLimits limits_of(std::size_t descriptors) {
  native::HttpLimits limits;
  constexpr std::size_t kReserved = 512;  // files, connections to the API, the database
  if (descriptors < 2 * kReserved)
    throw std::runtime_error("the limit of open files is too low; it must be at least 1024");
  limits.connections_max = std::min(limits.connections_max, descriptors - kReserved);
  limits.call_time = milliseconds(15'000);
  return limits;
}

/// WEB-44
native::FairQueue::Limits queue_limits(std::size_t threads) {
  constexpr std::size_t kHeavyShare = 8;
  constexpr std::size_t kCrowdedShare = 4;
  return {.waiting_max = 2'000,
          .waiting_per_client_max = 32,
          .running_per_client_max = 4,
          .running_heavy_max = std::max<std::size_t>(1, threads / kHeavyShare),
          .running_crowded = threads / kCrowdedShare};
}

Throttle::Rate visitor_rate(const WebOptions& options) {
  return {static_cast<std::int64_t>(options.visitor_burst),
          kSecondMs / static_cast<std::int64_t>(options.visitor_rate)};
}

constexpr std::int64_t kDocumentTimeMs = 5'000;        // OAUTH-13
constexpr std::int64_t kReceiverTimeMs = 15'000;       // WEB-47
constexpr std::uint64_t kRegistrationsPerHour = 60;    // OAUTH-3
constexpr std::uint64_t kRefreshesPerHour = 30;        // OAUTH-8
constexpr std::uint64_t kWebhookMessagesPerHour = 20;  // WEB-46

/// As many at once as in an hour.
Throttle::Rate hourly_rate(std::uint64_t count) {
  const auto burst = static_cast<std::int64_t>(count);
  return {burst, std::max<std::int64_t>(1, kHourMs / burst)};
}

/// Reaches addresses that people choose. `allowed`: also these, although they are not public.
std::unique_ptr<public_web::Web> open_public_web(std::int64_t timeout_ms,
                                                 const std::vector<public_web::AddressBlock>& allowed) {
  return public_web::make_curl_web(
      {.user_agent = "tonearm-web/" TONEARM_VERSION, .allowed = allowed, .timeout_ms = timeout_ms, .address_s = 60});
}

/// Threads wait for slots of passwords. The others remain for everything else.
std::size_t waiting_passwords(const WebOptions& options) { return std::max<std::size_t>(1, options.threads * 3 / 4); }

/// The whole server. Members are destroyed in the reverse order of their construction.
class WebServer {
 public:
  WebServer(const WebOptions& options, native::Log& log)
      : log_(log),
        data_(make_private_folder(options.data)),
        backend_({options.api, options.admin, native::read_own_secret(options.admin_token_file), options.ca_file}),
        operator_(backend_, data_ + "/operator.json"),
        store_lock_(lock_store(options.store)),
        store_(open_store(options, store_lock_.get())),
        people_(*store_),
        shares_(*store_),
        recovery_(*store_),
        feeds_(*store_),
        webhooks_(*store_),
        oauth_(*store_),
        client_documents_([] { return open_public_web(kDocumentTimeMs, {}); }),
        passwords_(waiting_passwords(options)),
        session_keys_(backend_, clock_),
        sessions_(people_, clock_, random_, hashing_),
        visitor_throttle_(visitor_rate(options)),
        sign_up_throttle_(hourly_rate(options.sign_ups_per_hour)),
        webhook_throttle_(hourly_rate(kWebhookMessagesPerHour)),
        registration_throttle_(hourly_rate(kRegistrationsPerHour)),
        refresh_throttle_(hourly_rate(kRefreshesPerHour)),
        site_{clock_,
              log_,
              backend_,
              operator_,
              session_keys_,
              people_,
              shares_,
              recovery_,
              feeds_,
              webhooks_,
              random_,
              hashing_,
              passwords_,
              sessions_,
              login_throttle_,
              sign_up_throttle_,
              webhook_throttle_,
              person_calls_,
              {options.site, options.media, options.catalog},
              options.plan_choice,
              !options.allowed_addresses.empty(),
              {oauth_, client_documents_, registration_throttle_, refresh_throttle_, options.public_url,
               options.public_api + "/mcp"}},
        pages_({operator_, backend_, clock_, options.site, options.public_api,
                [this](const std::string& token) { return shared_collection(site_, token); },
                [this](const std::string& reason) { log_.error(reason); }}),
        checkpoint_(open_checkpoint(store_lock_.get())),
        jobs_(site_, pages_),
        webhook_jobs_(site_, jobs_.is_ready(),
                      [allowed = options.allowed_addresses] { return open_public_web(kReceiverTimeMs, allowed); }),
        pool_(options.threads, queue_limits(options.threads)),
        handler_({site_, pages_, visitor_throttle_, jobs_.is_ready(), proxy_policy_of(options)}),
        server_({threads_, handler_, pool_, clock_, random_, log, metrics_},
                {options.listen, options.tls, limits_of(native::raise_descriptor_limit(16'384)),
                 native::Compression::allowed, options.trusted_proxies}) {
    threads_.start(log);
    ticker_.emplace(kTick, [this] { jobs_.tick(); });
    webhook_ticker_.emplace(kTick, [this] { webhook_jobs_.send_messages(); });
    change_ticker_.emplace(kTick, [this] { webhook_jobs_.find_changes(); });
    if (checkpoint_) checkpoints_.emplace(kCheckpointInterval, [this] { checkpoint(); });
  }
  ~WebServer() {
    checkpoints_.reset();
    webhook_jobs_.stop();
    change_ticker_.reset();
    webhook_ticker_.reset();
    ticker_.reset();
    threads_.stop();
    pool_.stop();
  }
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  std::string url() const { return server_.url(); }

  void reload() {
    log_.reopen();
    log_.info(server_.reload_tls() ? "SIGHUP: reloaded" : "SIGHUP: reloaded, except the certificate");
  }

  bool stop() {
    server_.stop();
    const bool ended = server_.wait_until_closed(kStopTime);
    if (!ended) log_.warning("some requests did not end in time");
    return ended;
  }

 private:
  /// Removes deleted data from the write-ahead log, too.
  void checkpoint() {
    try {
      checkpoint_->run();
    } catch (const std::exception& failure) {
      log_.error(failure.what());
    }
  }

  static ProxyPolicy proxy_policy_of(const WebOptions& options) {
    return {options.trusted_proxies, options.tls.certificate.empty() ? Transport::plain : Transport::secure};
  }

  native::Log& log_;
  std::string data_;
  native::SystemClock clock_;
  native::SystemRandom random_;
  native::OpensslHashing hashing_;
  native::Metrics metrics_;
  Backend backend_;
  OperatorAccount operator_;
  std::unique_ptr<StoreLock> store_lock_;  // null for PostgreSQL
  std::unique_ptr<sql::Store> store_;
  PeopleStore people_;
  ShareStore shares_;
  RecoveryStore recovery_;
  FeedStore feeds_;
  WebhookStore webhooks_;
  OauthStore oauth_;
  ClientDocuments client_documents_;
  Passwords passwords_;
  SessionKeys session_keys_;
  Sessions sessions_;
  LoginThrottle login_throttle_;
  Throttle visitor_throttle_;
  Throttle sign_up_throttle_;
  Throttle webhook_throttle_;
  Throttle registration_throttle_;
  Throttle refresh_throttle_;
  native::RunningRequests person_calls_{kCallsPerPerson};
  Site site_;
  Pages pages_;
  std::unique_ptr<native::StateCheckpoint> checkpoint_;  // null for PostgreSQL
  BackgroundJobs jobs_;
  WebhookJobs webhook_jobs_;
  native::WorkerPool pool_;
  WebHandler handler_;
  native::IoThreads threads_{kIoThreads};
  native::HttpServer server_;
  std::optional<native::Ticker> ticker_;
  std::optional<native::Ticker> webhook_ticker_;
  std::optional<native::Ticker> change_ticker_;
  std::optional<native::Ticker> checkpoints_;
};

/// Prints a code with which a person who has forgotten the password sets a new one (WEB-33). The site may be running.
int reset_password(const WebOptions& options) {
  const bool is_shared = native::is_postgresql_url(options.store);
  if (!is_shared && !std::filesystem::exists(options.store)) {
    throw std::runtime_error(options.store + " does not exist");
  }
  const auto store = is_shared ? open_store(options, nullptr) : native::open_state_file(options.store, kPeople);
  const PeopleStore people(*store);
  native::SystemRandom random;
  native::OpensslHashing hashing;
  const auto code = new_recovery_code(random);
  const auto expires_ms = native::SystemClock().now_ms() + kResetCodeMs;
  if (!RecoveryStore(*store).set_code(options.reset_password, RecoveryStore::Issuer::site_operator,
                                      recovery_hash(hashing, code), expires_ms)) {
    throw std::runtime_error("nobody has the name " + options.reset_password);
  }
  std::cout << code << std::endl;
  return 0;
}

int run(std::span<const char* const> words) {
  try {
    auto parsed = parse_web_options(words, settings::process_environment);
    if (const auto* end = std::get_if<settings::ExitStatus>(&parsed)) return settings::print(*end);
    const auto& options = std::get<WebOptions>(parsed);
    if (!options.reset_password.empty()) return reset_password(options);
    native::Signals signals;  // before any thread starts
    const auto log = native::open_log(options.log_file, options.log_format);
    WebServer server(options, *log);
    const auto line = "listening on " + server.url();
    log->info(line);
    std::cout << line << std::endl;
    native::notify_ready();
    int received = signals.wait();
    for (; received == SIGHUP; received = signals.wait()) {
      native::notify_reloading();
      server.reload();
      native::notify_ready();
    }
    native::notify_stopping();
    log->info(received == SIGINT ? "SIGINT: stopping" : "SIGTERM: stopping");
    return server.stop() ? 0 : 1;
  } catch (const std::exception& failure) {
    std::cerr << "tonearm-web: " << terminal::line(failure.what()) << '\n';
    return 1;
  }
}

}  // namespace
}  // namespace tonearm::web

int main(int argc, char** argv) {
  const std::vector<const char*> words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0] == tonearm::web::kRenderWorker) tonearm::web::run_render_worker();
  return tonearm::web::run(words);
}
