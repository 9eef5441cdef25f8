#pragma once
// The settings of tonearm-server (PROGRAM-6).

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "http/http_server.h"
#include "monitoring/log.h"
#include "object_store/object_reader.h"
#include "settings/command_line.h"

namespace tonearm::native {

/// A catalog in object storage.
struct RemoteCatalogOptions {
  ObjectAccess access;
  std::string folder;
  std::uint64_t bytes_max = 0;  // of the folder
  std::chrono::seconds interval{};
};

struct ServerOptions {
  std::string catalog;                                 // the file to serve; in the cache's folder if it is downloaded
  std::optional<RemoteCatalogOptions> remote_catalog;  // where it is downloaded from
  std::string state;                                   // a path, or a URL of PostgreSQL, which is a secret
  std::vector<std::string> more_states;                // URLs of the other databases of a divided state (HOST-56)
  Endpoint listen;
  Endpoint admin_listen;
  std::string admin_token_file;
  std::string metrics_token_file;  // empty: only the admin token opens the metrics
  std::string audit_log;           // empty: stderr, with the log
  std::string key_secret_file;     // empty: created in the state
  bool allow_evaluation = false;
  TlsFiles tls;
  std::size_t threads = 0;
  std::size_t answer_cache_mib = 0;
  std::size_t connections = 0;
  std::size_t connections_per_client = 0;
  AddressBlocks trusted_proxies;
  std::string log_file;  // empty: stderr
  LogFormat log_format = LogFormat::text;
  std::string catalog_key;  // a file with public keys; empty: snapshots need no signature
  std::size_t state_reserve_mib = 0;
  std::string public_url;            // as clients reach the API, without a slash at its end; empty: not known
  std::string authorization_server;  // in the same form; empty: clients of /mcp need a key
};

/// `words`: the arguments after the program's name. Throws settings::Failure for an invalid environment variable or
/// settings file, and for an option that this version rejects.
std::variant<ServerOptions, settings::ExitStatus> parse_server_options(std::span<const char* const> words,
                                                                       const settings::Environment& environment);

}  // namespace tonearm::native
