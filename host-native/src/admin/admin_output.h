#pragma once
// Answers of the admin interface, as people read them.

#include <cstdint>
#include <string>
#include <vector>

#include "admin/admin_commands.h"

namespace tonearm::native {

/// Lines of text for a JSON body of that shape. Throws std::runtime_error where it is none.
std::string readable(const std::string& body, Shape shape);

/// What to ask the next page of a list with; nothing: this was the last one, or it is no list by pages.
std::string next_cursor(const std::string& body);

/// The pages of a list as one body: all rows, and the other fields of the last page. Throws std::runtime_error where a
/// page is none.
std::string join_pages(const std::vector<std::string>& bodies, Shape shape);

/// JSON of what a backup wrote: {"file", "bytes"}.
std::string backup_summary(const std::string& path, std::uint64_t bytes);

/// The message of an error's body, or of an answer that is none of the interface's.
std::string error_message(const ClientResponse& response);

}  // namespace tonearm::native
