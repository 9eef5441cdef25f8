#include "catalog/tempo_order.h"

namespace tonearm::catalog {
namespace {

/// 4 KiB of keys.
constexpr std::size_t kSampleStep = 1024;
/// Of a key: the tempo, where the two bits above say music, effects or taken down.
constexpr std::uint32_t kGroupShift = 30;
constexpr std::uint32_t kNoTempo = (std::uint32_t{1} << kGroupShift) - 1;

std::uint32_t key_of(std::uint32_t group, std::uint64_t bpm_hundredths) {
  return group << kGroupShift | static_cast<std::uint32_t>(std::min<std::uint64_t>(bpm_hundredths, kNoTempo - 1));
}

const Array<std::uint32_t>& order_of(const Columns& columns) {
  const auto slow = std::find(kStoredSorts.begin(), kStoredSorts.end(), Sort::slow) - kStoredSorts.begin();
  return columns.orders.at(static_cast<std::size_t>(slow)).positions;
}

}  // namespace

TempoOrder::TempoOrder(const Sections& sections, const Layout& layout)
    : size_(layout.size),
      music_end_(layout.music_end),
      speech_end_(layout.speech_end),
      section_(sections[SectionId::tempos]),
      order_(sections[SectionId::order_slow].array<std::uint32_t>(0, size_)),
      samples_(section_.array<std::uint32_t>(0, Samples::count_of(size_, kSampleStep)), size_, kSampleStep),
      keys_(section_.array<std::uint32_t>(Samples::count_of(size_, kSampleStep) * sizeof(std::uint32_t), size_)) {
  if (section_.size() != (Samples::count_of(size_, kSampleStep) + std::uint64_t{size_}) * sizeof(std::uint32_t)) {
    damaged("the section tempos has the wrong size");
  }
}

TempoOrder::Keys TempoOrder::keys_of(Kind kind, const Range& bpm_hundredths) const {
  const std::uint32_t group = kind == Kind::music ? 0 : 1;
  // Tracks without a tempo are in no range.
  return {key_of(group, bpm_hundredths.min.value_or(1)), key_of(group, bpm_hundredths.max.value_or(kNoTempo - 1))};
}

Between TempoOrder::all_of(Kind kind) const {
  return kind == Kind::music ? Between{0, music_end_} : Between{music_end_, speech_end_};
}

TempoOrder::Slice TempoOrder::slice(Kind kind, const Range& bpm_hundredths) const {
  const auto at = [this](std::size_t place) { return keys_[place]; };
  const auto [least, highest] = keys_of(kind, bpm_hundredths);
  const Between all = all_of(kind);
  const std::size_t begin = std::clamp(first_not_below(least, samples_.around(least), at), all.begin, all.end);
  const std::size_t end = std::clamp(first_not_below(highest + 1, samples_.around(highest), at), begin, all.end);
  return {all, {begin, end}};
}

void TempoOrder::expect(Kind kind, const Range& bpm_hundredths) const {
  if (keys_.is_in_memory()) return;
  std::vector<FileRange> places;
  const auto add = [&](const Array<std::uint32_t>& array, std::size_t begin, std::size_t end) {
    if (begin < end) places.push_back(array.part(begin, end - begin).place());
  };
  const auto [least, highest] = keys_of(kind, bpm_hundredths);
  const Between first = samples_.around(least);
  const Between last = samples_.around(highest);
  add(keys_, first.begin, first.end);
  add(keys_, last.begin, last.end);
  const Slice likely{all_of(kind), {first.begin, std::max(first.begin, last.end)}};
  if (likely.is_mostly_inside()) {
    add(order_, likely.all.begin, first.end);
    add(order_, last.begin, likely.all.end);
  } else {
    add(order_, likely.inside.begin, likely.inside.end);
  }
  section_.expect(places);
}

std::string encode_tempos(const Columns& columns, const Layout& layout) {
  std::vector<std::uint32_t> keys;
  for (const std::uint32_t position : order_of(columns)) {
    const std::uint32_t group = (position >= layout.music_end ? 1U : 0U) + (position >= layout.speech_end ? 1U : 0U);
    const std::uint32_t bpm = columns.bpm_hundredths[position];
    keys.push_back(bpm == 0 ? group << kGroupShift | kNoTempo : key_of(group, bpm));
  }
  const auto samples = Samples::make(keys.size(), kSampleStep, [&](std::size_t i) { return keys[i]; });
  return std::string(as_bytes(std::span<const std::uint32_t>(samples)))
      .append(as_bytes(std::span<const std::uint32_t>(keys)));
}

}  // namespace tonearm::catalog
