#include "catalog/index/listing.h"

#include <algorithm>

#include "catalog/storage/sections.h"
#include "catalog/storage/statement.h"
#include "text/unicode.h"

namespace tonearm::catalog {
namespace {

/// The size of one read of a remote file.
constexpr std::uint64_t kPieceBytes = 16 * kBlockBytes;

// Returns the index in `names` of a row's id.
template <class Names>
std::size_t index_of(const Names& names, std::string_view id) {
  const auto found = std::find(names.begin(), names.end(), id);
  if (found == names.end()) throw_damaged("it lists an unknown value");
  return static_cast<std::size_t>(found - names.begin());
}

/// Adds a listed value; throws CatalogDamaged if it is repeated.
template <class Value>
void add_once(std::vector<Value>& values, Value value) {
  if (std::find(values.begin(), values.end(), value) != values.end()) throw_damaged("it lists a value twice");
  values.push_back(value);
}

template <class Visit>
void each_row(Statement& select, BoundedRows& rows, std::string_view list, const Visit& visit) {
  const Use use(select);
  select.bind_text(1, list);
  while (rows.step(select)) visit(std::string(select.text(0)), std::string(select.text(1)), select.integer(2));
}

}  // namespace

std::string tag_list(Kind kind, Facet facet) {
  return std::string(kKindNames[static_cast<std::size_t>(kind)])
      .append(".")
      .append(kFacetNames[static_cast<std::size_t>(facet)]);
}

CatalogValues read_values(sqlite3* database) {
  Statement select(database, "SELECT id, label, count FROM listing WHERE list = ?1 ORDER BY place");
  BoundedRows rows(database);
  CatalogValues values;
  for (std::size_t kind = 0; kind < kKindNames.size(); ++kind) {
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      each_row(select, rows, tag_list(static_cast<Kind>(kind), static_cast<Facet>(facet)),
               [&](std::string id, std::string label, std::int64_t) {
                 values.tags[kind][facet].push_back({std::move(id), std::move(label)});
               });
    }
  }
  each_row(select, rows, kEnergyList, [&](const std::string& id, const std::string&, std::int64_t) {
    add_once(values.energies, static_cast<Energy>(index_of(kEnergyNames, id)));
  });
  each_row(select, rows, kToneList, [&](const std::string& id, const std::string&, std::int64_t) {
    add_once(values.tones, static_cast<Tone>(index_of(kToneNames, id)));
  });
  each_row(select, rows, kCategoryList, [&](const std::string& id, const std::string&, std::int64_t) {
    const auto category = find_category(id);
    if (!category) throw_damaged("it lists an unknown category");
    add_once(values.categories, *category);
  });
  each_row(select, rows, kLicenseList, [&](const std::string& id, const std::string&, std::int64_t) {
    const auto license = find_license(id);
    if (!license) throw_damaged("it lists an unknown license");
    add_once(values.licenses, *license);
  });
  each_row(select, rows, kSourceList, [&](std::string id, std::string name, std::int64_t count) {
    values.sources.push_back({std::move(id), std::move(name), static_cast<std::uint64_t>(count)});
  });
  return values;
}

std::string encode_creator(const CreatorCount& creator, std::string_view folded) {
  const CreatorHead head{static_cast<std::uint32_t>(creator.track_count), static_cast<std::uint32_t>(folded.size()),
                         static_cast<std::uint32_t>(creator.name.size())};
  std::string bytes(raw_bytes(std::span(&head, 1)));
  return bytes.append(folded).append(creator.name);
}

void each_creator(const Extent& section, const VisitCreator& visit) {
  CreatorHead head;
  // A remote file is read in pieces.
  std::string_view piece;
  std::string buffer;
  for (std::uint64_t at = 0; at < section.size();) {
    const auto read = [&](std::uint64_t size) {
      if (piece.size() < size)
        piece = section.bytes(at, std::max(size, std::min(kPieceBytes, section.size() - at)), buffer);
      return slice(piece, 0, size);
    };
    std::memcpy(&head, read(sizeof head).data(), sizeof head);
    const std::uint64_t size = sizeof head + head.names_bytes();
    const std::string_view names = slice(read(size), sizeof head, size - sizeof head);
    if (!visit(names.substr(0, head.folded_bytes), names.substr(head.folded_bytes), head.tracks)) return;
    piece.remove_prefix(static_cast<std::size_t>(size));
    at += size;
  }
}

std::vector<CreatorCount> read_creators(const Extent& section, std::string_view contains, std::size_t limit) {
  const std::string part = text::fold_case(contains);
  std::vector<CreatorCount> creators;
  each_creator(section, [&](std::string_view folded, std::string_view name, std::uint32_t count) {
    if (creators.size() == limit) return false;
    if (folded.find(part) != std::string_view::npos) creators.push_back({std::string(name), count});
    return true;
  });
  return creators;
}

}  // namespace tonearm::catalog
