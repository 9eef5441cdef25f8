#pragma once
// The options of tonearm-web.

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "client/http_client.h"
#include "http/http_server.h"
#include "public_web/public_address.h"
#include "routes/site.h"
#include "settings/command_line.h"

namespace tonearm::web {

struct WebOptions {
  native::ServerUrl api;
  native::ServerUrl admin;
  std::string public_api;  // the address of the API for programs
  std::string public_url;  // the address of the site; empty: the site is no authorization server of OAuth
  std::string admin_token_file;
  std::string ca_file;
  native::Endpoint listen;
  native::TlsFiles tls;
  std::string data;
  std::string store;  // a path, or a PostgreSQL URL, which is a secret
  std::string media;
  std::string catalog;
  std::string site;  // empty: no built site
  std::size_t threads = 0;
  std::uint64_t visitor_rate = 0;
  std::uint64_t visitor_burst = 0;
  std::uint64_t sign_ups_per_hour = 0;
  PlanChoice plan_choice = PlanChoice::operator_only;
  std::string reset_password;                               // the name of a person; empty: serve the site
  std::vector<public_web::AddressBlock> allowed_addresses;  // of webhooks, although they are not public
  native::AddressBlocks trusted_proxies;
  std::string log_file;
  native::LogFormat log_format = native::LogFormat::text;
};

/// Works like parse_server_options.
std::variant<WebOptions, settings::ExitStatus> parse_web_options(std::span<const char* const> words,
                                                                 const settings::Environment& environment);

}  // namespace tonearm::web
