#include "api/requests/routes.h"

#include <array>
#include <optional>

#include "api/requests/request_values.h"
#include "api/resources/handlers.h"
#include "api/routing/path_template.h"
#include "reflection/track_type.h"
#include "table/admin_answers.h"
#include "table/answers.h"
#include "table/arguments.h"
#include "table/change_answers.h"
#include "table/collection_answers.h"
#include "table/credits_answers.h"
#include "table/credits_files.h"
#include "table/file_match_answers.h"
#include "table/receipt_answers.h"
#include "table/state_lines.h"
#include "table/usage_answers.h"
#include "text/percent.h"

namespace tonearm::api {
namespace {

using namespace table;
using enum ErrorCode;

// ---- Handlers: a function, and the parameters and body that fill its arguments. Wrong argument types do not compile.

template <auto Function>
constexpr Handler by() {
  return {.answer = Function};
}
template <auto Function, class Arguments>
constexpr Handler by(const Parameters<Arguments>& parameters) {
  return {.answer = [](Call& call) -> Answer {
            Arguments arguments;
            fill_arguments(call, &arguments);
            return Function(call, arguments);
          },
          .parameters = &parameters};
}
template <auto Function, class View>
constexpr Handler by(const Body<View>& body) {
  return {.answer = [](Call& call) -> Answer {
            View given;
            if (auto error = read_body(call, &given)) return *std::move(error);
            return Function(call, given);
          },
          .body = &body};
}
template <auto Function, class Arguments, class View>
constexpr Handler by(const Parameters<Arguments>& parameters, const Body<View>& body) {
  return {.answer = [](Call& call) -> Answer {
            Arguments arguments;
            View given;
            fill_arguments(call, &arguments);
            if (auto error = read_body(call, &given)) return *std::move(error);
            return Function(call, arguments, given);
          },
          .parameters = &parameters,
          .body = &body};
}

// ---- Rows by surface

constexpr Route api(std::string_view name, std::string_view method, std::string_view path, std::string_view summary,
                    std::string_view description, Handler handler, const ObjectType& answer, Needs needs,
                    std::span<const ErrorCode> errors) {
  return {.surface = Surface::api,
          .method = method,
          .path = path,
          .summary = summary,
          .handler = handler,
          .answer = &answer,
          .needs = needs,
          .errors = errors,
          .status = method == "POST" ? 201 : 200,
          .name = name,
          .description = description};
}

constexpr Route open(std::string_view path, std::string_view summary, std::string_view description, Handler handler,
                     const ObjectType* answer, Needs needs) {
  return {.surface = Surface::open,
          .method = "GET",
          .path = path,
          .summary = summary,
          .handler = handler,
          .answer = answer,
          .needs = needs,
          .description = description};
}

constexpr std::array kAdminErrors{invalid_parameter, invalid_request, not_found, too_large};

constexpr Route admin(std::string_view method, std::string_view path, std::string_view summary, Handler handler,
                      const ObjectType* answer, std::span<const ErrorCode> errors = kAdminErrors) {
  return {.surface = Surface::admin,
          .method = method,
          .path = path,
          .summary = summary,
          .handler = handler,
          .answer = answer,
          .needs = Needs::state,
          .errors = errors,
          .status = method == "POST" ? 201 : 200};
}

constexpr Route sensitive(Route route) {
  route.is_sensitive = true;
  return route;
}

constexpr std::array kJsonLinesTypes{kJsonLines};
constexpr std::array<const ObjectType*, 2> kExportLines{&kCollectionsHeaderType, &kCollectionsEndType};
constexpr std::array<const ObjectType*, 1> kReceiptLines{&kReceiptType};

constexpr Route with_status(int status, Route route) {
  route.status = status;
  return route;
}
/// Answers 200 if nothing was changed.
constexpr Route or_unchanged(Route route) {
  route.unchanged_status = 200;
  return route;
}
constexpr Route or_text(Route route, std::span<const std::string_view> media_types) {
  route.text_types = media_types;
  return route;
}
/// Answers a summary if the client prefers it (COLLECTION-13).
constexpr Route or_minimal(Route route, const ObjectType& answer) {
  route.minimal_answer = &answer;
  return route;
}
/// Answers only JSON Lines.
constexpr Route only_json_lines(Route route, std::span<const ObjectType* const> line_types) {
  route.answer = nullptr;
  route.line_types = line_types;
  return or_text(route, kJsonLinesTypes);
}
/// A POST that creates nothing.
constexpr Route answers_200(Route route) {
  route.status = 200;
  return route;
}
constexpr Route without_tool(Route route) {
  route.is_tool = false;
  return route;
}
constexpr Route of_account_shard(Route route) {
  route.state_owner = StateOwner::account_shard;
  return route;
}

// The errors of each sort of request (docs/spec/checks.md).
constexpr std::array kSearchErrors{invalid_parameter, invalid_filter_for_kind};
constexpr std::array kListErrors{invalid_parameter};
constexpr std::array kReadErrors{invalid_parameter, not_found};
constexpr std::array kReceiptErrors{invalid_parameter, not_found, not_signed};
constexpr std::array kCreateErrors{invalid_parameter, invalid_request, pro_required, collection_limit, too_large};
constexpr std::array kDeleteErrors{invalid_parameter, invalid_request, not_found, stale_revision};
constexpr std::array kChangeErrors{invalid_parameter, invalid_request, read_only,    not_found,
                                   stale_revision,    too_large,       nc_commercial};
constexpr std::array kAddErrors{invalid_parameter, invalid_request, read_only, not_found,
                                stale_revision,    collection_full, too_large, nc_commercial};
constexpr std::array kItemErrors{invalid_parameter, invalid_request, read_only, not_found, stale_revision, too_large};
constexpr std::array kMatchErrors{invalid_parameter, invalid_request, too_large};
constexpr std::array kItemDeleteErrors{invalid_parameter, read_only, not_found, stale_revision};

constexpr auto kCatalog = Needs::catalog;
constexpr auto kState = Needs::state;
constexpr auto kBoth = Needs::catalog_and_state;

constexpr std::array kRows{
    api("search_tracks", "GET", "/v1/search", "Search tracks",
        "Search music or sound effects by words and filters. terms says whether a track may be used commercially and "
        "needs credit. Tracks with all words of q come first, then those with fewer, last those with only related "
        "words (words: 0 in matched). filter_values lists the ids of tags. If nothing fits, try a suggestion.",
        by<answer_search>(kSearchParameters), kSearchPageType, kCatalog, kSearchErrors),
    without_tool(api("complete", "GET", "/v1/complete", "Complete what is typed",
                     "Texts that complete what a person types: titles, tags, artists, categories, and frequent words. "
                     "A mistyped word is corrected if nothing begins with it.",
                     by<answer_complete>(kCompleteParameters), kCompletionsType, kCatalog, kListErrors)),
    api("filter_values", "GET", "/v1/meta", "List filter values",
        "List the values of the filters of search_tracks: genres, moods, uses, instruments, categories, licenses and "
        "sources, and the artists whose name contains q.",
        by<answer_meta>(kMetaParameters), kMetaType, kCatalog, kListErrors),
    api("get_tracks", "GET", "/v1/tracks", "Get several tracks",
        "Get up to 50 tracks by their ids. The answer lists ids that do not exist as missing.",
        by<answer_tracks>(kTracksParameters), kTracksType, kCatalog, kListErrors),
    api("get_track", "GET", "/v1/tracks/{id}", "Get a track",
        "Get a track by its id. With all fields it has the credit line to paste, the license with its address, and "
        "links to listen.",
        by<answer_track>(kTrackParameters), kTrackType, kCatalog, kReadErrors),
    api("similar_tracks", "GET", "/v1/tracks/{id}/similar", "Find similar tracks",
        "Find tracks like a given one, most alike first.", by<answer_similar>(kSimilarParameters), kSimilarPageType,
        kCatalog, kReadErrors),
    without_tool(api("get_receipt", "GET", "/v1/tracks/{id}/receipt", "Get a license receipt",
                     "Get a receipt, which proves without this server what the catalog states about a track's "
                     "license. Keep it as a file; tonearm verify-receipt checks it. Only of a signed catalog.",
                     by<answer_receipt>(kTrackParameters), kReceiptType, kCatalog, kReceiptErrors)),

    api("list_collections", "GET", "/v1/collections", "List collections", "List the account's collections.",
        by<answer_collections_list>(), kCollectionsType, kState, kListErrors),
    or_minimal(api("create_collection", "POST", "/v1/collections", "Create a collection",
                   "Create a collection for the tracks of a project. If the project earns money, set commercial to "
                   "true: then the collection rejects tracks for non-commercial use.",
                   by<answer_collection_create>(kCollectionBody), kCollectionType, kBoth, kCreateErrors),
               kCollectionSummaryType),
    api("get_collection", "GET", "/v1/collections/{id}", "Get a collection",
        "Get a collection with its tracks, notes and revision.", by<answer_collection_show>(kCollectionParameters),
        kCollectionWithCreditsType, kBoth, kReadErrors),
    or_minimal(api("update_collection", "PATCH", "/v1/collections/{id}", "Rename a collection or set commercial use",
                   "Rename a collection, or set whether it is for commercial use.",
                   by<answer_collection_update>(kCollectionParameters, kCollectionChangeBody), kCollectionType, kBoth,
                   kChangeErrors),
               kCollectionSummaryType),
    api("delete_collection", "DELETE", "/v1/collections/{id}", "Delete a collection",
        "Delete a collection and its license records for good. First name the collection and ask the user.",
        by<answer_collection_delete>(kCollectionDeleteParameters), kCollectionDeletedType, kState, kDeleteErrors),
    or_minimal(or_unchanged(api("add_tracks", "POST", "/v1/collections/{id}/items", "Add tracks to a collection",
                                "Add a track, or up to 25 tracks, to a collection, which records their licenses of "
                                "today. Tracks that it already has do not change.",
                                by<answer_items_add>(kCollectionParameters, kItemsBody), kCollectionWithResultsType,
                                kBoth, kAddErrors)),
               kSummaryWithResultsType),
    or_minimal(api("update_item", "PATCH", "/v1/collections/{id}/items/{trackId}", "Change an item of a collection",
                   "Change a track's note or position in a collection, or record how the track was modified, which "
                   "credits must name.",
                   by<answer_item_update>(kItemParameters, kItemChangeBody), kCollectionType, kBoth, kItemErrors),
               kCollectionSummaryType),
    or_minimal(api("remove_item", "DELETE", "/v1/collections/{id}/items/{trackId}", "Remove a track from a collection",
                   "Remove a track and its license record from a collection.",
                   by<answer_item_delete>(kItemDeleteParameters), kCollectionType, kBoth, kItemDeleteErrors),
               kCollectionSummaryType),
    or_minimal(api("reorder_items", "PUT", "/v1/collections/{id}/order", "Reorder a collection",
                   "Reorder the tracks of a collection: name each once.",
                   by<answer_order_replace>(kCollectionParameters, kOrderBody), kCollectionType, kBoth, kItemErrors),
               kCollectionSummaryType),
    or_text(
        api("export_credits", "GET", "/v1/collections/{id}/credits", "Export the credits of a collection",
            "Get the credits of a collection in the format that fits. Paste them unchanged: they fulfill the licenses.",
            by<answer_credits>(kCreditsParameters), kCreditsType, kBoth, kReadErrors),
        kCreditsMediaTypes),
    without_tool(only_json_lines(
        api("export_receipts", "GET", "/v1/collections/{id}/receipts", "Export the license receipts of a collection",
            "Get the receipts that were kept when tracks were added to a collection, one on each line, in the order of "
            "its items. Items that were added from a catalog without a signature have none.",
            by<answer_receipts>(kCollectionParameters), kReceiptType, kState, kReadErrors),
        kReceiptLines)),
    api("similar_to_collection", "GET", "/v1/collections/{id}/similar", "Find tracks similar to a collection",
        "Find tracks like those of a collection.", by<answer_collection_similar>(kCollectionSimilarParameters),
        kSimilarPageType, kBoth, kReadErrors),

    answers_200(api("match_credits", "POST", "/v1/credits/match", "Find the tracks that files are, and their credits",
                    "Identify files by name, address, hash or audio fingerprint, and get their credits. A file that is "
                    "not found has track null: never guess its credit.",
                    by<answer_credits_match>(kFilesBody), kFileMatchesType, kCatalog, kMatchErrors)),

    without_tool(answers_200(
        api("recognize_tracks", "POST", "/v1/credits/recognize", "Find the tracks that are heard in a film",
            "Find the tracks that are heard in pieces of a film or another mix, also under speech, and when.",
            by<answer_credits_recognize>(kPiecesBody), kRecognizedPiecesType, kCatalog, kMatchErrors))),

    api("license_changes", "GET", "/v1/license-changes", "List license changes in all collections",
        "List tracks of the account's collections whose license has changed since they were added, or that the catalog "
        "no longer has.",
        by<answer_license_changes>(kLicenseChangesParameters), kLicenseChangesType, kBoth, kListErrors),

    without_tool(
        api("catalog_changes", "GET", "/v1/changes", "List what changed in the catalog",
            "List the tracks that were taken down, changed their license, were removed, restored or added since a "
            "version of the catalog. 404 if the changes since that version are not known: then compare all tracks.",
            by<answer_changes>(kChangesParameters), kCatalogChangesType, kCatalog, kReadErrors)),

    api("usage", "GET", "/v1/usage", "Show the account's limits and calls",
        "Show the plan, its limits, and the calls that are left.", by<answer_own_usage>(), kOwnUsageType, kState,
        kListErrors),

    only_json_lines(api("export_collections", "GET", "/v1/export", "Export all collections with their license records",
                        "Export all collections and license records as JSON Lines, for a backup. The answer is long.",
                        by<answer_export>(kOwnExportParameters), kCollectionsEndType, kState, kListErrors),
                    kExportLines),

    open("/openapi.json", "This description",
         "The interface as OpenAPI 3.1, for readers, generators of clients and tests.", by<answer_openapi>(), nullptr,
         Needs::nothing),
    open("/healthz", "Whether the process is up",
         "Answers as long as the process takes requests. It says nothing of the catalog or the state.",
         by<answer_healthz>(), &kStateType, Needs::nothing),
    open("/readyz", "Whether catalog and state are usable",
         "Answers 200 where catalog and state can be used, and 503 where a load balancer should send requests "
         "elsewhere.",
         by<answer_readyz>(), &kStateType, kState),

    admin("GET", "/admin/accounts", "List accounts", by<answer_accounts_list>(kAccountsParameters), &kAccountsType,
          kListErrors),
    admin("POST", "/admin/accounts", "Create an account", by<answer_accounts_create>(kPlanBody), &kAccountType),
    admin("GET", "/admin/accounts/{account}", "Show an account", by<answer_account_show>(kAccountParameters),
          &kAccountType),
    admin("PATCH", "/admin/accounts/{account}", "Change an account's plan",
          by<answer_account_update>(kAccountParameters, kPlanBody), &kAccountType),
    admin("DELETE", "/admin/accounts/{account}", "Delete an account and all it has",
          by<answer_account_delete>(kAccountParameters), &kDeletedType),
    with_status(200, admin("POST", "/admin/accounts/{account}/move",
                           "Move an account to another database of a divided state, step by step",
                           by<answer_account_move>(kAccountParameters, kMoveBody), &kAccountMoveType)),
    admin("GET", "/admin/accounts/{account}/keys", "List an account's keys", by<answer_keys_list>(kAccountParameters),
          &kKeysType),
    admin("POST", "/admin/accounts/{account}/keys", "Create a key", by<answer_keys_create>(kAccountParameters, kNoBody),
          &kNewKeyType),
    admin("DELETE", "/admin/keys/{key_id}", "Revoke a key or session", by<answer_key_revoke>(kKeyParameters),
          &kRevokedType),
    admin("POST", "/admin/accounts/{account}/sessions", "Create a session key for a first-party site",
          by<answer_sessions_create>(kAccountParameters, kSessionBody), &kNewKeyType),
    of_account_shard(admin("GET", "/admin/accounts/{account}/calls", "Read an account's call records",
                           by<answer_calls>(kCallsParameters), &kCallsType)),
    of_account_shard(admin("GET", "/admin/accounts/{account}/usage", "Read an account's daily totals",
                           by<answer_usage>(kAccountParameters), &kUsageType)),
    of_account_shard(admin("GET", "/admin/accounts/{account}/limits", "Read what was counted in an account's windows",
                           by<answer_limits>(kAccountParameters), &kLimitsType)),
    of_account_shard(admin("DELETE", "/admin/accounts/{account}/limits", "Reset an account's windows",
                           by<answer_limits_reset>(kAccountParameters), &kLimitsType)),
    admin("GET", "/admin/takedowns", "List the tracks that were taken down",
          by<answer_takedowns_list>(kTakeDownsParameters), &kTakeDownsType, kListErrors),
    or_unchanged(admin("POST", "/admin/takedowns", "Take a track down at once", by<answer_takedowns_add>(kTakeDownBody),
                       &kTakeDownType)),
    admin("DELETE", "/admin/takedowns/{track_id}", "Offer a track again",
          by<answer_takedown_remove>(kTakeDownParameters), &kRemovedType),
    admin("GET", "/admin/state", "Show what an exported state has to fit", by<answer_state_show>(), &kStateFormatType),
    sensitive(admin("GET", "/admin/state/key-secret", "Read the key secret that was made in the state",
                    by<answer_key_secret>(), &kKeySecretType)),
    sensitive(admin("GET", "/admin/accounts/{account}/export/keys", "Export an account and its keys",
                    by<answer_keys_export>(kExportParameters), &kStateLinesType)),
    sensitive(
        of_account_shard(admin("GET", "/admin/accounts/{account}/export/collections", "Export an account's collections",
                               by<answer_collections_export>(kExportParameters), &kStateLinesType))),
    or_unchanged(admin("POST", "/admin/accounts/{account}/import/keys", "Import an account and its keys",
                       by<answer_keys_import>(kAccountParameters, kStateLinesBody), &kImportedType)),
    or_unchanged(of_account_shard(
        admin("POST", "/admin/accounts/{account}/import/collections", "Import an account's collections",
              by<answer_collections_import>(kAccountParameters, kStateLinesBody), &kImportedType))),
    sensitive(
        admin("GET", "/admin/backup", "Read a consistent copy of an embedded state", by<answer_backup>(), nullptr)),
};

/// Returns the decoded values of {names}, or nothing if the path does not match. A {name} matches one segment that is
/// not empty.
std::optional<std::vector<std::string>> match(std::string_view path_template, std::string_view path) {
  std::vector<std::string> values;
  const auto decode = [&values](std::string_view segment) {
    auto value = text::decode_percent(segment);
    if (!value || value->empty()) return false;
    values.push_back(std::move(*value));
    return true;
  };
  if (!matches_template(path_template, path, decode)) return std::nullopt;
  return values;
}

}  // namespace

const std::span<const Route> kRoutes{kRows};

RouteMatch find_route(Surface surface, std::string_view method, std::string_view path) {
  RouteMatch found;
  const std::string_view wanted = method == "HEAD" ? "GET" : method;
  for (const Route& candidate : kRows) {
    if (candidate.surface != surface) continue;
    auto values = match(candidate.path, path);
    if (!values) continue;
    if (candidate.method == wanted) return {&candidate, std::move(*values), candidate.path, {}};
    found.path = candidate.path;
    if (!found.allow.empty()) found.allow += ", ";
    found.allow += candidate.method;
    if (candidate.method == "GET") found.allow += ", HEAD";
  }
  return found;
}

}  // namespace tonearm::api
