// Tracks that the operator takes down at once (docs/spec/takedowns.md).

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/resources/handlers.h"
#include "table/admin_answers.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::api {
namespace {

// ---- Error messages

Error not_a_track_id(std::string_view id) {
  return {ErrorCode::invalid_request,
          "track_id must be the id of a track, such as \"example-1042\"; got \"" + text::quotable(id) + "\".", 0,
          "track_id"};
}
Error not_a_time(std::string_view added) {
  return {ErrorCode::invalid_request,
          "added must be a time such as \"2026-01-15T12:00:00Z\"; got \"" + text::quotable(added) + "\".", 0, "added"};
}

/// LINE-3
bool is_track_id(std::string_view id) {
  constexpr std::size_t kBytesMax = 64;
  const std::size_t dash = id.rfind('-');
  if (id.size() > kBytesMax || dash == std::string_view::npos || dash == 0 || dash + 1 == id.size()) return false;
  const auto is_of_prefix = [](char c) { return ascii::is_alphanumeric(c) || c == '_' || c == '.' || c == '-'; };
  return ascii::is_alphanumeric(id.front()) &&
         std::all_of(id.begin(), id.begin() + static_cast<std::ptrdiff_t>(dash), is_of_prefix) &&
         ascii::is_digits(id.substr(dash + 1));
}

/// Whether a text has the form of rfc3339().
bool is_time(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  return std::equal(text.begin(), text.end(), kForm.begin(), kForm.end(),
                    [](char is, char form) { return form == '0' ? ascii::is_digit(is) : is == form; });
}

/// Adds whether the served catalog has each track. On a remote file, nothing is read for it.
std::vector<table::TakeDownView> views_of(const Call& call, std::vector<state::TakeDown> take_downs) {
  std::vector<table::TakeDownView> views;
  const auto catalog = call.served_catalog();
  const bool is_known = catalog != nullptr && catalog->is_in_memory();
  std::vector<std::string> ids;
  ids.reserve(take_downs.size());
  for (const auto& it : take_downs) ids.push_back(it.track_id);
  const auto found = is_known ? catalog->look_up(ids) : std::vector<std::optional<FoundTrack>>{};
  for (std::size_t i = 0; i < take_downs.size(); ++i) {
    views.push_back({std::move(take_downs[i]), is_known ? std::optional(found[i].has_value()) : std::nullopt});
  }
  return views;
}

}  // namespace

Answer answer_takedowns_list(Call& call, const table::TakeDownsArguments& arguments) {
  state::TakeDownsPage page = call.take_downs.list({arguments.limit, arguments.cursor});
  const auto views = views_of(call, std::move(page.take_downs));
  return json_response(call.route.status, table::kTakeDownsType, {views, page.total, page.after});
}

Answer answer_takedowns_add(Call& call, const table::TakeDownBody& body) {
  if (!is_track_id(body.track_id)) return not_a_track_id(body.track_id);
  if (!body.added.empty() && !is_time(body.added)) return not_a_time(body.added);
  call.audit_detail = "reason=" + body.reason;
  auto added = call.take_downs.add({body.track_id, body.reason, body.added});
  if (!added) return added.error();
  if (added->is_new) call.audit_created_id = added->take_down.track_id;
  return json_response(added->is_new ? call.route.status : call.route.unchanged_status, table::kTakeDownType,
                       views_of(call, {std::move(added->take_down)}).front());
}

Answer answer_takedown_remove(Call& call, const table::TakeDownArguments& arguments) {
  const auto removed = call.take_downs.remove(arguments.track_id);
  if (!removed) return removed.error();
  return json_response(call.route.status, table::kRemovedType, {});
}

}  // namespace tonearm::api
