#pragma once
// The routes that are the API's own, asked with a key that the page never sees (WEB-3, WEB-5). Safe for concurrent
// calls.

#include <optional>

#include "routes/site.h"
#include "routes/request_context.h"

namespace tonearm::web {

/// Nothing where the path is no such route. Throws std::runtime_error where the API does not answer.
std::optional<Response> answer_proxied(Site& site, const RequestContext& context);

/// What the site passes on of an answer of the API.
Response relayed(ClientResponse response);

/// 401: somebody has to sign in.
Response not_signed_in();
/// 409: the API has no account any more for who is signed in.
Response account_gone();

}  // namespace tonearm::web
