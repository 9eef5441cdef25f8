// tonearm-admin: sends one request to the admin interface and prints the response; exports and imports send many.

#include <chrono>
#include <csignal>
#include <iostream>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "admin/admin_commands.h"
#include "admin/admin_output.h"
#include "admin/backup_file.h"
#include "admin/message_relay.h"
#include "admin/state_transfer.h"
#include "client/client_pool.h"
#include "tonearm/terminal.h"

namespace tonearm::native {
namespace {

void refuse_error(const ClientResponse& response) {
  constexpr int kFirstError = 300;
  if (response.status < 200 || response.status >= kFirstError) throw std::runtime_error(error_message(response));
}

/// The first bytes of a SQLite database.
constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};

/// Sends the request and returns the response, or all pages of a list as one.
ClientResponse fetch_all(const AdminCommand& command) {
  std::vector<std::string> bodies;
  for (ClientRequest request = command.request;;) {
    auto response = send(command.server, request, command.ca_file);
    refuse_error(response);
    const std::string cursor = next_cursor(response.body);
    if (cursor.empty() && bodies.empty()) return response;
    bodies.push_back(std::move(response.body));
    if (!cursor.empty()) {
      request.target = command.request.target + "?cursor=" + cursor;
      continue;
    }
    response.body = join_pages(bodies, command.shape);
    return response;
  }
}

ClientResponse download_backup(const AdminCommand& command) {
  BackupFile file(command.file);
  std::string beginning;
  auto response = download(command.server, command.request, command.ca_file, [&](std::string_view piece) {
    if (beginning.size() < kSqliteMagic.size()) beginning += piece.substr(0, kSqliteMagic.size() - beginning.size());
    file.append(piece);
  });
  refuse_error(response);
  if (response.status != 200 || beginning != kSqliteMagic) {
    throw std::runtime_error("the response is not a copy of a state: is this the admin address of a Tonearm server?");
  }
  file.publish();
  response.body = backup_summary(command.file, file.size());
  return response;
}

/// Sends the request every second until it is done, and returns the last response.
ClientResponse repeat_request(const AdminCommand& command) {
  while (true) {
    auto response = send(command.server, command.request, command.ca_file);
    refuse_error(response);
    if (is_done(response.body)) return response;
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

/// Runs the command and returns what to print.
ClientResponse perform(const AdminCommand& command) {
  if (command.action == Action::print_response) return fetch_all(command);
  if (command.action == Action::repeat) return repeat_request(command);
  std::signal(SIGXFSZ, SIG_IGN);  // writing then fails with an error at the size limit
  if (command.action == Action::download) return download_backup(command);
  const AdminServer server{command.server, command.request.token, command.ca_file};
  if (command.action == Action::import_state) return {200, import_state(server, command.file)};
  return {200, export_state(server, command.file, command.key_secret_file)};
}

int run(std::span<const char* const> words) {
  try {
    const auto parsed = parse_admin_command(words, settings::process_environment);
    if (const auto* end = std::get_if<settings::ExitStatus>(&parsed)) return settings::print(*end);
    const auto& command = std::get<AdminCommand>(parsed);
    if (command.action == Action::relay_messages) {
      ClientPool server(command.server, {.ca_file = command.ca_file, .idle_max = 1, .time = std::chrono::seconds(30)});
      relay_messages(std::cin, std::cout, [&](const ClientRequest& message) {
        ClientRequest request = message;
        request.token = command.request.token;
        return server.send(request);
      });
      return 0;
    }
    const auto response = perform(command);
    const auto shown = command.json ? response.body + '\n' : readable(response.body, command.shape);
    std::cout << terminal::lines(shown) << std::flush;
    return 0;
  } catch (const std::exception& failure) {
    std::cerr << "tonearm-admin: " << terminal::line(failure.what()) << '\n';
    return 1;
  }
}

}  // namespace
}  // namespace tonearm::native

int main(int argc, char** argv) {
  const std::vector<const char*> words(argv + 1, argv + argc);
  return tonearm::native::run(words);
}
