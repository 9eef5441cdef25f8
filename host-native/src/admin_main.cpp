// tonearm-admin: one command, one request to the admin interface, one answer printed.

#include <csignal>
#include <iostream>
#include <span>
#include <vector>

#include "admin_commands.h"
#include "admin_output.h"
#include "backup_file.h"

namespace tonearm::native {
namespace {

void refuse_error(const ClientResponse& response) {
  constexpr int kFirstError = 300;
  if (response.status < 200 || response.status >= kFirstError) throw std::runtime_error(error_message(response));
}

/// What a database of SQLite begins with.
constexpr std::string_view kDatabaseMark{"SQLite format 3\0", 16};

/// What to show: the answer, or what was written into the file.
ClientResponse perform(const AdminCommand& command) {
  if (command.download_file.empty()) {
    auto response = ask(command.server, command.request, command.ca_file);
    refuse_error(response);
    return response;
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its writing
  BackupFile file(command.download_file);
  std::string beginning;
  auto response = download(command.server, command.request, command.ca_file, [&](std::string_view piece) {
    if (beginning.size() < kDatabaseMark.size()) beginning += piece.substr(0, kDatabaseMark.size() - beginning.size());
    file.append(piece);
  });
  refuse_error(response);
  if (response.status != 200 || beginning != kDatabaseMark) {
    throw std::runtime_error("the answer is no copy of a state: is this the admin address of a Tonearm server?");
  }
  file.publish();
  response.body = backup_summary(command.download_file, file.size());
  return response;
}

int run(std::span<const char* const> words) {
  try {
    const auto parsed = parse_admin_command(words, process_environment);
    if (const auto* end = std::get_if<EarlyEnd>(&parsed)) {
      std::cout << end->out;
      std::cerr << end->errors;
      return end->status;
    }
    const auto& command = std::get<AdminCommand>(parsed);
    const auto response = perform(command);
    std::cout << (command.json ? response.body + '\n' : readable(response.body, command.shape)) << std::flush;
    return 0;
  } catch (const std::exception& fault) {
    std::cerr << "tonearm-admin: " << fault.what() << '\n';
    return 1;
  }
}

}  // namespace
}  // namespace tonearm::native

int main(int argc, char** argv) {
  const std::vector<const char*> words(argv + 1, argv + argc);
  return tonearm::native::run(words);
}
