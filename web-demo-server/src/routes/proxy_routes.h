#pragma once
// The routes that are the API's own, asked with a key that the page never sees (WEB-3, WEB-5). Safe for concurrent
// calls.

#include <optional>

#include "routes/site.h"
#include "routes/visit.h"

namespace tonearm::web {

/// Nothing where the path is no such route. Throws std::runtime_error where the API does not answer.
std::optional<Response> answer_proxied(Site& site, const Visit& visit);

/// What the site passes on of an answer of the API.
Response passed_on(ClientResponse response);

/// 401: somebody has to sign in.
Response signed_out();
/// 409: the API has no account any more for who is signed in.
Response account_gone();

}  // namespace tonearm::web
