#pragma once
// The settings that a program was given, by name, each with where it came from. Constant once read, so safe to share
// among threads.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "settings/options.h"

namespace tonearm::settings {

/// A wrong command line: exit status 2.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A wrong environment variable, or a settings file that cannot be used: exit status 1.
class Failure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Layer : std::uint8_t { flag, environment, file };

/// What one layer says about one option.
struct Given {
  std::vector<std::string> texts;  // of a list all items, else exactly one; on_off as "true" or "false"
  Layer layer = Layer::flag;
  std::string origin;  // for messages: "--threads", "TONEARM_THREADS", "tonearm.toml:7: threads"
};

class Values {
 public:
  using ByName = std::map<std::string, Given, std::less<>>;
  /// An item of a list: the option's name and the text.
  using Item = std::pair<std::string_view, std::string>;

  /// `options`: all that may be asked for. `items`: those of lists, in the order of the command line.
  Values(std::string_view command, std::vector<Option> options, ByName given, std::vector<Item> items);

  /// The command's name as the table has it; empty where the program has no commands.
  std::string_view command() const { return command_; }

  bool is_given(std::string_view name) const { return given_.contains(name); }
  /// The text that was given, or else the table's; empty where there is neither.
  std::string text(std::string_view name) const;
  /// Nothing where it was not given and the table has no number for it.
  std::optional<std::uint64_t> number(std::string_view name) const;
  bool is_on(std::string_view name) const;
  /// The items of all lists, in the order in which they were given.
  const std::vector<Item>& items() const { return items_; }

  /// Throws "<origin> must be <requirement>, not <value>": UsageError for a flag, else Failure. A secret value and
  /// those of a list are left out.
  [[noreturn]] void refuse(std::string_view name, const std::string& requirement) const;

 private:
  /// REQUIRES: the table has the option.
  const Option& option(std::string_view name) const;

  std::string_view command_;
  std::vector<Option> options_;
  ByName given_;
  std::vector<Item> items_;
};

}  // namespace tonearm::settings
