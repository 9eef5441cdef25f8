#pragma once
// Routes to public files: the built page, media, the snapshot (WEB-12, WEB-13). Safe for concurrent calls.

#include <optional>

#include "routes/request_context.h"
#include "routes/site.h"

namespace tonearm::web {

/// Returns whether the path belongs to a file. Such requests are not rate-limited.
bool is_file_path(std::string_view path);

/// Returns nothing if the path does not belong to a file.
std::optional<Response> answer_from_file(const SiteFolders& folders, const RequestContext& context);

}  // namespace tonearm::web
