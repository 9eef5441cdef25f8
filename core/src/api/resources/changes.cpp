// GET /v1/changes (docs/spec/changes.md).

#include "api/resources/handlers.h"
#include "table/change_answers.h"
#include "text/unicode.h"

namespace tonearm::api {
namespace {

Error unknown_version(const std::string& since, const std::vector<std::string>& known) {
  std::string message = "The changes since the version \"" + text::quotable(since) + "\" are not known. ";
  message += known.empty() ? "This catalog knows no earlier version."
                           : "It knows those since \"" + known.front() + "\" and later.";
  return {ErrorCode::not_found, message + " Compare all tracks instead."};
}

}  // namespace

Answer answer_changes(Call& call, const table::ChangesArguments& arguments) {
  auto page = call.catalog->changes(arguments.since, arguments.limit, arguments.cursor);
  if (!page) return unknown_version(arguments.since, call.catalog->known_versions());
  if (auto fresh = not_modified(call)) return *fresh;
  table::CatalogChangesView view{*std::move(page), call.catalog->version(), {}, call.catalog->taken_down_since()};
  const std::uint64_t next = std::uint64_t{arguments.cursor} + view.page.entries.size();
  if (next < view.page.total) view.cursor = std::to_string(next);
  call.result_count = static_cast<std::uint32_t>(view.page.entries.size());
  return json_response(200, table::kCatalogChangesType, view);
}

}  // namespace tonearm::api
