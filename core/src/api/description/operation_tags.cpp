#include "api/description/operation_tags.h"

#include <algorithm>
#include <array>

namespace tonearm::api {
namespace {

constexpr std::array kTagRows{
    OperationTag{"/v1/collections", "collections", "The tracks of a project, each with the record of its license."},
    OperationTag{"/v1/export", "collections", {}},
    OperationTag{"/v1/license-changes", "collections", {}},
    OperationTag{"/v1/credits", "credits", "Which tracks files are, and whom to credit."},
    OperationTag{"/v1/usage", "account", "The plan, its limits and what is left of them."},
    OperationTag{"/v1/", "catalog", "Search, filters, tracks and tracks like them."},
    OperationTag{"/admin/", "admin", "Accounts, keys, limits and the state."},
    OperationTag{"/", "service", "The service itself: no key is needed."},
};

}  // namespace

const std::span<const OperationTag> kOperationTags{kTagRows};

std::string_view tag_of(const Route& route) {
  return std::find_if(kTagRows.begin(), kTagRows.end(),
                      [&](const OperationTag& tag) { return route.path.starts_with(tag.path); })
      ->name;
}

}  // namespace tonearm::api
