#include "catalog/track_store.h"

#include "catalog/shuffle.h"
#include "catalog/term_index.h"
#include "table/types.h"

namespace tonearm::catalog {
namespace {

std::size_t offset_count() { return 2 * table::track_paths().size(); }

void check_offsets(const RenderedTrack& track) {
  for (std::size_t i = 0; i < track.offsets.size(); i += 2) {
    if (track.offsets[i] > track.offsets[i + 1] || track.offsets[i + 1] > track.json.size()) {
      damaged("an offset lies outside of its track");
    }
  }
}

}  // namespace

TrackStore::TrackStore(const Sections& sections, std::uint32_t size)
    : tracks_(sections[SectionId::tracks]),
      ends_(sections[SectionId::track_ends].array<std::uint64_t>()),
      slots_(sections[SectionId::ids].array<std::uint32_t>()) {
  if (ends_.size() != size) damaged("the section track_ends has the wrong size");
}

FileRange TrackStore::range_of(std::uint32_t position) const {
  const std::uint64_t begin = position == 0 ? 0 : ends_[position - 1];
  const std::uint64_t end = ends_[position];
  if (begin > end) damaged("a track ends before it begins");
  if (begin % sizeof(std::uint32_t) != 0) damaged("a track begins at no boundary");
  return {begin, end - begin};
}

void TrackStore::expect(std::span<const std::uint32_t> positions) const {
  if (tracks_.is_in_memory()) {
    prefetch(positions);
    return;
  }
  std::vector<FileRange> ranges;
  for (const std::uint32_t position : positions) {
    if (position >= ends_.size()) continue;
    if (position > 0) ranges.push_back(ends_.place_of(position - 1));
    ranges.push_back(ends_.place_of(position));
  }
  tracks_.expect(ranges);
  ranges.clear();
  for (const std::uint32_t position : positions) {
    if (position >= ends_.size()) continue;
    const FileRange range = range_of(position);
    ranges.push_back(tracks_.place(range.offset, range.size));
  }
  tracks_.expect(ranges);
}

void TrackStore::prefetch(std::span<const std::uint32_t> positions) const {
  constexpr std::size_t kLineBytes = 64;
  constexpr std::size_t kLines = 8;  // then the processor sees by itself where it goes
  const std::span<const std::uint64_t> ends = ends_.all();
  const std::string_view tracks = tracks_.all();
  for (const std::uint32_t position : positions) {
    if (position < ends.size()) __builtin_prefetch(&ends[position]);
  }
  for (const std::uint32_t position : positions) {
    if (position == 0 || position >= ends.size()) continue;
    const std::uint64_t begin = ends[position - 1];
    for (std::size_t line = 0; line < kLines && begin + line * kLineBytes < tracks.size(); ++line) {
      __builtin_prefetch(tracks.data() + begin + line * kLineBytes);
    }
  }
}

StoredTrack TrackStore::at(std::uint32_t position) const {
  const FileRange range = range_of(position);
  const std::string_view bytes = tracks_.bytes(range.offset, range.size);
  const auto values_at = [bytes](std::uint64_t offset, std::uint64_t count) {
    return as_array<std::uint32_t>(slice(bytes, offset, count * sizeof(std::uint32_t)));
  };
  const auto sizes = values_at(0, 2);
  std::uint64_t at = 2 * sizeof(std::uint32_t);
  StoredTrack track;
  track.rendered.offsets = values_at(at, offset_count());
  at += track.rendered.offsets.size_bytes();
  track.neighbors = values_at(at, sizes[1]);
  at += track.neighbors.size_bytes();
  track.rendered.json = slice(bytes, at, sizes[0]);
  check_offsets(track.rendered);
  return track;
}

std::string_view id_of(const RenderedTrack& track) {
  // `id` is the first path of a track; its value stands in quotes.
  const std::string_view quoted = track.json.substr(track.offsets[0], track.offsets[1] - track.offsets[0]);
  if (quoted.size() < 2) damaged("a track has no id");
  return quoted.substr(1, quoted.size() - 2);
}

std::optional<std::uint32_t> TrackStore::find(std::string_view id) const {
  return find_slot(slots_, hash64(id), [&](std::uint32_t position) {
    if (position >= ends_.size()) damaged("an id names a track that there is not");
    return id_of(at(position).rendered) == id;
  });
}

std::string encode_track(std::string_view json, std::span<const std::uint32_t> offsets,
                         std::span<const std::uint32_t> neighbors) {
  const std::array<std::uint32_t, 2> sizes{static_cast<std::uint32_t>(json.size()),
                                           static_cast<std::uint32_t>(neighbors.size())};
  std::string bytes(as_bytes(std::span<const std::uint32_t>(sizes)));
  bytes.append(as_bytes(offsets)).append(as_bytes(neighbors)).append(json);
  bytes.resize((bytes.size() + 3) / 4 * 4);
  return bytes;
}

}  // namespace tonearm::catalog
