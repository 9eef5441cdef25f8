#pragma once
// Moves a state from one server to another (docs/spec/moving.md) by many requests to the admin interface, each for a
// bounded batch. The functions throw std::runtime_error with the problem and the remedy.

#include <string>

#include "client/http_client.h"

namespace tonearm::native {

/// An admin interface.
struct AdminServer {
  ServerUrl url;
  std::string token;
  std::string ca_file;  // as for `send`
};

/// Writes all accounts to a new file, and the key secret that was created in the state to `key_secret_file`, also a new
/// file; empty: none. Returns JSON: {"file", "bytes", "accounts", "collections", "items", "keys"}.
std::string export_state(const AdminServer& server, const std::string& file, const std::string& key_secret_file);

/// Checks the whole file, lets the server check all of it, and then imports it. Existing data stays. Returns JSON:
/// {"file", "accounts", "collections", "items", "keys", "added"}.
std::string import_state(const AdminServer& server, const std::string& file);

}  // namespace tonearm::native
