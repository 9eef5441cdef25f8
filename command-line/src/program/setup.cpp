#include "program/setup.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "files/small_file.h"
#include "login/login_file.h"
#include "login/oauth_client.h"

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

/// Returns the path of a file in the user's folder for settings, or an empty text without such a folder.
std::string settings_file(const Environment& environment, const std::string& name) {
  const auto settings = environment("XDG_CONFIG_HOME").value_or("");
  if (settings.starts_with('/')) return settings + "/tonearm/" + name;
  const auto home = environment("HOME").value_or("");
  return home.empty() ? "" : home + "/.config/tonearm/" + name;
}

/// Sets the access token of the person's login to this API, and how to renew it. Returns false if there is none.
bool use_login(ApiAccess& access, const Environment& environment) {
  const auto path = settings_file(environment, "login");
  if (path.empty()) return false;
  const LoginFile file(path);
  try {
    const auto login = file.find(access.url);
    if (!login) return false;
    access.key = checked_key(login->access_token, path);
  } catch (const Failure& failure) {
    throw SetupError(failure.what());
  }
  access.renew_key = [file, api = access.url, ca_file = access.ca_file](const std::string& refused) {
    return file.renew(api, refused, [&](const Login& login) { return OauthClient(ca_file).refresh(login); });
  };
  return true;
}

// CLI-3
void use_key_or_login(ApiAccess& access, const Values& values, const Environment& environment) {
  if (values.is_given("key-file")) {
    access.key = key_in_file(values.text("key-file"));
    return;
  }
  if (const auto key = environment("TONEARM_API_KEY").value_or(""); !key.empty()) {
    access.key = checked_key(key, "TONEARM_API_KEY");
    return;
  }
  if (use_login(access, environment)) return;
  const auto file = settings_file(environment, "key");
  std::error_code error;
  if (file.empty() || !std::filesystem::exists(file, error)) {
    throw SetupError("an API key is missing: use tonearm login, set TONEARM_API_KEY, or use a file with --key-file" +
                     (file.empty() ? "" : ", such as " + file));
  }
  access.key = key_in_file(file);
}

}  // namespace

ApiAccess read_server(const Values& values) {
  try {
    const auto address = read_api_address(values.text("api"));
    return {address.url, {}, values.text("ca-file"), address.is_local};
  } catch (const std::invalid_argument& error) {
    values.refuse("api", error.what());
  }
}

std::string login_path(const Environment& environment) {
  auto path = settings_file(environment, "login");
  if (path.empty()) throw SetupError("there is no folder to store a login in: HOME is not set");
  return path;
}

std::string setting_before_login(const Values& values, const Environment& environment) {
  if (values.is_given("key-file")) return "the key file " + values.text("key-file");
  return environment("TONEARM_API_KEY").value_or("").empty() ? "" : "TONEARM_API_KEY";
}

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
  setup.access = read_server(values);
  setup.display = read_display(values, environment);
  use_key_or_login(setup.access, values, environment);
  if (read_api_address(setup.access.url).is_exposed) {
    setup.warning = "warning: http sends your API key unencrypted to " + setup.access.url;
  }
  return setup;
}

}  // namespace tonearm::cli
