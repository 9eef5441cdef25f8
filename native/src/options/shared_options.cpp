#include "options/shared_options.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "postgresql/postgresql_store.h"
#include "text/web_address.h"

namespace tonearm::native {
namespace {

/// "127.0.0.1:8080", "[::1]:8080"
std::optional<Endpoint> parse_endpoint(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  Endpoint endpoint{text.substr(0, colon)};
  auto& address = endpoint.address;
  if (address.size() > 2 && address.front() == '[' && address.back() == ']') {
    address = address.substr(1, address.size() - 2);
  } else if (address.empty() || address.find(':') != std::string::npos) {
    return std::nullopt;  // an IPv6 address needs brackets
  }
  const char* const end = text.data() + text.size();
  const auto port = std::from_chars(text.data() + colon + 1, end, endpoint.port);
  if (port.ec != std::errc() || port.ptr != end) return std::nullopt;
  return endpoint;
}

}  // namespace

void check_store(const settings::Values& values, std::string_view name, const std::string& state) {
  const auto is_of_scheme = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '.' ||
           c == '-';
  };
  if (is_postgresql_url(state)) return;
  const std::size_t scheme = state.find(":/");
  const auto scheme_end = state.begin() + static_cast<std::ptrdiff_t>(std::min(scheme, state.size()));
  const bool has_scheme =
      scheme != std::string::npos && scheme > 0 && std::all_of(state.begin(), scheme_end, is_of_scheme);
  if (has_scheme || state.find("password=") != std::string::npos) {
    values.refuse(name, "a file, or the URL of a database that begins with postgresql:// or postgres://");
  }
}

std::string store_of(const settings::Values& values, std::string_view name) {
  auto store = values.text(name);
  check_store(values, name, store);
  return store;
}

std::string public_url_of(const settings::Values& values, std::string_view name) {
  constexpr std::string_view kAuthority = "abcdefghijklmnopqrstuvwxyz0123456789.-:[]";
  auto url = values.text(name);
  if (url.empty()) return url;
  if (url.ends_with('/')) url.pop_back();
  const auto address = text::parse_web_address(url);
  // Clients normalize the address before they send it back, so only the normalized form is accepted.
  const bool is_normalized = address && !address->host.empty() && address->origin == url &&
                             address->authority.find_first_not_of(kAuthority) == std::string_view::npos &&
                             url.starts_with("http") && address->port != (address->is_https ? ":443" : ":80");
  if (!is_normalized)
    values.refuse(name, "http(s)://HOST or http(s)://HOST:PORT in lower case, without a default port");
  return url;
}

Endpoint endpoint_of(const settings::Values& values, std::string_view name) {
  const auto endpoint = parse_endpoint(values.text(name));
  if (!endpoint) values.refuse(name, "ADDR:PORT, such as 127.0.0.1:8080 or [::1]:8080");
  return *endpoint;
}

AddressBlocks trusted_proxies_of(const settings::Values& values) {
  AddressBlocks blocks;
  for (const auto& [name, text] : values.items()) {
    const auto block = AddressBlock::parse(text);
    if (!block) values.refuse(name, "an address or a CIDR block, such as 10.0.0.0/8 or fd00::/8");
    blocks.push_back(*block);
  }
  return blocks;
}

TlsFiles tls_files_of(const settings::Values& values) {
  TlsFiles files{values.text("tls-cert"), values.text("tls-key")};
  if (files.certificate.empty() != files.key.empty()) {
    throw settings::UsageError("--tls-cert and --tls-key must be used together");
  }
  return files;
}

LogFormat log_format_of(const settings::Values& values) {
  return values.text("log-format") == "json" ? LogFormat::json : LogFormat::text;
}

}  // namespace tonearm::native
