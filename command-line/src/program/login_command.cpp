#include "program/login_command.h"

#include <boost/json.hpp>
#include <chrono>
#include <iostream>
#include <optional>

#include "login/browser.h"
#include "login/login_file.h"
#include "login/oauth_client.h"
#include "login/redirect_receiver.h"
#include "output/listings.h"
#include "program/setup.h"
#include "tonearm/result.h"
#include "tonearm/terminal.h"

namespace tonearm::cli {
namespace {

using settings::Environment;
using settings::Values;

std::string shown(const boost::json::object& answer, const Display& display) {
  if (display.output == Output::json) return terminal::lines(boost::json::serialize(answer)) + '\n';
  return format_answer(answer, Shape::fields, display.screen).data;
}

/// Returns the server. Throws SetupError if it is reached without encryption over a network.
ApiAccess read_login_server(const Values& values) {
  auto access = read_server(values);
  if (!read_api_address(access.url).is_exposed) return access;
  throw SetupError("a login needs https, because http would send its tokens unencrypted to " + access.url);
}

bool has_display(const Environment& environment) {
  return !environment("DISPLAY").value_or("").empty() || !environment("WAYLAND_DISPLAY").value_or("").empty();
}

void offer_page(const std::string& page, const Values& values, const Environment& environment) {
  const bool is_opened = !values.is_on("no-browser") && has_display(environment) && open_in_browser(page);
  std::cerr << (is_opened ? "Sign in on the page that opens in your browser, or open it yourself:\n\n  "
                          : "Open this page in a browser on this machine, and sign in:\n\n  ")
            << terminal::line(page) << "\n\n"
            << std::flush;
}

/// Ends a login at the server. Returns a note if that fails.
std::string end_at_server(const OauthClient& client, const Login& login) {
  try {
    client.revoke(login);
    return {};
  } catch (const ServerError& error) {
    return note(std::string("the tokens are deleted here, but the server could not end them: ") + error.what());
  }
}

/// A file that is damaged must be noticed before the person signs in. Throws SetupError.
void check_file(const LoginFile& file, const std::string& api) {
  try {
    file.find(api);
  } catch (const Failure& failure) {
    throw SetupError(failure.what());
  }
}

/// Stores a login and returns the one that it replaces. If that fails, no tokens remain at the server.
std::optional<Login> store_login(const LoginFile& file, const std::string& api, const OauthClient& client,
                                 const Login& login) {
  try {
    return file.replace(api, login);
  } catch (const Failure&) {
    end_at_server(client, login);
    throw;
  }
}

}  // namespace

LoginOutcome run_login(const Values& values, const Environment& environment) {
  const auto display = read_display(values, environment);
  const auto access = read_login_server(values);
  const LoginFile file(login_path(environment));
  check_file(file, access.url);
  const OauthClient client(access.ca_file);
  const auto server = client.discover(access.url);
  RedirectReceiver receiver;
  const auto request = client.register_client(server, receiver.address());
  offer_page(authorization_page(server, request), values, environment);
  const auto seconds = values.number("wait").value_or(0);
  const auto answer = receiver.wait(request.state, std::chrono::seconds(seconds));
  if (!answer) throw ServerError("nobody signed in within " + std::to_string(seconds) + " seconds: nothing was stored");
  const auto before = store_login(file, access.url, client, client.exchange(server, request, *answer));
  LoginOutcome outcome{shown({{"api", access.url}, {"signed_in", true}}, display), {}};
  if (before) outcome.notes += end_at_server(client, *before);
  if (const auto other = setting_before_login(values, environment); !other.empty()) {
    outcome.notes += note(other + " is used instead of this login, as long as it is given");
  }
  return outcome;
}

LoginOutcome run_logout(const Values& values, const Environment& environment) {
  const auto display = read_display(values, environment);
  const auto access = read_server(values);
  const auto login = LoginFile(login_path(environment)).remove(access.url);
  if (!login) throw SetupError("there is no login to " + access.url);
  return {shown({{"api", access.url}, {"signed_in", false}}, display),
          end_at_server(OauthClient(access.ca_file), *login)};
}

}  // namespace tonearm::cli
