#pragma once
// Pages of changes since an earlier version (CHANGE-1).

#include <optional>
#include <string>
#include <string_view>

#include "catalog/query/ties.h"
#include "catalog/storage/extent.h"
#include "tonearm/catalog_changes.h"

namespace tonearm::catalog {

/// As Catalog::changes. `section`: the section `changes`; `version`: that of the snapshot.
std::optional<ChangesPage> find_changes(std::string_view since, const PageRange& range, const Extent& section,
                                        const std::string& version);

}  // namespace tonearm::catalog
