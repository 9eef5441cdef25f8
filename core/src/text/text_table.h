#pragma once
// Values by text, for millions of texts. Needs less memory than a map of the standard library, and the cache misses of
// several lookups overlap. An instance belongs to one thread at a time.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tonearm::text {

template <class Value>
class TextTable {
 public:
  struct Entry {
    std::string text;
    Value value;
  };

  TextTable() = default;
  // Entries of a copy would move.
  TextTable(const TextTable&) = delete;
  TextTable& operator=(const TextTable&) = delete;
  /// A table that was moved from may only be assigned to or destroyed.
  TextTable(TextTable&&) noexcept = default;
  TextTable& operator=(TextTable&&) noexcept = default;
  ~TextTable() = default;

  std::size_t size() const { return size_; }

  /// Returns the value of a text, which is `Value{}` if the text is new. References stay valid.
  Value& operator[](std::string_view text) {
    reserve(1);
    return insert_hashed(text, hash_of(text));
  }

  /// Returns a pointer to the value of each text; new texts get `Value{}`. The pointers stay valid.
  std::vector<Value*> find_or_insert(std::span<const std::string> texts) {
    reserve(texts.size());
    std::vector<std::uint32_t> hashes;
    hashes.reserve(texts.size());
    for (const std::string& text : texts) {
      const std::uint32_t hash = hashes.emplace_back(hash_of(text));
      __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
    }
    for (const std::uint32_t hash : hashes) {
      const Slot& slot = slots_[hash & (slots_.size() - 1)];
      if (slot.entry != 0) __builtin_prefetch(&entry(slot.entry - 1));
    }
    std::vector<Value*> values;
    values.reserve(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) values.push_back(&insert_hashed(texts[i], hashes[i]));
    return values;
  }

  /// Returns the value of a text, or null.
  const Value* find(std::string_view text) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[slot_of(text, hash_of(text))];
    return slot.entry == 0 ? nullptr : &entry(slot.entry - 1).value;
  }

  /// Calls `visit` with each entry, in the order of insertion.
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::size_t i = 0; i < size_; ++i) visit(entry(i));
  }

 private:
  static constexpr std::size_t kSlotsMin = 1'024;
  static constexpr std::size_t kBlockEntries = 1'024;

  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t entry = 0;  // its number plus one; 0: empty
  };

  static std::uint32_t hash_of(std::string_view text) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
  }

  Entry& entry(std::size_t number) { return blocks_[number / kBlockEntries][number % kBlockEntries]; }
  const Entry& entry(std::size_t number) const { return blocks_[number / kBlockEntries][number % kBlockEntries]; }

  /// Returns the slot of the text, or the empty one where it belongs.
  std::size_t slot_of(std::string_view text, std::uint32_t hash) const {
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at].entry != 0; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].hash == hash && entry(slots_[at].entry - 1).text == text) break;
    }
    return at;
  }

  /// REQUIRES: a slot is empty.
  Value& insert_hashed(std::string_view text, std::uint32_t hash) {
    Slot& slot = slots_[slot_of(text, hash)];
    if (slot.entry == 0) {
      if (size_ % kBlockEntries == 0) add_block();
      blocks_.back().push_back({std::string(text), Value{}});
      slot = {hash, static_cast<std::uint32_t>(++size_)};
    }
    return entry(slot.entry - 1).value;
  }

  void add_block() {
    std::vector<Entry> block;
    block.reserve(kBlockEntries);
    blocks_.push_back(std::move(block));
  }

  /// Makes at least half of the slots empty after `more` texts.
  void reserve(std::size_t more) {
    while ((size_ + more) * 2 > slots_.size()) grow();
  }
  void grow() {
    std::vector<Slot> larger(std::max(kSlotsMin, slots_.size() * 2));
    for (const Slot& slot : slots_) {
      if (slot.entry == 0) continue;
      std::size_t at = slot.hash & (larger.size() - 1);
      while (larger[at].entry != 0) at = (at + 1) & (larger.size() - 1);
      larger[at] = slot;
    }
    slots_ = std::move(larger);
  }

  std::vector<std::vector<Entry>> blocks_;  // of the same capacity, so that entries never move
  std::vector<Slot> slots_;                 // their number is a power of two
  std::size_t size_ = 0;
};

}  // namespace tonearm::text
