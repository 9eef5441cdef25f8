#pragma once
// The commands of tonearm-admin (PROGRAM-7), and the request that each sends to the admin interface.

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "client/http_client.h"
#include "settings/command_line.h"

namespace tonearm::native {

/// How an answer is shown where JSON was not asked for.
enum class Shape : std::uint8_t { fields, accounts, keys, calls, days, limits };

/// What a command does.
enum class Action : std::uint8_t {
  ask,           // its request, and shows the answer
  download,      // its request, whose answer goes into `file`
  export_state,  // many requests (admin/state_transfer.h)
  import_state,
  relay_messages,  // those of its standard input (admin/message_relay.h)
};

struct AdminCommand {
  Action action = Action::ask;
  ServerUrl server;
  std::string ca_file;
  ClientRequest request;
  Shape shape = Shape::fields;
  bool json = false;
  std::string file;
  std::string key_secret_file;  // where an export writes the key secret; empty: nowhere
};

/// `words`: those after the program's name. Throws std::runtime_error for a wrong environment variable, settings file,
/// server URL or token file.
std::variant<AdminCommand, settings::ExitStatus> parse_admin_command(std::span<const char* const> words,
                                                                     const settings::Environment& environment);

}  // namespace tonearm::native
