#include "catalog/layout.h"

#include <charconv>

#include "catalog/codec.h"
#include "catalog/statement.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {
namespace {

template <class Unsigned>
std::vector<Unsigned> read_column(Statement& select, std::string_view name, std::uint32_t size) {
  const Use use(select);
  select.bind_text(1, name);
  if (!select.step()) damaged("the column " + std::string(name) + " is missing");
  const std::string_view bytes = select.blob(0);
  if (bytes.size() != std::uint64_t{size} * sizeof(Unsigned)) {
    damaged("the column " + std::string(name) + " has the wrong size");
  }
  return decode_array<Unsigned>(bytes);
}

std::vector<std::uint32_t> invert(const std::vector<std::uint32_t>& permutation, std::string_view name) {
  const std::uint32_t none = 0xffff'ffffU;
  std::vector<std::uint32_t> places(permutation.size(), none);
  for (std::uint32_t place = 0; place < permutation.size(); ++place) {
    const std::uint32_t position = permutation[place];
    if (position >= places.size() || places[position] != none) {
      damaged("the column " + std::string(name) + " is no permutation");
    }
    places[position] = place;
  }
  return places;
}

void check_format(sqlite3* database) {
  Statement pragma(database, "PRAGMA application_id");
  if (!pragma.step() || pragma.integer(0) != kApplicationId) {
    throw sql::Failure("the file is not a snapshot of this project");
  }
}

}  // namespace

Manifest read_manifest(sqlite3* database) {
  check_format(database);
  Manifest manifest;
  Statement select(database, "SELECT key, value FROM manifest");
  while (select.step()) manifest.emplace(select.text(0), select.text(1));
  const std::string& format = manifest_text(manifest, "format_version");
  if (format != std::to_string(kSnapshotVersion)) {
    throw sql::Failure("the snapshot has format version " + format + ", and this program reads version " +
                       std::to_string(kSnapshotVersion));
  }
  return manifest;
}

const std::string& manifest_text(const Manifest& manifest, const std::string& key) {
  const auto found = manifest.find(key);
  if (found == manifest.end()) damaged("its manifest has no " + key);
  return found->second;
}

std::uint32_t manifest_number(const Manifest& manifest, const std::string& key) {
  const std::string& text = manifest_text(manifest, key);
  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) damaged("its manifest has a bad " + key);
  return number;
}

Layout read_layout(const Manifest& manifest) {
  const std::uint64_t music = manifest_number(manifest, "music");
  const std::uint64_t effects = music + manifest_number(manifest, "effects");
  const std::uint64_t speech = effects + manifest_number(manifest, "speech");
  const std::uint64_t all = speech + manifest_number(manifest, "taken_down");
  if (all != manifest_number(manifest, "tracks")) damaged("its counts of tracks disagree");
  return {static_cast<std::uint32_t>(music), static_cast<std::uint32_t>(effects), static_cast<std::uint32_t>(speech),
          static_cast<std::uint32_t>(all)};
}

Columns read_columns(sqlite3* database, std::uint32_t size) {
  Statement select(database, "SELECT data FROM columns WHERE name = ?1");
  Columns columns;
  columns.duration_ms = read_column<std::uint64_t>(select, "duration_ms", size);
  columns.bpm_hundredths = read_column<std::uint32_t>(select, "bpm_hundredths", size);
  columns.quality = read_column<std::uint16_t>(select, "quality", size);
  columns.flags = read_column<std::uint8_t>(select, "flags", size);
  columns.id_rank = read_column<std::uint32_t>(select, "id_rank", size);
  invert(columns.id_rank, "id_rank");
  for (std::size_t i = 0; i < kStoredSorts.size(); ++i) {
    const std::string name = "order_" + std::string(kStoredSortNames[i]);
    columns.orders[i].positions = read_column<std::uint32_t>(select, name, size);
    columns.orders[i].ranks = invert(columns.orders[i].positions, name);
  }
  return columns;
}

}  // namespace tonearm::catalog
