#include "server/server_options.h"

#include <algorithm>
#include <array>
#include <set>
#include <thread>

#include "object_store/store_options.h"
#include "options/shared_options.h"
#include "postgresql/postgresql_store.h"
#include "tonearm/sql.h"

namespace tonearm::native {
namespace {

using settings::Option;
using settings::Presence;
using settings::Secrecy;
using settings::Type;
using settings::Values;

constexpr std::array kOptions{
    Option{
        .name = "catalog",
        .value = "FILE|URL",
        .help = "The snapshot to serve: a file, onto which a new one is renamed; https://HOST/PATH; or s3://BUCKET/KEY",
        .presence = Presence::required,
        .secrecy = Secrecy::secret},  // a refused URL may contain a password
    Option{.name = "state",
           .type = Type::texts,
           .value = "FILE|URL",
           .help = "Accounts and keys: an SQLite database, created if missing, or postgresql://..., which may be "
                   "repeated to divide the accounts among several databases",
           .presence = Presence::required,
           .secrecy = Secrecy::secret},
    listen_option("Address of the API; port 0 picks a free one"),
    Option{.name = "admin-listen",
           .value = "ADDR:PORT",
           .help = "Address of the admin interface",
           .standard = "127.0.0.1:8081"},
    kAdminTokenFileOption,
    Option{.name = "metrics-token-file",
           .value = "FILE",
           .help = "File with a token that opens only /metrics (default: the admin token does)"},
    Option{.name = "audit-log",
           .value = "FILE",
           .help = "File for a line about every act on the admin interface (default: stderr)"},
    Option{
        .name = "key-secret-file", .value = "FILE", .help = "File with the key secret (default: created in the state)"},
    Option{.name = "allow-evaluation", .type = Type::on_off, .help = "Also serve snapshots built for evaluation"},
    tls_cert_option("PEM certificate chain; both addresses then speak HTTPS only"),
    kTlsKeyOption,
    threads_option("Threads that answer requests (default per processor: 1, with PostgreSQL 8)"),
    Option{.name = "answer-cache",
           .type = Type::number,
           .value = "MIB",
           .help = "Memory for cached responses; 0 turns the cache off",
           .standard = "32",
           .bounds = {0, 65'536}},
    Option{.name = "connections",
           .type = Type::number,
           .value = "N",
           .help = "Concurrent connections to the API, as far as the limit of open files allows",
           .standard = "10000",
           .bounds = {16, 1'000'000}},
    Option{.name = "connections-per-client",
           .type = Type::number,
           .value = "N",
           .help = "Per IPv4 address or IPv6 /64; behind a trusted proxy, concurrent requests",
           .standard = "256",
           .bounds = {1, 1'000'000}},
    trusted_proxy_option("Addresses of a proxy whose X-Forwarded-For names the client; may be repeated"),
    kLogFileOption,
    kLogFormatOption,
    Option{.name = "state-reserve",
           .type = Type::number,
           .value = "MIB",
           .help = "With less free space on the disk of a state file, calls leave no records; 0 turns this off",
           .standard = "64",
           .bounds = {0, 65'536}},
    Option{.name = "catalog-key",
           .value = "FILE",
           .help = "Ed25519 public keys (PEM): serve only snapshots that one of them signed"},
    Option{.name = "catalog-cache",
           .value = "DIR",
           .help = "Folder for the snapshot of a URL, of one server; created if it is missing"},
    Option{.name = "catalog-cache-size",
           .type = Type::number,
           .value = "MIB",
           .help = "Limit of that folder: the served snapshot and the next one",
           .standard = "16384",
           .bounds = {1, 16'777'216}},
    Option{.name = "catalog-interval",
           .type = Type::number,
           .value = "SECONDS",
           .help = "Time between two requests for the version of a URL",
           .standard = "30",
           .bounds = {1, 86'400}},
    kStorageEndpointOption,
    kStorageRegionOption,
    kStorageCredentialsOption,
    kStorageCaOption,
    Option{.name = "authorization-server",
           .value = "URL",
           .help = "URL of the web site with which clients of /mcp sign in (OAuth); needs --public-url"},
    public_url_option("URL at which clients reach this server, for --authorization-server"),
};

constexpr settings::Program kProgram{
    .name = "tonearm-server", .version = TONEARM_VERSION, .help = "Serves the Tonearm API", .options = kOptions};

/// With PostgreSQL, threads mostly wait for the database.
std::size_t default_threads(const std::string& state) {
  constexpr std::size_t kThreadsPerProcessor = 8;
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  return is_postgresql_url(state) ? processors * kThreadsPerProcessor : processors;
}

/// HOST-49
std::optional<RemoteCatalogOptions> remote_catalog_of(const Values& values, const settings::Environment& environment) {
  const bool is_remote = is_object_address(values.text("catalog"));
  const auto folder = values.text("catalog-cache");
  if (is_remote == folder.empty()) {
    throw settings::UsageError("--catalog-cache is required if --catalog is a URL, and only then");
  }
  if (!is_remote) return std::nullopt;
  return RemoteCatalogOptions{object_access_of(values, "catalog", "catalog-key", environment), folder,
                              values.number("catalog-cache-size").value_or(0) << 20U,
                              std::chrono::seconds(values.number("catalog-interval").value_or(0))};
}

/// HOST-56
void read_states(ServerOptions& options, const Values& values) {
  options.more_states = values.texts("state");
  for (const auto& state : options.more_states) check_store(values, "state", state);
  options.state = options.more_states.front();
  options.more_states.erase(options.more_states.begin());
  if (options.more_states.empty()) return;
  if (!is_postgresql_url(options.state) || !std::ranges::all_of(options.more_states, is_postgresql_url)) {
    throw settings::UsageError("--state may be repeated only with databases of PostgreSQL");
  }
  std::set<std::string> different(options.more_states.begin(), options.more_states.end());
  different.insert(options.state);
  if (different.size() <= options.more_states.size()) {
    throw settings::UsageError("--state is given twice for the same database");
  }
  if (different.size() > std::size_t{sql::kDatabasesMax}) {
    throw settings::UsageError("--state may be repeated up to " + std::to_string(sql::kDatabasesMax) + " times");
  }
  if (options.key_secret_file.empty()) {
    throw settings::UsageError("--key-secret-file is required if --state is repeated, so that keys are valid in each");
  }
}

ServerOptions options_of(const Values& values, const settings::Environment& environment) {
  ServerOptions options;
  options.remote_catalog = remote_catalog_of(values, environment);
  options.catalog =
      options.remote_catalog ? options.remote_catalog->folder + "/catalog.sqlite" : values.text("catalog");
  options.listen = endpoint_of(values, "listen");
  options.admin_listen = endpoint_of(values, "admin-listen");
  options.admin_token_file = values.text("admin-token-file");
  options.metrics_token_file = values.text("metrics-token-file");
  options.audit_log = values.text("audit-log");
  options.key_secret_file = values.text("key-secret-file");
  read_states(options, values);
  options.allow_evaluation = values.is_on("allow-evaluation");
  options.state_reserve_mib = values.number("state-reserve").value_or(0);
  options.tls = tls_files_of(values);
  options.threads = values.number("threads").value_or(default_threads(options.state));
  options.answer_cache_mib = values.number("answer-cache").value_or(0);
  options.connections = values.number("connections").value_or(0);
  options.connections_per_client = values.number("connections-per-client").value_or(0);
  options.trusted_proxies = trusted_proxies_of(values);
  options.log_file = values.text("log-file");
  options.log_format = log_format_of(values);
  options.catalog_key = values.text("catalog-key");
  options.public_url = public_url_of(values, "public-url");
  options.authorization_server = public_url_of(values, "authorization-server");
  if (options.public_url.empty() != options.authorization_server.empty()) {
    throw settings::UsageError("--public-url and --authorization-server must be used together");
  }
  return options;
}

}  // namespace

std::variant<ServerOptions, settings::ExitStatus> parse_server_options(std::span<const char* const> words,
                                                                       const settings::Environment& environment) {
  return settings::read_settings<ServerOptions>(kProgram, words, environment,
                                                [&](const Values& values) { return options_of(values, environment); });
}

}  // namespace tonearm::native
