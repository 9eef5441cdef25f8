#pragma once
// Settings of a program in three layers: flags, then the environment (TONEARM_...), then a TOML file (C11).

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace CLI {  // NOLINT(readability-identifier-naming): the name is the library's
class App;
}

namespace tonearm::native {

/// The words of the command line, or of what stands for them, are wrong: exit status 2.
class UsageFault : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How a program that only says something ends: --help, --version, or a wrong command line.
struct EarlyEnd {
  int status = 0;
  std::string out;
  std::string errors;
};

using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// That of the process. To be read before threads start.
std::optional<std::string> process_environment(const std::string& name);

struct SettingRow {
  enum class Takes : std::uint8_t { value, nothing };

  std::string_view name;  // "key-secret-file": --key-secret-file, TONEARM_KEY_SECRET_FILE, key-secret-file = "..."
  Takes takes = Takes::value;
  std::string_view help;
};

class Settings {
 public:
  /// Adds the rows and --config to the program. `app` and `rows` outlive the settings.
  Settings(CLI::App& app, std::span<const SettingRow> rows);

  /// After the command line was parsed: takes what it left open from the other layers. Throws UsageFault for a
  /// switch that is neither true nor false, std::runtime_error for a file that cannot be read or has unknown keys.
  void complete(const Environment& environment);

  const std::string* find(std::string_view name) const;
  std::string text_or(std::string_view name, std::string_view otherwise) const;
  /// Throws UsageFault where it is not given.
  const std::string& required(std::string_view name) const;
  bool is_on(std::string_view name) const;

 private:
  void read_file(const std::string& path);
  void check_switches() const;

  std::span<const SettingRow> rows_;
  std::map<std::string, std::string, std::less<>> values_;  // switches as "true" or "false"
};

/// Parses the words behind the program's name. Nothing: go on.
std::optional<EarlyEnd> parse_words(CLI::App& app, std::span<const char* const> words);

}  // namespace tonearm::native
