#include "server_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <stdexcept>
#include <thread>

#include "postgresql_store.h"

namespace tonearm::native {
namespace {

using Takes = SettingRow::Takes;

constexpr std::array<SettingRow, 13> kRows{{
    {"catalog", Takes::value, "FILE, the snapshot to serve; taken up again whenever another is renamed onto it"},
    {"state", Takes::value, "FILE, the embedded database of accounts, made where there is none; or postgresql://..."},
    {"listen", Takes::value, "ADDR:PORT of the API (default 127.0.0.1:8080); port 0: any free one"},
    {"admin-listen", Takes::value, "ADDR:PORT of the admin interface (default 127.0.0.1:8081)"},
    {"admin-token-file", Takes::value, "FILE with the bearer token of the admin interface"},
    {"key-secret-file", Takes::value, "FILE with the secret of the keys (default: made in the state)"},
    {"allow-evaluation", Takes::nothing, "Serve evaluation snapshots too"},
    {"catalog-key", Takes::value, "FILE, the key that snapshots must be signed with"},
    {"tls-cert", Takes::value, "FILE, a PEM certificate chain; both addresses then speak HTTPS alone"},
    {"tls-key", Takes::value, "FILE, its PEM private key"},
    {"trusted-proxy", Takes::value, "CIDR of proxies whose X-Forwarded-For is believed"},
    {"threads", Takes::value, "Threads that answer requests (default: one for each processor, on PostgreSQL 8)"},
    {"answer-cache", Takes::value, "MIB of whole answers to keep in memory (default 32; 0: none)"},
}};

constexpr std::size_t kThreadsMax = 1024;
constexpr std::size_t kAnswerCacheMibMax = 65'536;

std::optional<std::uint64_t> whole_number(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || text.size() > 9 || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  return std::stoull(std::string(text));
}

/// The number of a setting, or `otherwise` where it is not given.
std::size_t number_within(const Settings& settings, const char* name, std::size_t least, std::size_t most,
                          std::size_t otherwise) {
  const auto* text = settings.find(name);
  if (text == nullptr) return otherwise;
  const auto number = whole_number(*text);
  if (!number || *number < least || *number > most) {
    throw UsageFault("--" + std::string(name) + " must be " + std::to_string(least) + " to " + std::to_string(most));
  }
  return static_cast<std::size_t>(*number);
}

/// On PostgreSQL a thread mostly waits for the database.
std::size_t default_threads(const std::string& state) {
  constexpr std::size_t kWaiting = 8;
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  return is_postgresql_url(state) ? processors * kWaiting : processors;
}

/// A file, or a URL that the driver takes. What only looks like one, and may hold a password, is not taken for a file,
/// whose name would stand in errors and logs; so this error does not show it either.
std::string checked_state(std::string state) {
  const auto is_of_scheme = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '.' ||
           c == '-';
  };
  if (is_postgresql_url(state)) return state;
  const std::size_t scheme = state.find(":/");
  const auto scheme_end = state.begin() + static_cast<std::ptrdiff_t>(std::min(scheme, state.size()));
  const bool has_scheme =
      scheme != std::string::npos && scheme > 0 && std::all_of(state.begin(), scheme_end, is_of_scheme);
  if (has_scheme || state.find("password=") != std::string::npos) {
    throw UsageFault("--state must be a file, or a database's URL that begins with postgresql:// or postgres://");
  }
  return state;
}

/// What the command line knows but this build has not: said clearly, never passed over.
void refuse_what_is_missing(const Settings& settings) {
  if (settings.find("catalog-key") != nullptr) {
    throw std::runtime_error("--catalog-key: signatures of snapshots are not built in yet");
  }
  if (settings.find("trusted-proxy") != nullptr) {
    throw std::runtime_error("--trusted-proxy: limits by client address are not built in yet");
  }
}

ServerOptions options_of(const Settings& settings) {
  ServerOptions options;
  options.catalog = settings.required("catalog");
  options.state = checked_state(settings.required("state"));
  options.listen = parse_endpoint(settings.text_or("listen", "127.0.0.1:8080"));
  options.admin_listen = parse_endpoint(settings.text_or("admin-listen", "127.0.0.1:8081"));
  options.admin_token_file = settings.required("admin-token-file");
  options.key_secret_file = settings.text_or("key-secret-file", "");
  options.allow_evaluation = settings.is_on("allow-evaluation");
  options.tls = {settings.text_or("tls-cert", ""), settings.text_or("tls-key", "")};
  options.threads = number_within(settings, "threads", 1, kThreadsMax, default_threads(options.state));
  options.answer_cache_mib = number_within(settings, "answer-cache", 0, kAnswerCacheMibMax, kAnswerCacheMibDefault);
  if (options.tls.certificate.empty() != options.tls.key.empty()) {
    throw UsageFault("--tls-cert and --tls-key go together");
  }
  return options;
}

}  // namespace

Endpoint parse_endpoint(const std::string& text) {
  constexpr std::uint64_t kPortMax = 65'535;
  const auto colon = text.rfind(':');
  // Without a colon there is no port: a number that no port is.
  const auto digits = colon == std::string::npos ? std::string() : text.substr(colon + 1);
  const auto port = whole_number(digits).value_or(kPortMax + 1);
  auto address = text.substr(0, std::min(colon, text.size()));
  if (address.size() > 2 && address.front() == '[' && address.back() == ']') {
    address = address.substr(1, address.size() - 2);
  } else if (address.find(':') != std::string::npos) {
    address.clear();  // an IPv6 address without brackets
  }
  if (port > kPortMax || address.empty()) {
    throw UsageFault("an address to listen on is ADDR:PORT, as 127.0.0.1:8080 or [::1]:8080, not " + text);
  }
  return {address, static_cast<std::uint16_t>(port)};
}

std::variant<ServerOptions, EarlyEnd> parse_server_options(std::span<const char* const> words,
                                                           const Environment& environment) {
  CLI::App app("Serves the Tonearm API", "tonearm-server");
  app.set_version_flag("--version", std::string("tonearm-server ") + TONEARM_VERSION);
  Settings settings(app, kRows);
  if (auto end = parse_words(app, words)) return *std::move(end);
  try {
    settings.complete(environment);
    auto options = options_of(settings);
    refuse_what_is_missing(settings);
    return options;
  } catch (const UsageFault& fault) {
    return EarlyEnd{2, {}, std::string("tonearm-server: ") + fault.what() + "\nRun with --help for more.\n"};
  }
}

}  // namespace tonearm::native
