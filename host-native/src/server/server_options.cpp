#include "server/server_options.h"

#include <algorithm>
#include <array>
#include <thread>

#include "options/server_values.h"
#include "postgresql/postgresql_store.h"

namespace tonearm::native {
namespace {

using settings::Option;
using settings::Presence;
using settings::Secrecy;
using settings::Type;
using settings::Values;

constexpr std::array kOptions{
    Option{.name = "catalog",
           .value = "FILE",
           .help = "The snapshot to serve; one that is renamed onto it takes its place",
           .presence = Presence::required},
    Option{.name = "state",
           .value = "FILE|URL",
           .help = "Accounts and keys: an SQLite database, created if missing, or postgresql://...",
           .presence = Presence::required,
           .secrecy = Secrecy::secret},
    Option{.name = "listen",
           .value = "ADDR:PORT",
           .help = "Address of the API; port 0 picks a free one",
           .standard = "127.0.0.1:8080"},
    Option{.name = "admin-listen",
           .value = "ADDR:PORT",
           .help = "Address of the admin interface",
           .standard = "127.0.0.1:8081"},
    Option{.name = "admin-token-file",
           .value = "FILE",
           .help = "Holds the bearer token of the admin interface",
           .presence = Presence::required},
    Option{.name = "metrics-token-file",
           .value = "FILE",
           .help = "Holds a token that opens /metrics alone (default: the admin token does)"},
    Option{.name = "audit-log",
           .value = "FILE",
           .help = "Takes a line for every act on the admin interface (default: stderr)"},
    Option{.name = "key-secret-file", .value = "FILE", .help = "Holds the key secret (default: created in the state)"},
    Option{.name = "allow-evaluation", .type = Type::on_off, .help = "Also serve snapshots built for evaluation"},
    Option{.name = "tls-cert", .value = "FILE", .help = "PEM certificate chain; both addresses then speak HTTPS only"},
    Option{.name = "tls-key", .value = "FILE", .help = "PEM private key of the certificate"},
    Option{.name = "threads",
           .type = Type::number,
           .value = "N",
           .help = "Threads that answer requests (default per processor: 1, with PostgreSQL 8)",
           .bounds = {1, 1024}},
    Option{.name = "answer-cache",
           .type = Type::number,
           .value = "MIB",
           .help = "Memory for whole answers; 0 turns the cache off",
           .standard = "32",
           .bounds = {0, 65'536}},
    Option{.name = "connections",
           .type = Type::number,
           .value = "N",
           .help = "Connections to the API at a time, as far as the limit of open files allows",
           .standard = "10000",
           .bounds = {16, 1'000'000}},
    Option{.name = "connections-per-client",
           .type = Type::number,
           .value = "N",
           .help = "Of one address, or of one /64 of IPv6; behind a trusted proxy, requests at a time",
           .standard = "256",
           .bounds = {1, 1'000'000}},
    Option{.name = "trusted-proxy",
           .type = Type::list,
           .value = "CIDR",
           .help = "Addresses of a proxy whose X-Forwarded-For names the client; may be repeated"},
    Option{.name = "log-file", .value = "FILE", .help = "Log there instead of on stderr; SIGHUP opens it again"},
    Option{.name = "log-format",
           .value = "FORMAT",
           .help = "text, or json: one object a line",
           .standard = "text",
           .choices = kLogFormats},
    Option{.name = "state-reserve",
           .type = Type::number,
           .value = "MIB",
           .help = "With less room on the disk of a state file, calls leave no records; 0 turns that off",
           .standard = "64",
           .bounds = {0, 65'536}},
    Option{.name = "catalog-key",
           .value = "FILE",
           .help = "Ed25519 public keys (PEM): serve only snapshots that one of them signed"},
};

constexpr settings::Program kProgram{
    .name = "tonearm-server", .version = TONEARM_VERSION, .help = "Serves the Tonearm API", .options = kOptions};

/// A thread mostly waits for the database where that is PostgreSQL.
std::size_t default_threads(const std::string& state) {
  constexpr std::size_t kWaiting = 8;
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  return is_postgresql_url(state) ? processors * kWaiting : processors;
}

ServerOptions options_of(const Values& values) {
  ServerOptions options;
  options.catalog = values.text("catalog");
  options.state = store_of(values, "state");
  options.listen = endpoint_of(values, "listen");
  options.admin_listen = endpoint_of(values, "admin-listen");
  options.admin_token_file = values.text("admin-token-file");
  options.metrics_token_file = values.text("metrics-token-file");
  options.audit_log = values.text("audit-log");
  options.key_secret_file = values.text("key-secret-file");
  options.allow_evaluation = values.is_on("allow-evaluation");
  options.state_reserve_mib = values.number("state-reserve").value_or(0);
  options.tls = {values.text("tls-cert"), values.text("tls-key")};
  options.threads = values.number("threads").value_or(default_threads(options.state));
  options.answer_cache_mib = values.number("answer-cache").value_or(0);
  options.connections = values.number("connections").value_or(0);
  options.connections_per_client = values.number("connections-per-client").value_or(0);
  options.trusted_proxies = trusted_proxies_of(values);
  options.log_file = values.text("log-file");
  options.log_format = log_format_of(values);
  options.catalog_key = values.text("catalog-key");
  if (options.tls.certificate.empty() != options.tls.key.empty()) {
    throw settings::UsageError("--tls-cert and --tls-key go together");
  }
  return options;
}

}  // namespace

std::variant<ServerOptions, settings::ExitStatus> parse_server_options(std::span<const char* const> words,
                                                                       const settings::Environment& environment) {
  return settings::read_settings<ServerOptions>(kProgram, words, environment, options_of);
}

}  // namespace tonearm::native
