// tonearm-admin: one command, one request to the admin interface, one answer printed.

#include <iostream>
#include <span>
#include <vector>

#include "admin_commands.h"
#include "admin_output.h"

namespace tonearm::native {
namespace {

int run(std::span<const char* const> words) {
  try {
    const auto parsed = parse_admin_command(words, process_environment);
    if (const auto* end = std::get_if<EarlyEnd>(&parsed)) {
      std::cout << end->out;
      std::cerr << end->errors;
      return end->status;
    }
    const auto& command = std::get<AdminCommand>(parsed);
    const auto response = ask(command.server, command.request, command.ca_file);
    constexpr int kFirstError = 300;
    if (response.status < 200 || response.status >= kFirstError) throw std::runtime_error(error_message(response));
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
