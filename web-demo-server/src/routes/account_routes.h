#pragma once
// Routes for accounts: sessions, sign-up, sign-in, API keys, plan, deletion (WEB-6 to WEB-11). Safe for concurrent
// calls.

#include <optional>

#include "routes/request_context.h"
#include "routes/site.h"

namespace tonearm::web {

/// Returns nothing if the path is not such a route. Throws std::runtime_error if the API does not answer, and
/// sql::Failure if the store fails.
std::optional<Response> answer_account(Site& site, const RequestContext& context);

/// Completes interrupted deletions. Throws like answer_account.
void resume_deletions(Site& site);

}  // namespace tonearm::web
