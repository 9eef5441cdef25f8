#pragma once
// Routes that forward to the API with a key that the page never sees (WEB-3, WEB-5). Safe for concurrent calls.

#include <optional>

#include "routes/request_context.h"
#include "routes/site.h"

namespace tonearm::web {

/// Returns nothing if the path is not such a route. Throws std::runtime_error if the API does not answer.
std::optional<Response> answer_proxied(Site& site, const RequestContext& context);

/// Builds the response to the visitor from a response of the API.
Response relay(ClientResponse response);

/// 401: the visitor must sign in.
Response not_signed_in();
/// 409: the API account of the signed-in person no longer exists.
Response account_gone();

}  // namespace tonearm::web
