#include "catalog/index/layout.h"

#include <charconv>

#include "catalog/storage/schema.h"
#include "catalog/storage/statement.h"
#include "reflection/track_type.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {
namespace {

template <class Value>
Array<Value> column(const Sections& sections, SectionId id, std::uint32_t size) {
  const auto values = sections[id].array<Value>();
  if (values.size() != size) {
    throw_damaged("the section " + std::string(kSectionNames[static_cast<std::size_t>(id)]) + " has the wrong size");
  }
  return values;
}

SectionId section_of_sort(SectionId first, std::size_t sort) {
  return static_cast<SectionId>(static_cast<std::size_t>(first) + sort);
}

}  // namespace

Manifest read_manifest(sqlite3* database) {
  Manifest manifest;
  Statement select(database, "SELECT key, value FROM manifest");
  BoundedRows rows(database);
  while (rows.step(select)) manifest.emplace(select.text(0), select.text(1));
  const std::string& format = manifest_text(manifest, "format_version");
  if (format != std::to_string(kSnapshotVersion)) {
    throw Failure("the snapshot has format version " + format + ", and this program reads version " +
                  std::to_string(kSnapshotVersion));
  }
  if (manifest_number(manifest, "track_paths") != table::track_paths().size()) {
    throw Failure("the snapshot's tracks have other fields than this program knows");
  }
  check_schema(database);
  return manifest;
}

const std::string& manifest_text(const Manifest& manifest, const std::string& key) {
  const auto found = manifest.find(key);
  if (found == manifest.end()) throw_damaged("its manifest has no " + key);
  return found->second;
}

std::uint32_t manifest_number(const Manifest& manifest, const std::string& key) {
  const std::string& text = manifest_text(manifest, key);
  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) throw_damaged("its manifest has an invalid " + key);
  return number;
}

Layout read_layout(const Manifest& manifest) {
  const std::uint64_t music = manifest_number(manifest, "music");
  const std::uint64_t effects = music + manifest_number(manifest, "effects");
  const std::uint64_t speech = effects + manifest_number(manifest, "speech");
  const std::uint64_t all = speech + manifest_number(manifest, "taken_down");
  if (all != manifest_number(manifest, "tracks")) throw_damaged("its counts of tracks disagree");
  if (all > kTracksMax) throw_damaged("it has too many tracks");
  return {static_cast<std::uint32_t>(music), static_cast<std::uint32_t>(effects), static_cast<std::uint32_t>(speech),
          static_cast<std::uint32_t>(all)};
}

Columns read_columns(const Sections& sections, std::uint32_t size) {
  Columns columns;
  columns.duration_ms = column<std::uint64_t>(sections, SectionId::duration_ms, size);
  columns.bpm_hundredths = column<std::uint32_t>(sections, SectionId::bpm_hundredths, size);
  columns.quality = column<std::uint16_t>(sections, SectionId::quality, size);
  columns.flags = column<std::uint16_t>(sections, SectionId::flags, size);
  columns.families = column<std::uint32_t>(sections, SectionId::families, size);
  columns.ties.ranks = column<std::uint32_t>(sections, SectionId::tie_rank, size);
  columns.ties.positions = column<std::uint32_t>(sections, SectionId::tie_order, size);
  for (std::size_t i = 0; i < kStoredSorts.size(); ++i) {
    columns.orders[i].positions = column<std::uint32_t>(sections, section_of_sort(SectionId::order_quality, i), size);
    columns.orders[i].ranks = column<std::uint32_t>(sections, section_of_sort(SectionId::rank_quality, i), size);
  }
  return columns;
}

Columns view_of(const OwnedColumns& columns) {
  Columns view{columns.duration_ms, columns.bpm_hundredths, columns.quality, columns.flags, {}, {}, columns.families};
  view.ties = {columns.ties.positions, columns.ties.ranks};
  for (std::size_t i = 0; i < kStoredSorts.size(); ++i) {
    view.orders[i] = {columns.orders[i].positions, columns.orders[i].ranks};
  }
  return view;
}

}  // namespace tonearm::catalog
