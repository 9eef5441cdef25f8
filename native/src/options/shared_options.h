#pragma once
// The options that several servers share: rows of their tables, and the values. The functions that take values throw as
// settings::Values::refuse does.

#include <array>
#include <string>
#include <string_view>

#include "http/http_server.h"
#include "monitoring/log.h"
#include "settings/values.h"

namespace tonearm::native {

// Rows of option tables. The help texts that differ are parameters.

constexpr settings::Option listen_option(std::string_view help) {
  return {.name = "listen", .value = "ADDR:PORT", .help = help, .standard = "127.0.0.1:8080"};
}
constexpr settings::Option threads_option(std::string_view help) {
  return {.name = "threads", .type = settings::Type::number, .value = "N", .help = help, .bounds = {1, 1024}};
}
constexpr settings::Option trusted_proxy_option(std::string_view help) {
  return {.name = "trusted-proxy", .type = settings::Type::list, .value = "CIDR", .help = help};
}
constexpr settings::Option public_url_option(std::string_view help) {
  return {.name = "public-url", .value = "URL", .help = help};
}
constexpr settings::Option tls_cert_option(std::string_view help) {
  return {.name = "tls-cert", .value = "FILE", .help = help};
}
inline constexpr settings::Option kTlsKeyOption{
    .name = "tls-key", .value = "FILE", .help = "PEM private key of the certificate"};
inline constexpr settings::Option kAdminTokenFileOption{.name = "admin-token-file",
                                                        .value = "FILE",
                                                        .help = "File with the bearer token of the admin interface",
                                                        .presence = settings::Presence::required};
inline constexpr settings::Option kLogFileOption{
    .name = "log-file", .value = "FILE", .help = "Log to this file instead of stderr; SIGHUP reopens it"};
inline constexpr std::array<std::string_view, 2> kLogFormats{"text", "json"};
inline constexpr settings::Option kLogFormatOption{.name = "log-format",
                                                   .value = "FORMAT",
                                                   .help = "text, or json: one object per line",
                                                   .standard = "text",
                                                   .choices = kLogFormats};

/// Returns a file, or a URL of PostgreSQL. Refuses other URLs, because a URL may contain a password, and names of files
/// appear in errors and logs.
std::string store_of(const settings::Values& values, std::string_view name);
/// Does the same check for one of several values.
void check_store(const settings::Values& values, std::string_view name, const std::string& store);

/// Returns http(s)://HOST[:PORT] without a slash at its end, or an empty text if the option is not given.
std::string public_url_of(const settings::Values& values, std::string_view name);

/// Parses ADDR:PORT.
Endpoint endpoint_of(const settings::Values& values, std::string_view name);

/// Parses all list items, because --trusted-proxy is the only list of the servers.
AddressBlocks trusted_proxies_of(const settings::Values& values);

/// Throws settings::UsageError unless both of --tls-cert and --tls-key are given, or neither.
TlsFiles tls_files_of(const settings::Values& values);

LogFormat log_format_of(const settings::Values& values);

}  // namespace tonearm::native
