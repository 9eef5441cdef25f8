#include "catalog/track_store.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "table/types.h"

namespace tonearm::catalog {
namespace {

/// Calls `visit(begin, end)` for as many numbers at once as tracks can be read together: a block or two for each of
/// them are at hand then.
template <class Visit>
void in_batches(std::size_t count, const Visit& visit) {
  constexpr std::size_t kTracksAtOnce = 60;
  for (std::size_t begin = 0; begin < count; begin += kTracksAtOnce)
    visit(begin, std::min(count, begin + kTracksAtOnce));
}

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
      groups_(sections[SectionId::track_groups].array<std::uint32_t>()),
      ids_(sections, layout) {
  if (groups_.size() != (layout.size + kTracksOfGroup - 1) / kTracksOfGroup) {
    damaged("the section track_groups has the wrong size");
  }
  if (tracks_.size() % kGroupUnit != 0) damaged("the section tracks has the wrong size");
  if (groups_.is_in_memory()) return;
  // What nearly every call needs of a file that is fetched by blocks.
  kept_groups_.assign(groups_.begin(), groups_.end());
  groups_ = kept_groups_;
}

FileRange TrackStore::range_of_group(std::uint32_t position) const {
  const std::size_t group = position / kTracksOfGroup;
  const std::uint64_t begin = std::uint64_t{groups_[group]} * kGroupUnit;
  const std::uint64_t end =
      group + 1 < groups_.size() ? std::uint64_t{groups_[group + 1]} * kGroupUnit : tracks_.size();
  if (begin > end || end > tracks_.size()) damaged("a group of tracks ends before it begins, or nowhere");
  return {begin, end - begin};
}

FileRange TrackStore::range_of(std::uint32_t position) const {
  const FileRange group = range_of_group(position);
  if (group.size < sizeof(GroupEnds)) damaged("a group of tracks is cut");
  const auto ends = tracks_.array<std::uint32_t>(group.offset, kTracksOfGroup);
  const std::uint32_t number = position % kTracksOfGroup;
  const std::uint32_t begin = number == 0 ? sizeof(GroupEnds) : ends[number - 1];
  const std::uint32_t end = ends[number];
  if (begin > end || end > group.size) damaged("a track ends before it begins, or outside of its group");
  if (begin % sizeof(std::uint32_t) != 0) damaged("a track begins at no boundary");
  return {group.offset + begin, end - begin};
}

std::vector<StoredTrack> TrackStore::at(std::span<const std::uint32_t> positions) const {
  std::vector<StoredTrack> tracks;
  tracks.reserve(positions.size());
  in_batches(positions.size(), [&](std::size_t begin, std::size_t end) {
    const auto batch = positions.subspan(begin, end - begin);
    expect(batch);
    for (const auto position : batch) {
      if (position >= layout_.size) damaged("an order names a track that there is not");
      tracks.push_back(at(position));
    }
  });
  return tracks;
}

void TrackStore::expect(std::span<const std::uint32_t> positions) const {
  if (tracks_.is_in_memory()) {
    prefetch(positions);
    return;
  }
  std::vector<FileRange> places;
  for (const std::uint32_t position : positions) {
    if (position >= layout_.size) continue;
    const FileRange group = range_of_group(position);
    places.push_back(tracks_.place(group.offset, group.size));
  }
  tracks_.expect(places);
}

void TrackStore::prefetch(std::span<const std::uint32_t> positions) const {
  constexpr std::size_t kLineBytes = 64;
  constexpr std::size_t kLines = 8;  // then the processor sees by itself where it goes
  const std::span<const std::uint32_t> groups = groups_.all();
  const std::string_view tracks = tracks_.all();
  const auto each_group = [&](const auto& visit) {
    for (const std::uint32_t position : positions) {
      if (position < layout_.size) visit(position, position / kTracksOfGroup);
    }
  };
  each_group([&](std::uint32_t, std::uint32_t group) { __builtin_prefetch(&groups[group]); });
  each_group([&](std::uint32_t, std::uint32_t group) {
    const std::uint64_t begin = std::uint64_t{groups[group]} * kGroupUnit;
    if (begin < tracks.size()) __builtin_prefetch(tracks.data() + begin);
  });
  each_group([&](std::uint32_t position, std::uint32_t) {
    const FileRange track = range_of(position);
    for (std::size_t line = 0; line < kLines && track.offset + line * kLineBytes < tracks.size(); ++line) {
      __builtin_prefetch(tracks.data() + track.offset + line * kLineBytes);
    }
  });
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

std::optional<std::uint32_t> TrackStore::first_with(std::span<const std::uint32_t> positions,
                                                    std::string_view id) const {
  const auto found = std::find_if(positions.begin(), positions.end(), [&](auto it) { return id_at(it) == id; });
  return found == positions.end() ? std::nullopt : std::optional(*found);
}

std::string_view TrackStore::id_at(std::uint32_t position) const { return id_of(at(position).rendered); }

std::optional<std::uint32_t> TrackStore::find(std::string_view id) const {
  ids_.expect(id);
  const std::vector<std::uint32_t> candidates = ids_.candidates(id);
  expect(candidates);
  return first_with(candidates, id);
}

std::vector<std::optional<FoundTrack>> TrackStore::look_up(std::span<const std::string> ids) const {
  expect_ids(ids);
  std::vector<std::vector<std::uint32_t>> tried;
  tried.reserve(ids.size());
  for (const std::string& id : ids) tried.push_back(ids_.candidates(id));
  std::vector<std::optional<FoundTrack>> found(ids.size());
  in_batches(ids.size(), [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> read;
    for (std::size_t i = begin; i < end; ++i) read.insert(read.end(), tried[i].begin(), tried[i].end());
    expect(read);
    for (std::size_t i = begin; i < end; ++i) {
      const auto position = first_with(tried[i], ids[i]);
      if (position) found[i] = FoundTrack{*position, at(*position).rendered};
    }
  });
  return found;
}

std::vector<std::uint32_t> TrackStore::find_among(std::span<const std::string> ids,
                                                  std::span<const std::uint32_t> positions) const {
  struct Candidate {
    std::uint32_t position = 0;
    std::size_t id = 0;
  };
  std::vector<Candidate> likely;
  std::vector<std::uint32_t> read;
  expect_ids(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (const std::uint32_t position : ids_.candidates(ids[i])) {
      if (!std::binary_search(positions.begin(), positions.end(), position)) continue;
      likely.push_back({position, i});
      read.push_back(position);
    }
  }
  expect(read);
  std::vector<std::uint32_t> found;
  for (const auto& [position, id] : likely) {
    if (id_at(position) == ids[id]) found.push_back(position);
  }
  std::sort(found.begin(), found.end());
  return found;
}

void TrackStore::check_size(std::uint32_t position) const {
  const FileRange track = range_of(position);
  const auto sizes = as_array<std::uint32_t>(tracks_.bytes(track.offset, 2 * sizeof(std::uint32_t)));
  if (track_size(sizes[0], sizes[1]) != track.size) damaged("a track has another size");
  const std::uint32_t number = position % kTracksOfGroup;
  if (number + 1 < kTracksOfGroup && position + 1 < layout_.size) return;
  // The last of its group: behind it nothing but zeros up to the next.
  const FileRange group = range_of_group(position);
  const auto ends = tracks_.array<std::uint32_t>(group.offset, kTracksOfGroup);
  const auto others = ends.part(number, ends.size() - number);
  const bool is_full = std::all_of(others.begin(), others.end(), [&](auto end) { return end == others[0]; });
  const std::string_view behind = tracks_.bytes(group.offset + ends[number], group.size - ends[number]);
  if (!is_full || groups_[0] != 0 || behind.size() >= kGroupUnit || behind.find_first_not_of('\0') != behind.npos) {
    damaged("a group of tracks has another size");
  }
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
