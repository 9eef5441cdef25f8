#pragma once
// One option in three layers: its spelling in each, and the checks that hold in all.

#include <span>
#include <string>
#include <string_view>

#include "settings/command_line.h"
#include "settings/options.h"
#include "settings/values.h"

namespace tonearm::settings {

/// "site-url" -> "--site-url"; an argument by position ("FILE") is called by its name alone.
std::string flag_of(std::string_view name);
/// "site-url" -> "TONEARM_SITE_URL"
std::string variable_of(std::string_view name);

/// "; did you mean --site-url?", or nothing where no option that works is near. `prefix`: "--" or "".
std::string hint(std::string_view name, std::span<const Option> options, std::string_view prefix);

/// Adds what the environment and then the file at `config_path` (empty: none) say about options that are not given yet.
/// Lists are one setting together: once a layer gives any of them, those below it are not asked. Throws Failure.
void add_lower_layers(Values::ByName& given, std::span<const Option> options, const Environment& environment,
                      const std::string& config_path);

/// Brings on_off values into one form, and throws for a value that the option does not take, for one that this version
/// refuses and for a required option that is not given: UsageError or Failure, by layer.
void check(Values::ByName& given, std::span<const Option> options);

/// The whole number that `text` is.
std::optional<std::uint64_t> whole_number(std::string_view text);

/// Throws `message`: UsageError for a flag, else Failure.
[[noreturn]] void throw_for(Layer layer, const std::string& message);

}  // namespace tonearm::settings
