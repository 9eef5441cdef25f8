#pragma once
// Routes for accounts: sessions, sign-up, sign-in, API keys, plan, deletion (WEB-6 to WEB-11, WEB-22). Safe for
// concurrent calls. Each throws std::runtime_error if the API does not answer, and sql::Failure if the store fails.

#include "routes/site_routes.h"

namespace tonearm::web {

Response get_session(Site& site, const SiteCall& call);
Response sign_up(Site& site, const SiteCall& call);
Response sign_in(Site& site, const SiteCall& call);
Response sign_out(Site& site, const SiteCall& call);

Response list_keys(Site& site, const SiteCall& call);
Response create_key(Site& site, const SiteCall& call);
Response revoke_key(Site& site, const SiteCall& call);
Response set_plan(Site& site, const SiteCall& call);
Response change_password(Site& site, const SiteCall& call);
Response delete_account(Site& site, const SiteCall& call);

/// Completes interrupted deletions.
void resume_deletions(Site& site);

}  // namespace tonearm::web
