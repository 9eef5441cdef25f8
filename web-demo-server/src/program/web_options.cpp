#include "program/web_options.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>

#include "options/shared_options.h"

namespace tonearm::web {
namespace {

using settings::Option;
using settings::Presence;
using settings::Secrecy;
using settings::Type;
using settings::Values;

constexpr std::array kOptions{
    Option{.name = "api",
           .value = "URL",
           .help = "URL of the API: a native server or the edge",
           .standard = "http://127.0.0.1:8081"},
    Option{.name = "admin",
           .value = "URL",
           .help = "URL of the admin interface of the API",
           .standard = "http://127.0.0.1:8082"},
    Option{.name = "public-api",
           .value = "URL",
           .help = "URL at which programs reach the API, shown in the API reference (default: --api)"},
    native::public_url_option("URL of this site; lets assistants sign in with OAuth, see docs/operate/web.md"),
    native::kAdminTokenFileOption,
    Option{.name = "ca-file",
           .value = "FILE",
           .help = "PEM file of certificates to trust for https instead of the system's"},
    native::listen_option("Address to listen on; port 0 picks a free port"),
    Option{.name = "data",
           .value = "DIR",
           .help = "Directory for the site's own key and its accounts; created if missing",
           .presence = Presence::required},
    Option{.name = "store",
           .value = "FILE|URL",
           .help = "Store of people: an SQLite file, or postgresql://... (default: people.sqlite in --data)",
           .secrecy = Secrecy::secret},
    Option{.name = "media", .value = "DIR", .help = "Directory of audio and waveform files, served below /media"},
    Option{.name = "catalog", .value = "FILE", .help = "Snapshot to offer for search in the browser"},
    Option{.name = "site", .value = "DIR", .help = "Directory of the built page (default: found next to the program)"},
    native::threads_option("Worker threads (default: 8 per processor)"),
    Option{.name = "visitor-rate",
           .type = Type::number,
           .value = "N",
           .help = "Sustained requests per second of one visitor",
           .standard = "20",
           .bounds = {1, 1'000}},
    Option{.name = "visitor-burst",
           .type = Type::number,
           .value = "N",
           .help = "Requests that one visitor may make at once",
           .standard = "200",
           .bounds = {1, 1'000'000}},
    Option{.name = "sign-ups",
           .type = Type::number,
           .value = "N",
           .help = "Accounts that one visitor may create per hour",
           .standard = "60",
           .bounds = {1, 1'000'000}},
    Option{.name = "allow-plan-choice",
           .type = Type::on_off,
           .help = "Let people switch their own plan between free and pro, without payment"},
    Option{
        .name = "reset-password",
        .value = "NAME",
        .help =
            "Print a code with which this person sets a new password within a day, and exit; the site may be running",
        .layers = settings::Layers::flag_alone},
    Option{
        .name = "allow-address",
        .type = Type::list,
        .value = "CIDR",
        .help = "Also send webhooks to these addresses, although they are not public, and over http; may be repeated"},
    native::trusted_proxy_option("Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted; may be repeated"),
    native::tls_cert_option("PEM certificate chain; the site then serves only HTTPS"),
    native::kTlsKeyOption,
    native::kLogFileOption,
    native::kLogFormatOption,
};

constexpr settings::Program kProgram{
    .name = "tonearm-web", .version = TONEARM_VERSION, .help = "Serves the web site of a catalog", .options = kOptions};

native::ServerUrl url_of(const Values& values, std::string_view name) {
  try {
    return native::parse_server_url(values.text(name));
  } catch (const std::runtime_error&) {
    values.refuse(name, "http://HOST:PORT or https://HOST:PORT");
  }
}

/// Finds the built page in the source tree or in an installation.
std::string find_site() {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  for (const char* const path : {"../../site", "../share/tonearm/site"}) {
    const auto folder = (program.parent_path() / path).lexically_normal();
    if (fs::is_directory(folder / "assets", error)) return folder.string();
  }
  return {};
}

WebOptions options_of(const Values& values) {
  WebOptions options;
  options.api = url_of(values, "api");
  options.admin = url_of(values, "admin");
  if (values.is_given("public-api")) url_of(values, "public-api");  // rejects what is not a URL
  options.public_api = values.text(values.is_given("public-api") ? "public-api" : "api");
  options.public_url = native::public_url_of(values, "public-url");
  if (!options.public_url.empty()) {
    options.public_api = native::public_url_of(values, values.is_given("public-api") ? "public-api" : "api");
  }
  options.admin_token_file = values.text("admin-token-file");
  options.ca_file = values.text("ca-file");
  options.listen = native::endpoint_of(values, "listen");
  options.tls = native::tls_files_of(values);
  options.data = values.text("data");
  options.store = values.is_given("store") ? native::store_of(values, "store") : options.data + "/people.sqlite";
  options.media = values.text("media");
  options.catalog = values.text("catalog");
  options.site = values.is_given("site") ? values.text("site") : find_site();
  constexpr std::size_t kThreadsPerProcessor = 8;  // a thread mostly waits for the API
  options.threads =
      values.number("threads").value_or(kThreadsPerProcessor * std::max(1U, std::thread::hardware_concurrency()));
  options.visitor_rate = values.number("visitor-rate").value_or(1);
  options.visitor_burst = values.number("visitor-burst").value_or(1);
  options.sign_ups_per_hour = values.number("sign-ups").value_or(1);
  options.plan_choice = values.is_on("allow-plan-choice") ? PlanChoice::people : PlanChoice::operator_only;
  options.reset_password = values.text("reset-password");
  for (const auto& [option, text] : values.items()) {
    if (option != "allow-address") continue;
    const auto block = public_web::read_address_block(text);
    if (!block) values.refuse("allow-address", "a block of addresses (192.168.0.0/16), not " + text);
    options.allowed_addresses.push_back(*block);
  }
  options.trusted_proxies = native::trusted_proxies_of(values);
  options.log_file = values.text("log-file");
  options.log_format = native::log_format_of(values);
  return options;
}

}  // namespace

std::variant<WebOptions, settings::ExitStatus> parse_web_options(std::span<const char* const> words,
                                                                 const settings::Environment& environment) {
  return settings::read_settings<WebOptions>(kProgram, words, environment, options_of);
}

}  // namespace tonearm::web
