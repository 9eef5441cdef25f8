#pragma once
// Routes for people who connect applications with their account (docs/spec/oauth.md): what the consent page shows, the
// decision, and the list of connections. Safe for concurrent calls. Each throws std::runtime_error if the API does not
// answer, and sql::Failure if the store fails.

#include "routes/site_routes.h"

namespace tonearm::web {

/// `/site/authorization?...`: checks an application's request, and describes it.
Response get_authorization(Site& site, const SiteCall& call);
/// `/site/consent`: allows or denies a request. Answers with the address to which the browser returns.
Response consent(Site& site, const SiteCall& call);

/// `/site/connections`: the applications that the person has connected.
Response list_connections(Site& site, const SiteCall& call);
/// `/site/connections/{id}`: ends a connection.
Response disconnect(Site& site, const SiteCall& call);

}  // namespace tonearm::web
