#pragma once
// Routes for forgotten passwords (WEB-32). Safe for concurrent calls. Each throws std::runtime_error if the API does
// not answer, and sql::Failure if the store fails.

#include "routes/site_routes.h"

namespace tonearm::web {

/// Replaces the person's recovery code, given the password.
Response create_recovery_code(Site& site, const SiteCall& call);
/// Sets a new password, given a recovery code, and signs in.
Response recover(Site& site, const SiteCall& call);

}  // namespace tonearm::web
