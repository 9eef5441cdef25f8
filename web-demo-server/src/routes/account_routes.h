#pragma once
// The routes about people: sessions, sign-up and sign-in, keys, plan, deletion (WEB-6 to WEB-11). Safe for concurrent
// calls.

#include <optional>

#include "routes/site.h"
#include "routes/request_context.h"

namespace tonearm::web {

/// Nothing where the path is no such route. Throws std::runtime_error where the API does not answer, sql::Failure where
/// the store fails.
std::optional<Response> answer_account(Site& site, const RequestContext& context);

/// Goes on with deletions that broke off. Throws likewise.
void resume_deletions(Site& site);

}  // namespace tonearm::web
