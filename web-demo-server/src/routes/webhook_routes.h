#pragma once
// The webhook of a person, which gets license changes (WEB-46), and the delivery of its messages (WEB-47). Safe for
// concurrent calls. Each function throws sql::Failure if the store fails.

#include "oauth/client_documents.h"
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
/// not answer.
void find_license_changes(Site& site);
/// Sends the messages that are due, and waits for the answers. `open_web` is called once if there are any.
void send_webhook_messages(Site& site, const ClientDocuments::OpenWeb& open_web);

}  // namespace tonearm::web
