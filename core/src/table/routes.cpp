#include "table/routes.h"

#include <array>

#include "table/admin_answers.h"
#include "table/answers.h"
#include "table/collection_answers.h"
#include "table/credits_answers.h"
#include "text/percent.h"

namespace tonearm::table {
namespace {

using enum ErrorCode;
using enum RouteId;
constexpr auto kWithCatalog = NeedsCatalog::yes;
constexpr auto kWithState = NeedsCatalog::with_state;
constexpr auto kWithout = NeedsCatalog::no;

constexpr std::array kSearchErrors{invalid_parameter, invalid_filter_for_kind};
constexpr std::array kMetaErrors{invalid_parameter};
constexpr std::array kTrackErrors{invalid_parameter, not_found};
constexpr std::array kAdminErrors{invalid_parameter, invalid_request, not_found, too_large};

constexpr std::array<std::string_view, 3> kCreditsTypes{"text/plain", "text/markdown", "text/csv"};

// catalog-api, Collections: the errors that each request lists, and those of the general rules (C1).
constexpr std::array kListErrors{invalid_parameter};
constexpr std::array kCreateErrors{invalid_parameter, invalid_request, pro_required, collection_limit, too_large};
constexpr std::array kDeleteErrors{invalid_parameter, invalid_request, not_found};
constexpr std::array kChangeErrors{invalid_parameter, invalid_request, read_only,    not_found,
                                   stale_revision,    too_large,       nc_commercial};
constexpr std::array kAddErrors{invalid_parameter, invalid_request, read_only, not_found,
                                stale_revision,    collection_full, too_large, nc_commercial};
constexpr std::array kItemErrors{invalid_parameter, invalid_request, read_only, not_found, stale_revision, too_large};
constexpr std::array kItemDeleteErrors{invalid_parameter, read_only, not_found, stale_revision};

const std::array<Route, kRouteCount> kAll{{
    {search, Surface::api, "GET", "/v1/search", kWithCatalog, "Search tracks", 200, &kSearchPageType, kSearchParameters,
     nullptr, kSearchErrors},
    {meta, Surface::api, "GET", "/v1/meta", kWithCatalog, "List filter values", 200, &kMetaType, kMetaParameters,
     nullptr, kMetaErrors},
    {track,
     Surface::api,
     "GET",
     "/v1/tracks/{id}",
     kWithCatalog,
     "Get a track",
     200,
     &kTrackType,
     {},
     nullptr,
     kTrackErrors},
    {similar, Surface::api, "GET", "/v1/tracks/{id}/similar", kWithCatalog, "Find similar tracks", 200,
     &kSimilarPageType, kSimilarParameters, nullptr, kTrackErrors},
    {collections_list,
     Surface::api,
     "GET",
     "/v1/collections",
     kWithout,
     "List collections",
     200,
     &kCollectionsType,
     {},
     nullptr,
     kListErrors},
    {collection_create,
     Surface::api,
     "POST",
     "/v1/collections",
     kWithState,
     "Create a collection",
     201,
     &kCollectionType,
     {},
     &kCollectionBody,
     kCreateErrors},
    {collection_show,
     Surface::api,
     "GET",
     "/v1/collections/{id}",
     kWithState,
     "Get a collection",
     200,
     &kCollectionWithCreditsType,
     {},
     nullptr,
     kTrackErrors},
    {collection_update,
     Surface::api,
     "PATCH",
     "/v1/collections/{id}",
     kWithState,
     "Rename a collection or set commercial use",
     200,
     &kCollectionType,
     {},
     &kCollectionChangeBody,
     kChangeErrors},
    {collection_delete, Surface::api, "DELETE", "/v1/collections/{id}", kWithout, "Delete a collection", 200,
     &kCollectionDeletedType, kConfirmParameters, nullptr, kDeleteErrors},
    {items_add,
     Surface::api,
     "POST",
     "/v1/collections/{id}/items",
     kWithState,
     "Add tracks to a collection",
     201,
     &kCollectionWithResultsType,
     {},
     &kItemsBody,
     kAddErrors,
     200},
    {item_update,
     Surface::api,
     "PATCH",
     "/v1/collections/{id}/items/{trackId}",
     kWithState,
     "Change an item of a collection",
     200,
     &kCollectionType,
     {},
     &kItemChangeBody,
     kItemErrors},
    {item_delete,
     Surface::api,
     "DELETE",
     "/v1/collections/{id}/items/{trackId}",
     kWithState,
     "Remove a track from a collection",
     200,
     &kCollectionType,
     {},
     nullptr,
     kItemDeleteErrors},
    {order_replace,
     Surface::api,
     "PUT",
     "/v1/collections/{id}/order",
     kWithState,
     "Reorder a collection",
     200,
     &kCollectionType,
     {},
     &kOrderBody,
     kItemErrors},
    {credits, Surface::api, "GET", "/v1/collections/{id}/credits", kWithState, "Export the credits of a collection",
     200, &kCreditsType, kCreditsParameters, nullptr, kTrackErrors, 0, kCreditsTypes},
    {collection_similar, Surface::api, "GET", "/v1/collections/{id}/similar", kWithState,
     "Find tracks similar to a collection", 200, &kSimilarPageType, kCollectionSimilarParameters, nullptr,
     kTrackErrors},
    {openapi, Surface::open, "GET", "/openapi.json", kWithout, "This description", 200, nullptr},
    {healthz, Surface::open, "GET", "/healthz", kWithout, "Whether the process is up", 200, &kStateType},
    {readyz, Surface::open, "GET", "/readyz", kWithout, "Whether catalog and state are usable", 200, &kStateType},
    {accounts_list, Surface::admin, "GET", "/admin/accounts", kWithout, "List accounts", 200, &kAccountsType},
    {accounts_create,
     Surface::admin,
     "POST",
     "/admin/accounts",
     kWithout,
     "Create an account",
     201,
     &kAccountType,
     {},
     &kPlanBody,
     kAdminErrors},
    {account_show,
     Surface::admin,
     "GET",
     "/admin/accounts/{account}",
     kWithout,
     "Show an account",
     200,
     &kAccountType,
     {},
     nullptr,
     kAdminErrors},
    {account_update,
     Surface::admin,
     "PATCH",
     "/admin/accounts/{account}",
     kWithout,
     "Change an account's plan",
     200,
     &kAccountType,
     {},
     &kPlanBody,
     kAdminErrors},
    {account_delete,
     Surface::admin,
     "DELETE",
     "/admin/accounts/{account}",
     kWithout,
     "Delete an account and all it has",
     200,
     &kDeletedType,
     {},
     nullptr,
     kAdminErrors},
    {keys_list,
     Surface::admin,
     "GET",
     "/admin/accounts/{account}/keys",
     kWithout,
     "List an account's keys",
     200,
     &kKeysType,
     {},
     nullptr,
     kAdminErrors},
    {keys_create,
     Surface::admin,
     "POST",
     "/admin/accounts/{account}/keys",
     kWithout,
     "Create a key",
     201,
     &kNewKeyType,
     {},
     &kNoBody,
     kAdminErrors},
    {key_revoke,
     Surface::admin,
     "DELETE",
     "/admin/keys/{key_id}",
     kWithout,
     "Revoke a key or session",
     200,
     &kRevokedType,
     {},
     nullptr,
     kAdminErrors},
    {sessions_create,
     Surface::admin,
     "POST",
     "/admin/accounts/{account}/sessions",
     kWithout,
     "Create a session key for a first-party site",
     201,
     &kNewKeyType,
     {},
     &kSessionBody,
     kAdminErrors},
    {calls, Surface::admin, "GET", "/admin/accounts/{account}/calls", kWithout, "Read an account's call records", 200,
     &kCallsType, kCallsParameters, nullptr, kAdminErrors},
    {usage,
     Surface::admin,
     "GET",
     "/admin/accounts/{account}/usage",
     kWithout,
     "Read an account's daily totals",
     200,
     &kUsageType,
     {},
     nullptr,
     kAdminErrors},
    {backup,
     Surface::admin,
     "GET",
     "/admin/backup",
     kWithout,
     "Read a consistent copy of an embedded state",
     200,
     nullptr,
     {},
     nullptr,
     kAdminErrors},
}};

/// Matches a path against a template, segment by segment; a {name} takes one segment that is not empty.
std::optional<std::vector<std::string>> match(std::string_view pattern, std::string_view path) {
  std::vector<std::string> arguments;
  while (true) {
    const std::string_view wanted = pattern.substr(0, pattern.find('/'));
    const std::string_view given = path.substr(0, path.find('/'));
    if (!wanted.empty() && wanted.front() == '{') {
      auto argument = text::decode_percent(given);
      if (!argument || argument->empty()) return std::nullopt;
      arguments.push_back(std::move(*argument));
    } else if (wanted != given) {
      return std::nullopt;
    }
    const bool pattern_ends = wanted.size() == pattern.size();
    const bool path_ends = given.size() == path.size();
    if (pattern_ends || path_ends) return pattern_ends && path_ends ? std::optional(arguments) : std::nullopt;
    pattern.remove_prefix(wanted.size() + 1);
    path.remove_prefix(given.size() + 1);
  }
}

}  // namespace

const std::span<const Route> kRoutes{kAll};

const Route& route(RouteId id) { return kAll[static_cast<std::size_t>(id)]; }

RouteMatch find_route(Surface surface, std::string_view method, std::string_view path) {
  RouteMatch found;
  const std::string_view wanted = method == "HEAD" ? "GET" : method;
  for (const Route& candidate : kAll) {
    if (candidate.surface != surface) continue;
    auto arguments = match(candidate.path, path);
    if (!arguments) continue;
    if (candidate.method == wanted) return {&candidate, std::move(*arguments), candidate.path, {}};
    found.path = candidate.path;
    if (!found.allow.empty()) found.allow += ", ";
    found.allow += candidate.method;
    if (candidate.method == "GET") found.allow += ", HEAD";
  }
  return found;
}

}  // namespace tonearm::table
