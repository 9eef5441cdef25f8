#pragma once
// The commands of `tonearm` and their options (CLI-1).

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "output/listings.h"
#include "reflection/parameters.h"
#include "settings/options.h"

namespace tonearm::cli {

/// The request of a command. `credits` sends several (program/credits_command.h), `verify-receipt` and `login` none.
struct CommandRow {
  std::string_view name;
  std::string_view help;
  std::string_view method;
  std::string_view target;  // the arguments replace {COLLECTION} and {TRACK}
  Shape shape = Shape::fields;
  std::vector<settings::Option> arguments{};
  std::vector<settings::Option> rest{};
  std::vector<settings::Option> options{};
  std::span<const table::Parameter> parameters{};  // of the route, offered as options
};

/// Returns "share-alike" for "share_alike".
std::string option_name(const table::Parameter& parameter);

/// All commands, and the storage that they refer to.
class CommandTable {
 public:
  CommandTable();
  CommandTable(const CommandTable&) = delete;
  CommandTable& operator=(const CommandTable&) = delete;

  const settings::Program& program() const { return program_; }
  /// REQUIRES: the table contains the name.
  const CommandRow& row(std::string_view name) const;

 private:
  void add_parameters(CommandRow& row);

  std::vector<CommandRow> rows_;
  std::deque<std::string> names_;  // of options for parameters
  std::vector<settings::Command> commands_;
  settings::Program program_;
};

}  // namespace tonearm::cli
