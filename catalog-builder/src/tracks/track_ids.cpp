#include "tracks/track_ids.h"

#include <functional>
#include <limits>

namespace tonearm::builder {
namespace {

constexpr unsigned kBlockBits = 16;
constexpr std::uint64_t kBlockBytes = std::uint64_t{1} << kBlockBits;
constexpr auto kNoTrack = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kSlotsMin = 16;

}  // namespace

void TrackIds::add(std::string_view id) {
  if (slots_.size() / 4 * 3 <= starts_.size()) enlarge();
  if (blocks_.empty() || blocks_.back().size() + id.size() >= kBlockBytes) {
    blocks_.emplace_back().reserve(kBlockBytes);
  }
  starts_.push_back(((blocks_.size() - 1) << kBlockBits) + blocks_.back().size());
  blocks_.back() += id;
  auto& slot = slots_[slot_of(id)];
  if (slot == kNoTrack) slot = size() - 1;
}

std::optional<std::uint32_t> TrackIds::find(std::string_view id) const {
  if (slots_.empty()) return std::nullopt;
  const auto index = slots_[slot_of(id)];
  return index == kNoTrack ? std::nullopt : std::optional(index);
}

std::string_view TrackIds::id(std::uint32_t index) const {
  const auto block = starts_[index] >> kBlockBits;
  const auto start = starts_[index] % kBlockBytes;
  const std::string_view bytes = blocks_[block];
  const bool is_last_of_block = index + 1 == size() || starts_[index + 1] >> kBlockBits != block;
  return bytes.substr(start, (is_last_of_block ? bytes.size() : starts_[index + 1] % kBlockBytes) - start);
}

std::size_t TrackIds::slot_of(std::string_view id) const {
  const std::size_t mask = slots_.size() - 1;
  auto slot = std::hash<std::string_view>()(id) & mask;
  while (slots_[slot] != kNoTrack && this->id(slots_[slot]) != id) slot = (slot + 1) & mask;
  return slot;
}

void TrackIds::enlarge() {
  slots_.assign(slots_.empty() ? kSlotsMin : 2 * slots_.size(), kNoTrack);
  for (std::uint32_t index = 0; index < size(); ++index) {
    auto& slot = slots_[slot_of(id(index))];
    if (slot == kNoTrack) slot = index;
  }
}

}  // namespace tonearm::builder
