#include "catalog/lookup/changes.h"

#include <algorithm>

#include "catalog/lookup/change_log.h"

namespace tonearm::catalog {

std::optional<ChangesPage> find_changes(std::string_view since, const PageRange& range, const Extent& section,
                                        const std::string& version) {
  if (since == version) return ChangesPage{};
  const ChangeLog log(section);
  const ChangeLog::Versions versions = log.versions();
  const auto found = versions.find(since);
  if (!found) return std::nullopt;
  const std::uint64_t first = versions.all[*found].first_change;
  const std::uint64_t begin = std::min(first + range.offset, std::uint64_t{versions.change_count});
  const std::uint64_t end = std::min(begin + range.limit, std::uint64_t{versions.change_count});
  ChangesPage page;
  page.total = versions.change_count - first;
  auto number = static_cast<std::uint32_t>(begin);
  std::size_t next = *found + 1;  // the version after that of the change
  for (CatalogChange& change : log.changes(versions, number, static_cast<std::uint32_t>(end))) {
    while (next < versions.all.size() && versions.all[next].first_change <= number) ++next;
    page.entries.push_back({std::move(change), next < versions.all.size() ? versions.all[next].name : version});
    ++number;
  }
  return page;
}

}  // namespace tonearm::catalog
