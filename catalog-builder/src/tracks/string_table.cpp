#include "tracks/string_table.h"

#include <functional>
#include <limits>

namespace tonearm::builder {
namespace {

constexpr unsigned kBlockBits = 16;
constexpr std::uint64_t kBlockBytes = std::uint64_t{1} << kBlockBits;
constexpr auto kEmpty = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kSlotsMin = 16;

}  // namespace

void StringTable::add(std::string_view text) {
  if (slots_.size() / 4 * 3 <= starts_.size()) enlarge();
  if (blocks_.empty() || blocks_.back().size() + text.size() >= kBlockBytes) {
    blocks_.emplace_back().reserve(kBlockBytes);
  }
  starts_.push_back(((blocks_.size() - 1) << kBlockBits) + blocks_.back().size());
  blocks_.back() += text;
  auto& slot = slots_[slot_of(text)];
  if (slot == kEmpty) slot = size() - 1;
}

std::optional<std::uint32_t> StringTable::find(std::string_view text) const {
  if (slots_.empty()) return std::nullopt;
  const auto number = slots_[slot_of(text)];
  return number == kEmpty ? std::nullopt : std::optional(number);
}

std::string_view StringTable::text(std::uint32_t number) const {
  const auto block = starts_[number] >> kBlockBits;
  const auto start = starts_[number] % kBlockBytes;
  const std::string_view bytes = blocks_[block];
  const bool is_last_of_block = number + 1 == size() || starts_[number + 1] >> kBlockBits != block;
  return bytes.substr(start, (is_last_of_block ? bytes.size() : starts_[number + 1] % kBlockBytes) - start);
}

std::size_t StringTable::slot_of(std::string_view text) const {
  const std::size_t mask = slots_.size() - 1;
  auto slot = std::hash<std::string_view>()(text) & mask;
  while (slots_[slot] != kEmpty && this->text(slots_[slot]) != text) slot = (slot + 1) & mask;
  return slot;
}

void StringTable::enlarge() {
  slots_.assign(slots_.empty() ? kSlotsMin : 2 * slots_.size(), kEmpty);
  for (std::uint32_t number = 0; number < size(); ++number) {
    auto& slot = slots_[slot_of(text(number))];
    if (slot == kEmpty) slot = number;
  }
}

}  // namespace tonearm::builder
