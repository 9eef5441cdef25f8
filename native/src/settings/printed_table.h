#pragma once
// Renders a program's option table as a manual page and as a completion for bash.

#include <string>

#include "settings/options.h"

namespace tonearm::settings {

/// Renders a page of section 1 in the language of man(7).
std::string man_page(const Program& program);

/// Renders a script for bash 4 or later. It completes commands, options and the choices of an option, otherwise file
/// names.
std::string bash_completion(const Program& program);

}  // namespace tonearm::settings
