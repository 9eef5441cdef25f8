#pragma once
// Routes for shared collections (WEB-28 to WEB-31): what the owner publishes, what readers of the link receive, and the
// archives of credits. Safe for concurrent calls. Each throws std::runtime_error if the API does not answer, and
// sql::Failure if the store fails.

#include "routes/site_routes.h"

namespace tonearm::web {

/// `/site/shares/{collection}`: description and link of a collection of the person.
Response get_share(Site& site, const SiteCall& call);
Response set_description(Site& site, const SiteCall& call);
Response create_link(Site& site, const SiteCall& call);
Response remove_link(Site& site, const SiteCall& call);
/// `/site/archives/{collection}`: the credits of a collection of the person as a ZIP file.
Response get_archive(Site& site, const SiteCall& call);

/// `/site/shared/{token}`: a shared collection, without the notes and ids of its owner.
Response get_shared(Site& site, const SiteCall& call);
/// The same for the page of the link.
Response shared_collection(Site& site, const std::string& token);
/// `/site/shared-archives/{token}`: its credits as a ZIP file, without notes.
Response get_shared_archive(Site& site, const SiteCall& call);

/// Like forward_as_person; a deleted collection is no longer shared.
Response forward_collection(Site& site, const SiteCall& call);

}  // namespace tonearm::web
