#pragma once
// Routes for the feed of license changes (WEB-34): its address, and the feed itself, for feed readers, which are not
// signed in. Safe for concurrent calls. Each throws std::runtime_error if the API does not answer, and sql::Failure if
// the store fails.

#include "routes/site_routes.h"

namespace tonearm::web {

/// `/site/feed`: the address of the person's feed.
Response get_feed_address(Site& site, const SiteCall& call);
Response renew_feed_address(Site& site, const SiteCall& call);
Response remove_feed_address(Site& site, const SiteCall& call);

/// `/feeds/{token}`: the feed.
Response get_feed(Site& site, const SiteCall& call);

}  // namespace tonearm::web
