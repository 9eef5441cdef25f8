#pragma once
// Numbers 64-bit hashes by their first sight: an open-addressing table of numbers, 16 to 32 bytes for each hash.

#include <cstdint>
#include <span>
#include <vector>

namespace tonearm::builder {

class NumberedHashes {
 public:
  std::uint32_t size() const { return static_cast<std::uint32_t>(hashes_.size()); }
  /// The hashes by number.
  std::span<const std::uint64_t> hashes() const { return hashes_; }

  /// Returns the number of the hash, which is the next one at its first sight. REQUIRES: the bits of hashes are evenly
  /// distributed.
  std::uint32_t number_of(std::uint64_t hash) {
    if (2 * hashes_.size() >= slots_.size()) grow();
    std::uint32_t& slot = slots_[slot_of(hash)];
    if (slot == 0) {
      hashes_.push_back(hash);
      slot = size();
    }
    return slot - 1;
  }

 private:
  static constexpr std::size_t kSlotsMin = 1'024;

  /// Returns the slot that contains the hash, or the free slot for it.
  std::size_t slot_of(std::uint64_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at] != 0 && hashes_[slots_[at] - 1] != hash) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    const std::size_t count = slots_.empty() ? kSlotsMin : 2 * slots_.size();
    std::vector<std::uint32_t>().swap(slots_);  // frees it first
    slots_.resize(count);
    for (std::uint32_t i = 0; i < size(); ++i) slots_[slot_of(hashes_[i])] = i + 1;
  }

  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;  // a number plus one; 0: free
};

}  // namespace tonearm::builder
