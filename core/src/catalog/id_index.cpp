#include "catalog/id_index.h"

#include "catalog/shuffle.h"

namespace tonearm::catalog {
namespace {

/// 1 KiB of checks.
constexpr std::size_t kSampleStep = 512;

std::uint16_t check_of(std::uint64_t hash) { return static_cast<std::uint16_t>(hash & 0xffffU); }

std::array<std::uint32_t, 5> group_borders(const Layout& layout) {
  return {0, layout.music_end, layout.effects_end, layout.speech_end, layout.size};
}

}  // namespace

IdIndex::Places::Places(const Layout& layout) : positions(group_borders(layout)) {
  for (std::size_t group = 0; group + 1 < positions.size(); ++group) {
    const std::size_t samples = Samples::count_of(positions.at(group + 1) - positions.at(group), kSampleStep);
    offsets.at(group + 1) = offsets.at(group) + samples * sizeof(std::uint32_t);
  }
}

IdIndex::IdIndex(const Sections& sections, const Layout& layout) : IdIndex(sections[SectionId::ids], Places(layout)) {}

IdIndex::IdIndex(const Extent& section, const Places& places)
    : section_(section),
      groups_([&] {
        const auto group = [&](std::size_t number) {
          const std::uint32_t begin = places.positions.at(number);
          const std::size_t count = places.positions.at(number + 1) - begin;
          const std::size_t samples = Samples::count_of(count, kSampleStep);
          return Group{begin, {section.array<std::uint32_t>(places.offsets.at(number), samples), count, kSampleStep}};
        };
        return std::array<Group, 4>{group(0), group(1), group(2), group(3)};
      }()),
      checks_(section.array<std::uint16_t>(places.offsets.back(), places.positions.back())) {
  if (places.offsets.back() + checks_.size() * sizeof(std::uint16_t) != section.size()) {
    damaged("the section ids has the wrong size");
  }
}

std::vector<std::uint32_t> IdIndex::candidates(std::string_view id) const {
  const std::uint64_t hash = hash64(id);
  const std::uint16_t check = check_of(hash);
  std::vector<std::uint32_t> found;
  for (const Group& group : groups_) {
    const auto [begin, end] = group.samples.around(upper_half(hash));
    const std::span<const std::uint16_t> checks = checks_.part(group.begin + begin, end - begin).all();
    // Many at once: hardly any is it.
    constexpr std::size_t kAtOnce = 64;
    for (std::size_t at = 0; at < checks.size(); at += kAtOnce) {
      const auto some = checks.subspan(at, std::min(kAtOnce, checks.size() - at));
      unsigned any = 0;
      for (const std::uint16_t it : some) any |= it == check ? 1U : 0U;
      for (std::size_t i = 0; any != 0 && i < some.size(); ++i) {
        if (some[i] == check) found.push_back(group.begin + static_cast<std::uint32_t>(begin + at + i));
      }
    }
  }
  return found;
}

void IdIndex::add_places(std::string_view id, std::vector<FileRange>& places) const {
  for (const Group& group : groups_) {
    const auto [begin, end] = group.samples.around(upper_half(hash64(id)));
    if (begin < end) places.push_back(checks_.part(group.begin + begin, end - begin).place());
  }
}

void IdIndex::expect(std::string_view id) const {
  if (checks_.is_in_memory()) return;
  std::vector<FileRange> places;
  add_places(id, places);
  section_.expect(places);
}

void IdIndex::expect(std::span<const std::string> ids) const {
  if (checks_.is_in_memory()) return;
  std::vector<FileRange> places;
  for (const std::string& id : ids) add_places(id, places);
  section_.expect(places);
}

std::string encode_ids(const std::vector<std::uint64_t>& hashes, const Layout& layout) {
  const auto borders = group_borders(layout);
  std::string section;
  for (std::size_t group = 0; group + 1 < borders.size(); ++group) {
    const std::uint32_t begin = borders.at(group);
    const auto samples = Samples::make(borders.at(group + 1) - begin, kSampleStep,
                                       [&](std::size_t i) { return upper_half(hashes[begin + i]); });
    section += as_bytes(std::span<const std::uint32_t>(samples));
  }
  std::vector<std::uint16_t> checks;
  checks.reserve(hashes.size());
  for (const std::uint64_t hash : hashes) checks.push_back(check_of(hash));
  return section.append(as_bytes(std::span<const std::uint16_t>(checks)));
}

}  // namespace tonearm::catalog
