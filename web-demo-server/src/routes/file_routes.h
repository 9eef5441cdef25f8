#pragma once
// The files that visitors may read: the built page, media, the snapshot (WEB-12, WEB-13). Safe for concurrent calls.

#include <optional>

#include "routes/site.h"
#include "routes/request_context.h"

namespace tonearm::web {

/// Whether a path is answered from a file, so that no throttle counts it.
bool is_file_path(std::string_view path);

/// Nothing where the path is no such route.
std::optional<Response> answer_from_file(const SiteFolders& folders, const RequestContext& context);

}  // namespace tonearm::web
