#pragma once
// Opens a page in the person's browser.

#include <string>

namespace tonearm::cli {

/// Starts xdg-open and does not wait for it. Returns whether it was started.
bool open_in_browser(const std::string& url);

}  // namespace tonearm::cli
