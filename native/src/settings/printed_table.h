#pragma once
// What a program's table says, for tools that are not the program: a manual page, and a completion for bash.

#include <string>

#include "settings/options.h"

namespace tonearm::settings {

/// In the language of man(7), section 1.
std::string man_page(const Program& program);

/// A script for bash 4 or later: commands, options, the choices of an option; else names of files.
std::string bash_completion(const Program& program);

}  // namespace tonearm::settings
