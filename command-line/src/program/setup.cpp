#include "program/setup.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "files/small_file.h"

namespace tonearm::cli {
namespace {

using settings::Environment;
using settings::Values;

constexpr std::size_t kKeyMax = 1'024;

/// Accepts only keys that fit into a header field. No message contains the key.
std::string checked_key(const std::string& key, const std::string& origin) {
  const bool is_visible = std::ranges::all_of(key, [](char c) { return c > ' ' && c <= '~'; });
  if (key.empty() || key.size() > kKeyMax || !is_visible) throw SetupError(origin + " contains no API key");
  return key;
}

std::string key_in_file(const std::string& path) {
  try {
    return checked_key(native::read_private_secret(path), path);
  } catch (const SetupError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw SetupError(error.what());
  }
}

/// Returns `tonearm/key` in the user's settings folder, or an empty text without such a folder.
std::string default_key_file(const Environment& environment) {
  const auto settings = environment("XDG_CONFIG_HOME").value_or("");
  if (settings.starts_with('/')) return settings + "/tonearm/key";
  const auto home = environment("HOME").value_or("");
  return home.empty() ? "" : home + "/.config/tonearm/key";
}

// CLI-3
std::string read_key(const Values& values, const Environment& environment) {
  if (values.is_given("key-file")) return key_in_file(values.text("key-file"));
  const auto key = environment("TONEARM_API_KEY").value_or("");
  if (!key.empty()) return checked_key(key, "TONEARM_API_KEY");
  const auto file = default_key_file(environment);
  std::error_code error;
  if (!file.empty() && std::filesystem::exists(file, error)) return key_in_file(file);
  throw SetupError("an API key is missing: set TONEARM_API_KEY, or use a file with --key-file" +
                   (file.empty() ? "" : ", such as " + file));
}

}  // namespace

Display read_display(const Values& values, const Environment& environment) {
  if (values.is_on("json") && values.is_on("table"))
    throw settings::UsageError("--json and --table exclude each other");
  const bool is_table = values.is_on("table") || (!values.is_on("json") && is_terminal(STDOUT_FILENO));
  const bool is_plain = values.is_on("no-color") || !environment("NO_COLOR").value_or("").empty();
  return {is_table ? Output::table : Output::json,
          detect_screen({is_plain, environment("TERM").value_or(""), environment("COLUMNS").value_or("")})};
}

Setup read_setup(const Values& values, const Environment& environment) {
  Setup setup;
  ApiAddress address;
  try {
    address = read_api_address(values.text("api"));
  } catch (const std::invalid_argument& error) {
    values.refuse("api", error.what());
  }
  setup.display = read_display(values, environment);
  setup.access = {address.url, read_key(values, environment), values.text("ca-file"), address.is_local};
  if (address.is_exposed) setup.warning = "warning: http sends your API key unencrypted to " + address.url;
  return setup;
}

}  // namespace tonearm::cli
