#pragma once
// Reads the file of --config: TOML, with a key for each option.

#include <span>
#include <string>

#include "settings/options.h"
#include "settings/values.h"

namespace tonearm::settings {

/// Returns the values in the file. Throws Failure with file and line if the file cannot be read, a key is not an
/// option, or a value has the wrong type.
Values::ByName read_settings_file(const std::string& path, std::span<const Option> options);

}  // namespace tonearm::settings
