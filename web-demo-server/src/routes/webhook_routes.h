#pragma once
// The webhook of a person, which gets license changes (WEB-46). Safe for concurrent calls. Each function throws
// sql::Failure if the store fails.

#include <atomic>

#include "routes/site_routes.h"

namespace tonearm::web {

/// `/site/webhook`: the address, and the messages that are not delivered.
Response get_webhook(Site& site, const SiteCall& call);
/// Creates or replaces it. Throws std::runtime_error if the API does not answer.
Response set_webhook(Site& site, const SiteCall& call);
Response remove_webhook(Site& site, const SiteCall& call);
/// `/site/webhook/test`: sends a message without a change.
Response test_webhook(Site& site, const SiteCall& call);
/// `/site/webhook/messages/{id}`: sends a message again.
Response resend_message(Site& site, const SiteCall& call);

/// Adds a message for each new license change of the webhooks that are due. Throws std::runtime_error if the API does
/// not answer. Returns early if `is_stopping`.
void find_license_changes(Site& site, const std::atomic<bool>& is_stopping);

}  // namespace tonearm::web
