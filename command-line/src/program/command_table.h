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

/// What a command asks the server. `credits` asks more than once (program/credits_command.h).
struct CommandRow {
  std::string_view name;
  std::string_view help;
  std::string_view method;
  std::string_view target;  // {COLLECTION} and {TRACK} stand for the arguments of these names
  Shape shape = Shape::fields;
  std::vector<settings::Option> arguments{};
  std::vector<settings::Option> rest{};
  std::vector<settings::Option> options{};
  std::span<const table::Parameter> parameters{};  // of the route, as options
};

/// "share_alike" -> "share-alike"
std::string option_name(const table::Parameter& parameter);

/// All of them, with what they refer to.
class CommandTable {
 public:
  CommandTable();
  CommandTable(const CommandTable&) = delete;
  CommandTable& operator=(const CommandTable&) = delete;

  const settings::Program& program() const { return program_; }
  /// REQUIRES: a name of the table.
  const CommandRow& row(std::string_view name) const;

 private:
  void add_parameters(CommandRow& row);

  std::vector<CommandRow> rows_;
  std::deque<std::string> names_;  // of options that are parameters
  std::vector<settings::Command> commands_;
  settings::Program program_;
};

}  // namespace tonearm::cli
