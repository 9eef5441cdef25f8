#pragma once
// Reads the settings of a program: flags override environment variables, which override the file of --config
// (PROGRAM-2).
//
//   const auto options = read_settings<Options>(kProgram, words, process_environment, options_of);
//   if (const auto* end = std::get_if<ExitStatus>(&options)) return print(*end);

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "settings/options.h"
#include "settings/values.h"

namespace tonearm::settings {

/// Returns the value of an environment variable. Tests pass their own function.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// Reads the environment of the process; nothing else does. An empty variable counts as not set. Call it before threads
/// start.
std::optional<std::string> process_environment(const std::string& name);

/// The result of a program that only prints: --help and --version (0), an invalid command line (2; PROGRAM-4).
struct ExitStatus {
  int status = 0;
  std::string out;
  std::string errors;
};

/// Prints both texts and returns the status.
int print(const ExitStatus& end);

/// `words`: the arguments after the program's name. Throws UsageError if they are invalid, and Failure for an
/// environment variable or a settings file that cannot be used.
std::variant<Values, ExitStatus> read_values(const Program& program, std::span<const char* const> words,
                                             const Environment& environment);

/// Returns the message about an invalid command line.
ExitStatus usage_status(const Program& program, const UsageError& error);

/// Returns what `make` makes of the values. A UsageError, also from `make`, becomes an ExitStatus; other exceptions
/// pass.
template <class Options, class Make>
std::variant<Options, ExitStatus> read_settings(const Program& program, std::span<const char* const> words,
                                                const Environment& environment, const Make& make) {
  try {
    auto values = read_values(program, words, environment);
    if (auto* end = std::get_if<ExitStatus>(&values)) return std::move(*end);
    return make(std::get<Values>(values));
  } catch (const UsageError& error) {
    return usage_status(program, error);
  }
}

}  // namespace tonearm::settings
