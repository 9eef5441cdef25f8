#pragma once
// The command line of tonearm-server (C11).

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "http_server.h"
#include "settings.h"

namespace tonearm::native {

inline constexpr std::size_t kAnswerCacheMibDefault = 32;

struct ServerOptions {
  std::string catalog;
  std::string state;  // a path, or PostgreSQL's URL, which is a secret
  Endpoint listen;
  Endpoint admin_listen;
  std::string admin_token_file;
  std::string key_secret_file;  // empty: made in the state
  bool allow_evaluation = false;
  TlsFiles tls;
  std::size_t threads = 0;
  std::size_t answer_cache_mib = kAnswerCacheMibDefault;
};

/// `words`: those behind the program's name. Throws std::runtime_error for what is no fault of the command line
/// itself.
std::variant<ServerOptions, EarlyEnd> parse_server_options(std::span<const char* const> words,
                                                           const Environment& environment);

/// "127.0.0.1:8080", "[::1]:8080". Throws UsageFault.
Endpoint parse_endpoint(const std::string& text);

}  // namespace tonearm::native
