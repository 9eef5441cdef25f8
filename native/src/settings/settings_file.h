#pragma once
// The file of --config: TOML, a key for each option.

#include <span>
#include <string>

#include "settings/options.h"
#include "settings/values.h"

namespace tonearm::settings {

/// What the file says, each value of its option's type. Throws Failure with file and line for a file that cannot be
/// read, a key that is no option and a value of another type.
Values::ByName read_settings_file(const std::string& path, std::span<const Option> options);

}  // namespace tonearm::settings
