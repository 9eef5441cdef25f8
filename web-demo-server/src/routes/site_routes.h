#pragma once
// The table of the routes that pages call: path, method, who may send a request, and the function that answers (WEB-2).
// Safe for concurrent calls.

#include <optional>
#include <span>
#include <string_view>

#include "routes/request_context.h"
#include "routes/site.h"

namespace tonearm::web {

enum class Access : std::uint8_t { visitor, person };

struct SiteCall {
  const RequestContext& context;
  std::optional<Sessions::SignedIn> signed_in;  // always has a value on routes of Access::person
};

struct SiteRoute {
  std::string_view methods;  // separated by ", "; GET includes HEAD
  std::string_view path;     // a final `*` is one or more segments
  Access access;
  Response (*answer)(Site& site, const SiteCall& call);
};

std::span<const SiteRoute> site_routes();

/// Returns nothing if no route has this path. Answers 401 if a signed-out visitor requests a person's route. Throws
/// std::runtime_error if the API does not answer, and sql::Failure if the store fails.
std::optional<Response> answer_route(Site& site, const RequestContext& context);

}  // namespace tonearm::web
