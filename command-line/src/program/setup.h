#pragma once
// The server, the API key or login, and the output of a command (CLI-2 to CLI-4).

#include <cstdint>
#include <stdexcept>
#include <string>

#include "output/screen.h"
#include "server/api_client.h"
#include "settings/command_line.h"

namespace tonearm::cli {

/// An unusable setting: exit status 2.
class SetupError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Output : std::uint8_t { table, json };

/// How data is printed (CLI-4).
struct Display {
  Output output = Output::json;
  Screen screen;
};

struct Setup {
  ApiAccess access;
  std::string warning;  // for stderr; empty: none
  Display display;
};

/// Returns the access to the API, without a key. Throws settings::UsageError.
ApiAccess read_server(const settings::Values& values);

/// Returns the path of the file with the logins (CLI-22). Throws SetupError without a folder for settings.
std::string login_path(const settings::Environment& environment);

/// Returns the setting that is used instead of a login, such as TONEARM_API_KEY; empty: none (CLI-3).
std::string setting_before_login(const settings::Values& values, const settings::Environment& environment);

/// Throws settings::UsageError.
Display read_display(const settings::Values& values, const settings::Environment& environment);

/// Throws SetupError, settings::UsageError.
Setup read_setup(const settings::Values& values, const settings::Environment& environment);

}  // namespace tonearm::cli
