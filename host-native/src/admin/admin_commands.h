#pragma once
// The commands of tonearm-admin (PROGRAM-7), and the request of each to the admin interface.

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "client/http_client.h"
#include "settings/command_line.h"

namespace tonearm::native {

/// The format of a response unless JSON is requested.
enum class Shape : std::uint8_t { fields, accounts, keys, calls, days, limits, take_downs };

/// The action of a command.
enum class Action : std::uint8_t {
  print_response,  // sends the request and prints the response
  download,        // writes the response to `file`
  repeat,          // sends the request until the response says that it is done
  export_state,    // sends many requests (admin/state_transfer.h)
  import_state,
  relay_messages,  // passes on standard input (admin/message_relay.h)
};

struct AdminCommand {
  Action action = Action::print_response;
  ServerUrl server;
  std::string ca_file;
  ClientRequest request;
  Shape shape = Shape::fields;
  bool json = false;
  std::string file;
  std::string key_secret_file;  // the file for the exported key secret; empty: none
};

/// `words`: the arguments after the program's name. Throws std::runtime_error for an invalid environment variable,
/// settings file, server URL or token file.
std::variant<AdminCommand, settings::ExitStatus> parse_admin_command(std::span<const char* const> words,
                                                                     const settings::Environment& environment);

}  // namespace tonearm::native
