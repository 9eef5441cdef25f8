#pragma once
// The spelling of an option in each of the three layers, and the checks for all of them.

#include <span>
#include <string>
#include <string_view>

#include "settings/command_line.h"
#include "settings/options.h"
#include "settings/values.h"

namespace tonearm::settings {

/// "site-url" -> "--site-url"; a positional argument ("FILE") keeps its name.
std::string flag_of(std::string_view name);
/// "site-url" -> "TONEARM_SITE_URL"
std::string variable_of(std::string_view name);

/// Returns "; did you mean --site-url?", or an empty text if no supported option is similar. `prefix`: "--" or "".
std::string hint(std::string_view name, std::span<const Option> options, std::string_view prefix);

/// Adds the values of options that are not given yet from the environment and then from the file at `config_path`
/// (empty: none). All lists together are one setting: if a layer gives any of them, the layers below are ignored.
/// Throws Failure.
void add_lower_layers(Values::ByName& given, std::span<const Option> options, const Environment& environment,
                      const std::string& config_path);

/// Normalizes on_off values. Throws for an invalid value, for an option that this version rejects, and for a missing
/// required option: UsageError or Failure, by layer.
void check(Values::ByName& given, std::span<const Option> options);

/// Parses a whole number. Returns nothing if `text` is not one.
std::optional<std::uint64_t> whole_number(std::string_view text);

/// Throws `message` as UsageError for a flag, otherwise as Failure.
[[noreturn]] void throw_for(Layer layer, const std::string& message);

}  // namespace tonearm::settings
