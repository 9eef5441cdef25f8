#pragma once
// The command line of tonearm-admin (C11), and what each command asks the admin interface.

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "http_client.h"
#include "settings.h"

namespace tonearm::native {

/// How an answer is shown where JSON was not asked for.
enum class Shape : std::uint8_t { fields, accounts, keys, calls, days };

struct AdminCommand {
  ServerUrl server;
  std::string ca_file;
  ClientRequest request;
  Shape shape = Shape::fields;
  bool json = false;
  std::string download_file;  // where the answer's body goes; empty: it is shown
};

/// `words`: those behind the program's name. Throws std::runtime_error for what is no fault of the command line
/// itself.
std::variant<AdminCommand, EarlyEnd> parse_admin_command(std::span<const char* const> words,
                                                         const Environment& environment);

}  // namespace tonearm::native
