// tonearm: the API for people and scripts. Each command sends requests and prints one answer (CLI-1).

#include <unistd.h>

#include <clocale>
#include <iostream>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "login/login_file.h"
#include "output/json_values.h"
#include "output/listings.h"
#include "program/command_table.h"
#include "program/credits_command.h"
#include "program/login_command.h"
#include "program/receipt_command.h"
#include "program/requests.h"
#include "program/setup.h"
#include "project/project_files.h"
#include "tonearm/terminal.h"
#ifdef TONEARM_STATIC
#include <openssl/crypto.h>
#endif

namespace tonearm::cli {
namespace {

// CLI-5
enum class Status : std::uint8_t { done, not_clean, usage, server, failed };

int exit_status(Status status) { return static_cast<int>(status); }

Status fail(Status status, const std::string& message) {
  std::cerr << "tonearm: " << terminal::line(message) << '\n';
  return status;
}

void print(const std::string& data, const std::string& notes) {
  std::cout << data << std::flush;
  if (!std::cout) throw std::runtime_error("the answer cannot be written");
  std::cerr << notes;
}

/// Returns whether the answer is a file instead of JSON: the credits of a collection.
bool is_file(const CommandRow& row, const settings::Values& values) {
  return row.shape == Shape::credits && values.is_given("format") && values.text("format") != "json";
}

void send_and_print(const CommandRow& row, const settings::Values& values, const Setup& setup, ApiClient& client) {
  ApiAnswer answer;
  for (const auto& request : requests_of(row, values, client)) answer = client.send_or_throw(request);
  if (is_file(row, values)) {
    return print(is_terminal(STDOUT_FILENO) ? terminal::lines(answer.body) : answer.body, {});
  }
  const bool is_partial = row.name == "search" && values.is_given("fields");
  const bool is_json = values.is_given("format") || is_partial || setup.display.output == Output::json;
  if (is_json) return print(terminal::lines(answer.body) + '\n', {});
  const bool are_several = row.name == "track" && rest_of(values, row).size() > 1;
  const auto shown =
      format_answer(read_answer(answer.body), are_several ? Shape::tracks : row.shape, setup.display.screen);
  print(shown.data, shown.notes);
}

Status perform(const CommandTable& table, const settings::Values& values) {
  const auto& row = table.row(values.command());
  if (is_offline(row.shape)) {
    const auto display = read_display(values, settings::process_environment);
    const auto outcome =
        row.shape == Shape::release_log ? run_verify_log(values, display) : run_verify_receipt(values, display);
    print(outcome.data, {});
    return outcome.are_all_valid ? Status::done : Status::not_clean;
  }
  if (row.name == "login" || row.name == "logout") {
    const auto outcome = row.name == "login" ? run_login(values, settings::process_environment)
                                             : run_logout(values, settings::process_environment);
    print(outcome.data, outcome.notes);
    return Status::done;
  }
  const auto setup = read_setup(values, settings::process_environment);
  if (!setup.warning.empty()) std::cerr << "tonearm: " << terminal::line(setup.warning) << '\n';
  ApiClient client(setup.access);
  if (row.name != "credits") {
    send_and_print(row, values, setup, client);
    return Status::done;
  }
  const auto outcome = run_credits(values, setup, client);
  print(outcome.data, outcome.notes);
  if (values.is_given("receipts")) write_receipts(values.text("receipts"), outcome.track_ids, client);
  return outcome.is_clean ? Status::done : Status::not_clean;
}

Status run(std::span<const char* const> words) {
  const CommandTable table;
  const auto& program = table.program();
  try {
    if (words.empty()) {
      const std::vector<const char*> help{"--help"};
      const auto end = settings::read_values(program, help, settings::process_environment);
      std::cerr << std::get<settings::ExitStatus>(end).out;
      return Status::usage;
    }
    const auto read = settings::read_values(program, words, settings::process_environment);
    if (const auto* const end = std::get_if<settings::ExitStatus>(&read)) {
      print(end->out, end->errors);
      return Status::done;
    }
    return perform(table, std::get<settings::Values>(read));
  } catch (const settings::UsageError& error) {
    std::cerr << terminal::lines(settings::usage_status(program, error).errors);
    return Status::usage;
  } catch (const settings::Failure& failure) {
    return fail(Status::usage, failure.what());
  } catch (const SetupError& error) {
    return fail(Status::usage, error.what());
  } catch (const LoginFileError& error) {
    return fail(Status::usage, error.what());
  } catch (const FolderError& error) {
    return fail(Status::usage, error.what());
  } catch (const ServerError& error) {
    return fail(Status::server, error.what());
  } catch (const std::exception& failure) {
    return fail(Status::failed, failure.what());
  }
}

}  // namespace
}  // namespace tonearm::cli

int main(int argc, char** argv) {
#ifdef TONEARM_STATIC
  // The configuration of the system's OpenSSL may name modules, which a static program cannot load.
  ::OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
#endif
  std::setlocale(LC_CTYPE, "C.UTF-8");  // for the widths of characters
  const std::vector<const char*> words(argv + 1, argv + argc);
  return tonearm::cli::exit_status(tonearm::cli::run(words));
}
