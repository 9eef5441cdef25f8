#pragma once
// A whole state out of a server and into another (docs/spec/moving.md): many requests to the admin interface, each for
// a bounded piece. Throw std::runtime_error that says what is wrong and what to do.

#include <string>

#include "client/http_client.h"

namespace tonearm::native {

/// The admin interface to ask.
struct AdminServer {
  ServerUrl url;
  std::string token;
  std::string ca_file;  // as in `ask`
};

/// Writes all accounts into a new file, and the key secret that was made in the state into `key_secret_file`, a new
/// file too; empty: not. Gives JSON: {"file", "bytes", "accounts", "collections", "items", "keys"}.
std::string export_state(const AdminServer& server, const std::string& file, const std::string& key_secret_file);

/// Reads the whole file, asks the server whether all of it can be imported, and then imports it. What is there already
/// stays. Gives JSON: {"file", "accounts", "collections", "items", "keys", "added"}.
std::string import_state(const AdminServer& server, const std::string& file);

}  // namespace tonearm::native
