#pragma once
// Routes that forward to the API with a key that the page never sees (WEB-3, WEB-5). Safe for concurrent calls. Each
// throws std::runtime_error if the API does not answer.

#include "routes/site_routes.h"

namespace tonearm::web {

/// GET /openapi.json, which needs no key.
Response forward_description(Site& site, const SiteCall& call);
/// `/site/...` as `/v1/...` with the site's own key. Only for calls that change nothing.
Response forward_as_site(Site& site, const SiteCall& call);
/// `/site/...` as `/v1/...` with a session key of the person.
Response forward_as_person(Site& site, const SiteCall& call);
/// `/site/try/v1/...` as `/v1/...` with a session key of the person.
Response forward_trial(Site& site, const SiteCall& call);

/// 401: the visitor must sign in.
Response not_signed_in();
/// 409: the API account of the signed-in person no longer exists.
Response account_gone();

}  // namespace tonearm::web
