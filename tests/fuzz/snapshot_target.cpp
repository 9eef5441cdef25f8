// Snapshots whose hashes match and whose content is arbitrary. An input is a list of changes to a sound snapshot: a
// byte that selects the part, three for the offset, one for the length, and the new bytes.

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "catalog/storage/sections.h"
#include "memory_catalog.h"
#include "snapshot_surgery.h"
#include "system/system_ports.h"
#include "target.h"
#include "tonearm/catalog.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm::fuzz {
namespace {

/// The parts beside the sections.
constexpr unsigned kDatabase = catalog::kSectionCount;
constexpr unsigned kWholeFile = catalog::kSectionCount + 1;  // its hashes do not match then
constexpr unsigned kParts = catalog::kSectionCount + 2;

struct Patch {
  unsigned part = 0;
  std::size_t offset = 0;
  std::string_view bytes;
};

std::vector<Patch> patches_of(std::string_view input) {
  constexpr std::size_t kPatchesMax = 16;
  std::vector<Patch> patches;
  while (input.size() > 5 && patches.size() < kPatchesMax) {
    Patch patch;
    patch.part = take_byte(input) % kParts;
    for (int byte = 0; byte < 3; ++byte) patch.offset = patch.offset << 8U | take_byte(input);
    patch.bytes = input.substr(0, 1 + take_byte(input) % 16);
    input.remove_prefix(std::min(patch.bytes.size(), input.size()));
    patches.push_back(patch);
  }
  return patches;
}

void apply(std::string& data, const std::vector<Patch>& patches, unsigned part) {
  for (const auto& patch : patches) {
    if (patch.part != part || data.empty()) continue;
    const auto at = patch.offset % data.size();
    const auto size = std::min(patch.bytes.size(), data.size() - at);
    data.replace(at, size, patch.bytes.substr(0, size));
  }
}

/// Values without a pattern, enough for a use in a film.
std::vector<std::uint32_t> fingerprint_of(unsigned number) {
  std::vector<std::uint32_t> values(64);
  std::uint32_t value = number + 1;
  for (auto& one : values) {
    value = value * 1'664'525U + 1'013'904'223U;
    one = value ^ value >> 16U;
  }
  return values;
}

std::string sound_snapshot() {
  std::vector<Track> tracks;
  for (int i = 0; i < 40; ++i) {
    Track track;
    track.id = "x-" + std::to_string(i);
    track.kind = i % 4 == 0 ? Kind::sfx : Kind::music;
    track.title = "rain song " + std::to_string(i % 7);
    track.artist = "Artist " + std::to_string(i % 5);
    track.description = "A walk in the rain";
    track.duration_ms = 1'000 + static_cast<std::uint64_t>(i);
    track.source = "example.org";
    track.source_page = "https://example.org/" + track.id;
    track.bpm_hundredths = 9'000;
    track.tags.at(0) = {"ambient"};
    track.neighbors = {static_cast<std::uint32_t>((i + 1) % 40)};
    auto audio = std::make_shared<TrackAudio>();
    audio->fingerprint = fingerprint_of(static_cast<unsigned>(i));
    audio->file_hashes.push_back({static_cast<std::uint8_t>(i)});
    track.audio = std::move(audio);
    tracks.push_back(std::move(track));
  }
  SnapshotOptions options;
  options.synonyms = {{"rain", "shower"}};
  return test::snapshot_bytes(tracks, options);
}

std::string changed(const std::string& sound, const std::vector<Patch>& patches) {
  const auto change = [&](catalog::SectionId id, std::string& data) {
    apply(data, patches, static_cast<unsigned>(id));
  };
  std::string database = sound.substr(0, static_cast<std::size_t>(database_size(sound)));
  apply(database, patches, kDatabase);
  auto bytes = test::with_database(sound, std::move(database), change);
  apply(bytes, patches, kWholeFile);
  return bytes;
}

/// Calls each function of a catalog.
void use(const Catalog& catalog) {
  SearchQuery query;
  query.limit = 20;
  for (const auto* text : {"", "rain", "shower song", "\"rain song\" artst", "xyzzy"}) {
    query.q = text;
    const auto page = catalog.search(query);
    catalog.render(page.tracks);
    catalog.count(query);
    catalog.terms(text, WordMatch::most);
  }
  query.kind = Kind::sfx;
  catalog.render(catalog.search(query).tracks);
  catalog.complete("ra", Kind::music, 5);
  catalog.near_words("raim", Kind::music, 3);
  catalog.near_creators("artst 1", Kind::music, 3);
  catalog.creators("art", 5);
  const std::vector<std::string> ids{"x-1", "x-39", "none"};
  catalog.look_up(ids);
  const std::vector<std::vector<std::uint32_t>> prints{fingerprint_of(0), fingerprint_of(39)};
  catalog.look_up_fingerprints(prints);
  catalog.look_up_mixes(prints);
  const std::vector<Sha256> hashes{Sha256{1}};
  catalog.look_up_files(hashes);
  for (const std::string& version : catalog.known_versions()) catalog.changes(version, 10, 0);
  catalog.similar(0, {}, 10, 0);
  catalog.is_taken_down(catalog.track_count() - 1);
}

/// Returns the unchanged snapshot, in which each fingerprint of `use` is heard, so that damage reaches what compares
/// them.
std::string checked_sound_snapshot() {
  auto bytes = sound_snapshot();
  const auto catalog = Catalog::open(test::snapshot_of_bytes(bytes), {}).value();
  const std::vector<std::vector<std::uint32_t>> prints{fingerprint_of(0)};
  if (catalog->look_up_mixes(prints).front().empty()) std::abort();
  return bytes;
}

void run_snapshot(std::string_view input) {
  static const std::string kSound = checked_sound_snapshot();
  const auto patches = patches_of(input);
  native::OpensslHashing hashing;
  std::string bytes;
  allow_failure([&] { bytes = changed(kSound, patches); });
  const auto snapshot = test::snapshot_of_bytes(std::move(bytes));
  allow_failure([&] {
    const auto opened = Catalog::open(snapshot, {});
    if (!opened) return;
    (*opened)->check_blocks(hashing);
    allow_failure([&] { use(**opened); });
  });
  allow_failure([&] { verify_snapshot(snapshot, hashing); });
}

std::vector<std::string> snapshot_seeds() {
  std::vector<std::string> seeds;
  for (unsigned part = 0; part < kParts; ++part)
    seeds.push_back(static_cast<char>(part) + std::string("\0\0\0\3\1\2\3\4", 8));
  return seeds;
}

}  // namespace

const Target kSnapshot{"snapshot", snapshot_seeds, run_snapshot};

}  // namespace tonearm::fuzz
