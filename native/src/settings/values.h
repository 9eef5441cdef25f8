#pragma once
// The settings of a program by name, each with its origin. Immutable, so safe to share among threads.

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
#include "tonearm/result.h"

namespace tonearm::settings {

/// An invalid command line: exit status 2.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An invalid environment variable, or a settings file that cannot be used: exit status 1.
class Failure : public tonearm::Failure {
  using tonearm::Failure::Failure;
};

enum class Layer : std::uint8_t { flag, environment, file };

/// The value that one layer gives to one option.
struct Given {
  std::vector<std::string> texts;  // all items of a list, otherwise exactly one; on_off as "true" or "false"
  Layer layer = Layer::flag;
  std::string origin;  // for messages: "--threads", "TONEARM_THREADS", "tonearm.toml:7: threads"
};

class Values {
 public:
  using ByName = std::map<std::string, Given, std::less<>>;
  /// An item of a list: the option's name and the text.
  using Item = std::pair<std::string_view, std::string>;

  /// `options`: all that may be queried. `items`: those of lists, in the order of the command line.
  Values(std::string_view command, std::vector<Option> options, ByName given, std::vector<Item> items);

  /// The command's name in the table; empty if the program has no commands.
  std::string_view command() const { return command_; }

  bool is_given(std::string_view name) const { return given_.contains(name); }
  /// Returns the given text, otherwise the default; empty if there is neither.
  std::string text(std::string_view name) const;
  /// Returns all given values of an option of Type::texts.
  std::vector<std::string> texts(std::string_view name) const;
  /// Returns nothing if it was not given and has no default.
  std::optional<std::uint64_t> number(std::string_view name) const;
  bool is_on(std::string_view name) const;
  /// The items of all lists in the given order.
  const std::vector<Item>& items() const { return items_; }

  /// Throws "<origin> must be <requirement>, not <value>": UsageError for a flag, otherwise Failure. Omits secret
  /// values and those of a list.
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
