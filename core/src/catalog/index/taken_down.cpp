#include "catalog/index/taken_down.h"

#include <algorithm>
#include <utility>

namespace tonearm::catalog {
namespace {

/// With more take-downs than one in so many bitmap words, intersecting whole bitmaps is faster than clearing bits.
constexpr std::size_t kWordsPerTakeDown = 4;

void clear_bit(std::uint64_t* bits, std::uint32_t position) {
  bits[position / kWordBits] &= ~(std::uint64_t{1} << (position % kWordBits));
}

}  // namespace

TakenDown::TakenDown(std::vector<std::uint32_t> positions, const Layout& layout) : positions_(std::move(positions)) {
  std::erase_if(positions_, [&](std::uint32_t position) { return position >= layout.speech_end; });
  std::sort(positions_.begin(), positions_.end());
  positions_.erase(std::unique(positions_.begin(), positions_.end()), positions_.end());
  if (positions_.empty()) return;
  const std::size_t words = words_for(layout.size);
  are_many_ = positions_.size() * kWordsPerTakeDown > words;
  offered_bits_.assign(words, ~std::uint64_t{0});
  for (const std::uint32_t position : positions_) clear_bit(offered_bits_.data(), position);
}

void TakenDown::remove_from(std::vector<std::uint32_t>& positions) const {
  if (!empty()) std::erase_if(positions, [this](std::uint32_t position) { return contains(position); });
}

bool TakenDown::are_any_in(const std::uint64_t* bits, const PositionRange& range) const {
  return std::any_of(positions_.begin(), positions_.end(),
                     [&](std::uint32_t position) { return range.contains(position) && has_bit(bits, position); });
}

void TakenDown::clear_few(std::uint64_t* bits, const PositionRange& range) const {
  if (are_many_) return;
  for (const std::uint32_t position : positions_) {
    if (range.contains(position)) clear_bit(bits, position);
  }
}

}  // namespace tonearm::catalog
