#pragma once
// Answers of the admin interface, as people read them.

#include <cstdint>
#include <string>

#include "admin_commands.h"

namespace tonearm::native {

/// Lines of text for a JSON body of that shape. Throws std::runtime_error where it is none.
std::string readable(const std::string& body, Shape shape);

/// JSON of what a backup wrote: {"file", "bytes"}.
std::string backup_summary(const std::string& path, std::uint64_t bytes);

/// The message of an error's body, or of an answer that is none of the interface's.
std::string error_message(const ClientResponse& response);

}  // namespace tonearm::native
