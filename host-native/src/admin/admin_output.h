#pragma once
// Formats responses of the admin interface for people.

#include <cstdint>
#include <string>
#include <vector>

#include "admin/admin_commands.h"

namespace tonearm::native {

/// Formats a JSON body of that shape as text. Throws std::runtime_error if it has another shape.
std::string readable(const std::string& body, Shape shape);

/// Returns the cursor of the next page, empty if this is the last page or not a list with pages.
std::string next_cursor(const std::string& body);

/// Returns false if the response says that the request must be sent again.
bool is_done(const std::string& body);

/// Joins the pages of a list into one body: all rows, and the other fields of the last page. Throws std::runtime_error
/// if a page has another shape.
std::string join_pages(const std::vector<std::string>& bodies, Shape shape);

/// Returns JSON about a backup: {"file", "bytes"}.
std::string backup_summary(const std::string& path, std::uint64_t bytes);

/// Returns the message of an error response, or one with the status if the body has none.
std::string error_message(const ClientResponse& response);

}  // namespace tonearm::native
