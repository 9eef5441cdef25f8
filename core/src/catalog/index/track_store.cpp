#include "catalog/index/track_store.h"

#include <algorithm>
#include <array>

#include "reflection/track_type.h"

namespace tonearm::catalog {
namespace {

std::size_t offset_count() { return 2 * table::track_paths().size(); }

/// Size of the JSON, number of neighbors, rank in the order of ties.
constexpr std::size_t kTrackHeaderNumbers = 3;

/// Returns the size of a track from the numbers that it starts with.
std::uint64_t track_size(std::uint32_t json_size, std::uint32_t neighbors) {
  const std::uint64_t numbers = kTrackHeaderNumbers + offset_count() + std::uint64_t{neighbors};
  return (numbers * sizeof(std::uint32_t) + json_size + 3) / 4 * 4;
}

}  // namespace

TrackStore::TrackStore(const Sections& sections, const Layout& layout)
    : layout_(layout),
      tracks_(sections[SectionId::tracks]),
      block_starts_(sections[SectionId::track_blocks].array<std::uint32_t>()) {
  if (block_starts_.size() != track_blocks_of(layout.size)) {
    throw_damaged("the section track_blocks has the wrong size");
  }
  if (tracks_.size() % kTrackBlockUnit != 0) throw_damaged("the section tracks has the wrong size");
  if (block_starts_.is_in_memory()) return;
  // Nearly every call to a remote file needs them.
  resident_starts_.assign(block_starts_.begin(), block_starts_.end());
  block_starts_ = resident_starts_;
}

FileRange TrackStore::range_of_block(std::uint32_t position) const {
  const std::size_t block = position / kTracksPerBlock;
  const std::uint64_t begin = std::uint64_t{block_starts_[block]} * kTrackBlockUnit;
  const std::uint64_t end =
      block + 1 < block_starts_.size() ? std::uint64_t{block_starts_[block + 1]} * kTrackBlockUnit : tracks_.size();
  if (begin > end || end > tracks_.size()) throw_damaged("a track block has invalid bounds");
  return {begin, end - begin};
}

FileRange TrackStore::range_of(std::uint32_t position) const {
  const FileRange block = range_of_block(position);
  if (block.size < sizeof(TrackBlockEnds)) throw_damaged("a track block is truncated");
  const auto ends = tracks_.array<std::uint32_t>(block.offset, kTracksPerBlock);
  const std::uint32_t number = position % kTracksPerBlock;
  const std::uint32_t begin = number == 0 ? sizeof(TrackBlockEnds) : ends[number - 1];
  const std::uint32_t end = ends[number];
  if (begin > end || end > block.size) throw_damaged("a track has invalid bounds");
  if (begin % sizeof(std::uint32_t) != 0) throw_damaged("a track is not aligned");
  return {block.offset + begin, end - begin};
}

void TrackStore::add_range(std::uint32_t position, std::vector<FileRange>& ranges) const {
  if (position >= layout_.size) return;
  const FileRange block = range_of_block(position);
  ranges.push_back(tracks_.range(block.offset, block.size));
}

void TrackStore::prefetch_cache_lines(std::span<const std::uint32_t> positions) const {
  constexpr std::size_t kLineBytes = 64;
  constexpr std::size_t kLines = 8;  // the processor prefetches the rest by itself
  const std::span<const std::uint32_t> starts = block_starts_.all();
  const std::string_view tracks = tracks_.all();
  const auto each_block = [&](const auto& visit) {
    for (const std::uint32_t position : positions) {
      if (position < layout_.size) visit(position, position / kTracksPerBlock);
    }
  };
  each_block([&](std::uint32_t, std::uint32_t block) { __builtin_prefetch(&starts[block]); });
  each_block([&](std::uint32_t, std::uint32_t block) {
    const std::uint64_t begin = std::uint64_t{starts[block]} * kTrackBlockUnit;
    if (begin < tracks.size()) __builtin_prefetch(tracks.data() + begin);
  });
  each_block([&](std::uint32_t position, std::uint32_t) {
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
  const auto numbers = values_at(0, kTrackHeaderNumbers);
  std::uint64_t at = numbers.size_bytes();
  StoredTrack track;
  track.tie_rank = numbers[2];
  track.rendered.offsets = values_at(at, offset_count());
  at += track.rendered.offsets.size_bytes();
  track.neighbors = values_at(at, numbers[1]);
  at += track.neighbors.size_bytes();
  track.rendered.json = slice(bytes, at, numbers[0]);
  if (!table::has_valid_offsets(track.rendered)) throw_damaged("an offset is outside its track");
  return track;
}

std::string_view id_of(const RenderedTrack& track) {
  // `id` is the first path of a track; its value is quoted.
  const std::string_view quoted = track.json.substr(track.offsets[0], track.offsets[1] - track.offsets[0]);
  if (quoted.size() < 2) throw_damaged("a track has no id");
  return quoted.substr(1, quoted.size() - 2);
}

std::string_view TrackStore::id_at(std::uint32_t position) const { return id_of(at(position).rendered); }

void TrackStore::check_size(std::uint32_t position) const {
  const FileRange track = range_of(position);
  const auto sizes = as_array<std::uint32_t>(tracks_.bytes(track.offset, 2 * sizeof(std::uint32_t)));
  if (track_size(sizes[0], sizes[1]) != track.size) throw_damaged("a track has the wrong size");
  const std::uint32_t number = position % kTracksPerBlock;
  if (number + 1 < kTracksPerBlock && position + 1 < layout_.size) return;
  // The last track of a block is followed only by zeros up to the next block.
  const FileRange block = range_of_block(position);
  const auto ends = tracks_.array<std::uint32_t>(block.offset, kTracksPerBlock);
  const auto others = ends.subarray(number, ends.size() - number);
  const bool is_full = std::all_of(others.begin(), others.end(), [&](auto end) { return end == others[0]; });
  const std::string_view padding = tracks_.bytes(block.offset + ends[number], block.size - ends[number]);
  if (!is_full || block_starts_[0] != 0 || padding.size() >= kTrackBlockUnit ||
      padding.find_first_not_of('\0') != padding.npos) {
    throw_damaged("a track block has the wrong size");
  }
}

std::string encode_track(std::string_view json, std::span<const std::uint32_t> offsets,
                         std::span<const std::uint32_t> neighbors, std::uint32_t tie_rank) {
  const std::array<std::uint32_t, kTrackHeaderNumbers> numbers{static_cast<std::uint32_t>(json.size()),
                                                               static_cast<std::uint32_t>(neighbors.size()), tie_rank};
  std::string bytes(raw_bytes(numbers));
  bytes.append(raw_bytes(offsets)).append(raw_bytes(neighbors)).append(json);
  bytes.resize((bytes.size() + 3) / 4 * 4);
  return bytes;
}

}  // namespace tonearm::catalog
