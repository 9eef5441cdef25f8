#include "catalog/track_store.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "catalog/shuffle.h"
#include "catalog/term_index.h"
#include "table/types.h"

namespace tonearm::catalog {
namespace {

/// Tracks that are read together: a block or two for each are at hand at once.
constexpr std::size_t kTracksAtOnce = 60;

std::size_t offset_count() { return 2 * table::track_paths().size(); }

/// How long a track is, by what it says itself.
std::uint64_t track_size(std::uint32_t json_size, std::uint32_t neighbors) {
  const std::uint64_t numbers = 2 + offset_count() + std::uint64_t{neighbors};
  return (numbers * sizeof(std::uint32_t) + json_size + 3) / 4 * 4;
}

void check_offsets(const RenderedTrack& track) {
  for (std::size_t i = 0; i < track.offsets.size(); i += 2) {
    if (track.offsets[i] > track.offsets[i + 1] || track.offsets[i + 1] > track.json.size()) {
      damaged("an offset lies outside of its track");
    }
  }
}

}  // namespace

TrackStore::TrackStore(const Sections& sections, const Layout& layout)
    : layout_(layout),
      tracks_(sections[SectionId::tracks]),
      ends_(sections[SectionId::track_ends].array<std::uint64_t>()),
      groups_(sections[SectionId::track_groups].array<std::uint64_t>()),
      slots_(sections[SectionId::ids].array<std::uint32_t>()) {
  const std::uint32_t size = layout.size;
  if (ends_.size() != size) damaged("the section track_ends has the wrong size");
  if (groups_.size() != (size + kTracksOfGroup - 1) / kTracksOfGroup) {
    damaged("the section track_groups has the wrong size");
  }
  if (groups_.is_in_memory()) return;
  // What nearly every call needs of a file that is fetched by blocks.
  const auto groups = groups_.all();
  kept_groups_.assign(groups.begin(), groups.end());
  groups_ = kept_groups_;
}

FileRange TrackStore::range_of(std::uint32_t position) const {
  const std::uint64_t begin = position == 0 ? 0 : ends_[position - 1];
  const std::uint64_t end = ends_[position];
  if (begin > end) damaged("a track ends before it begins");
  if (begin % sizeof(std::uint32_t) != 0) damaged("a track begins at no boundary");
  return {begin, end - begin};
}

FileRange TrackStore::range_of_group(std::uint32_t position) const {
  const std::size_t group = position / kTracksOfGroup;
  const std::uint64_t begin = groups_[group];
  const std::uint64_t end = group + 1 < groups_.size() ? groups_[group + 1] : tracks_.size();
  if (begin > end) damaged("a group of tracks ends before it begins");
  if (begin % sizeof(std::uint32_t) != 0) damaged("a group of tracks begins at no boundary");
  return {begin, end - begin};
}

std::vector<StoredTrack> TrackStore::at(std::span<const std::uint32_t> positions) const {
  std::vector<StoredTrack> tracks;
  tracks.reserve(positions.size());
  while (!positions.empty()) {
    const auto now = positions.first(std::min(positions.size(), kTracksAtOnce));
    expect(now);
    for (const auto position : now) {
      if (position >= ends_.size()) damaged("an order names a track that there is not");
      tracks.push_back(at(position));
    }
    positions = positions.subspan(now.size());
  }
  return tracks;
}

void TrackStore::expect(std::span<const std::uint32_t> positions, std::vector<FileRange> beside) const {
  if (tracks_.is_in_memory()) {
    prefetch(positions);
    return;
  }
  for (const std::uint32_t position : positions) {
    if (position >= ends_.size()) continue;
    const FileRange group = range_of_group(position);
    beside.push_back(tracks_.place(group.offset, group.size));
  }
  tracks_.expect(beside);
}

std::string_view TrackStore::bytes_at(std::uint32_t position) const {
  if (tracks_.is_in_memory()) {
    const FileRange range = range_of(position);
    return tracks_.bytes(range.offset, range.size);
  }
  const FileRange group = range_of_group(position);
  std::string_view rest = tracks_.bytes(group.offset, group.size);
  for (std::uint32_t before = position % kTracksOfGroup;; --before) {
    const auto sizes = as_array<std::uint32_t>(slice(rest, 0, 2 * sizeof(std::uint32_t)));
    const std::uint64_t size = track_size(sizes[0], sizes[1]);
    if (before == 0) return slice(rest, 0, size);
    rest = slice(rest, size, rest.size() - std::min<std::uint64_t>(size, rest.size()));
  }
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
  const std::string_view bytes = bytes_at(position);
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

bool TrackStore::has_id(std::uint32_t position, std::string_view id) const {
  if (position >= ends_.size()) damaged("an id names a track that there is not");
  return id_of(at(position).rendered) == id;
}

std::optional<std::uint32_t> TrackStore::find(std::string_view id) const {
  return find_slot(slots_, hash64(id), [&](std::uint32_t position) { return has_id(position, id); });
}

std::uint32_t TrackStore::surprise(std::uint32_t position, std::uint64_t hash) const {
  const std::array ends{layout_.music_end, layout_.effects_end, layout_.speech_end, layout_.size};
  const auto end = std::upper_bound(ends.begin(), ends.end(), position);
  if (end == ends.end()) return layout_.size;
  const std::uint32_t begin = end == ends.begin() ? 0 : *std::prev(end);
  const auto expected = begin + static_cast<std::uint32_t>(expected_place(hash, *end - begin));
  return position < expected ? expected - position : position - expected;
}

std::vector<std::uint32_t> TrackStore::candidates(std::string_view id) const {
  std::vector<std::uint32_t> candidates;
  find_slot(slots_, hash64(id), [&](std::uint32_t position) {
    candidates.push_back(position);
    return false;
  });
  // Tracks stand in the order of these hashes: so the right one is known before it is read.
  const std::uint64_t hash = hash64(id);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return surprise(a, hash) < surprise(b, hash); });
  return candidates;
}

void TrackStore::expect_ids(std::span<const std::string> ids) const {
  if (slots_.is_in_memory() || slots_.empty()) return;
  std::vector<std::uint32_t> numbers;
  for (const std::string& id : ids) numbers.push_back(static_cast<std::uint32_t>(hash64(id) & (slots_.size() - 1)));
  slots_.expect(numbers);
}

std::vector<std::optional<FoundTrack>> TrackStore::look_up(std::span<const std::string> ids) const {
  expect_ids(ids);
  std::vector<std::vector<std::uint32_t>> tried;
  tried.reserve(ids.size());
  for (const std::string& id : ids) tried.push_back(candidates(id));
  std::vector<std::optional<FoundTrack>> found(ids.size());
  for (std::size_t begin = 0; begin < ids.size(); begin += kTracksAtOnce) {
    const std::size_t end = std::min(ids.size(), begin + kTracksAtOnce);
    std::vector<std::uint32_t> first;
    for (std::size_t i = begin; i < end; ++i) {
      if (!tried[i].empty()) first.push_back(tried[i].front());
    }
    expect(first);
    for (std::size_t i = begin; i < end; ++i) {
      const auto position =
          std::find_if(tried[i].begin(), tried[i].end(), [&](std::uint32_t it) { return has_id(it, ids[i]); });
      if (position != tried[i].end()) found[i] = FoundTrack{*position, at(*position).rendered};
    }
  }
  return found;
}

std::vector<std::uint32_t> TrackStore::find_among(std::span<const std::string> ids,
                                                  std::span<const std::uint32_t> positions,
                                                  std::vector<FileRange> beside) const {
  struct Candidate {
    std::uint32_t position = 0;
    std::size_t id = 0;
  };
  std::vector<Candidate> likely;
  std::vector<std::uint32_t> read;
  expect_ids(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (const std::uint32_t position : candidates(ids[i])) {
      if (!std::binary_search(positions.begin(), positions.end(), position)) continue;
      likely.push_back({position, i});
      read.push_back(position);
    }
  }
  expect(read, std::move(beside));
  std::vector<std::uint32_t> found;
  for (const auto& [position, id] : likely) {
    if (has_id(position, ids[id])) found.push_back(position);
  }
  std::sort(found.begin(), found.end());
  return found;
}

void TrackStore::check_group(std::uint32_t position) const {
  const FileRange track = range_of(position);
  if (position % kTracksOfGroup == 0 && groups_[position / kTracksOfGroup] != track.offset) {
    damaged("a group of tracks begins elsewhere");
  }
  const auto sizes = as_array<std::uint32_t>(tracks_.bytes(track.offset, 2 * sizeof(std::uint32_t)));
  if (track_size(sizes[0], sizes[1]) != track.size) damaged("a track has another size");
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
