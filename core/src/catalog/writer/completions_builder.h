#pragma once
// Collects the section `completions` while tracks are added (COMPLETE-1 to COMPLETE-4).

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "catalog/index/completions.h"
#include "catalog/writer/track_terms.h"
#include "text/text_list.h"

namespace tonearm::catalog {

/// COMPLETE-2: words and pairs of words are offered if at least so many tracks have them; of each kind, the most
/// frequent ones.
inline constexpr std::uint32_t kFrequentMin = 3;
inline constexpr std::size_t kFrequentMax = 100'000;

/// The words of a text as the tokenizer folds them.
struct FoldedText {
  std::string words;          // with single spaces
  std::size_t last_word = 0;  // where the last one begins
};
FoldedText fold_words(const std::string& text, Tokenizer& tokenizer);

/// A text of a kind, and the number of tracks that a search for it finds with match=all: 0 until CountTexts sets it.
struct CountedText {
  std::string text;
  CompletionField field = CompletionField::words;
  std::uint64_t total = 0;
};

/// Encodes the completions again from their keys, for verification. Throws CatalogDamaged if the section
/// differs, Failure if it is too large.
void check_completions(const Completions& completions, std::string_view section, Tokenizer& tokenizer);

/// Values by hash, which must not be 0. A map of the standard library would take several times the memory.
template <class Value>
class HashTable {
 public:
  /// Returns the value of a hash, and whether it is new: then it is `Value{}`. The reference is valid until the next
  /// call.
  std::pair<Value&, bool> insert(std::uint64_t hash) {
    if ((size_ + 1) * 4 > hashes_.size() * 3) grow();
    const std::size_t slot = slot_of(hash);
    const bool is_new = hashes_[slot] == 0;
    if (is_new) {
      hashes_[slot] = hash;
      ++size_;
    }
    return {values_[slot], is_new};
  }
  /// Returns the value of a hash, or null.
  const Value* find(std::uint64_t hash) const {
    if (hashes_.empty()) return nullptr;
    const std::size_t slot = slot_of(hash);
    return hashes_[slot] == 0 ? nullptr : &values_[slot];
  }
  /// Starts to load what `insert` reads.
  void prefetch(std::uint64_t hash) const {
    if (hashes_.empty()) return;
    const std::size_t slot = static_cast<std::size_t>(hash) & (hashes_.size() - 1);
    __builtin_prefetch(&hashes_[slot]);
    __builtin_prefetch(&values_[slot]);
  }
  /// Calls `visit` with each hash and its value, in no particular order.
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::size_t slot = 0; slot < hashes_.size(); ++slot) {
      if (hashes_[slot] != 0) visit(hashes_[slot], values_[slot]);
    }
  }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kSlotsMin = 64;

  /// Returns the slot of the hash, or the empty one where it belongs.
  std::size_t slot_of(std::uint64_t hash) const {
    std::size_t slot = static_cast<std::size_t>(hash) & (hashes_.size() - 1);
    while (hashes_[slot] != 0 && hashes_[slot] != hash) slot = (slot + 1) & (hashes_.size() - 1);
    return slot;
  }
  void grow() {
    HashTable larger;
    larger.hashes_.resize(std::max(kSlotsMin, hashes_.size() * 2));
    larger.values_.resize(larger.hashes_.size());
    larger.size_ = size_;
    each([&](std::uint64_t hash, const Value& value) {
      const std::size_t slot = larger.slot_of(hash);
      larger.hashes_[slot] = hash;
      larger.values_[slot] = value;
    });
    *this = std::move(larger);
  }

  std::vector<std::uint64_t> hashes_;  // 0 marks an empty slot; their number is a power of two
  std::vector<Value> values_;
  std::size_t size_ = 0;
};

/// Collects texts while tracks are added. Most words and pairs of words are too rare to be offered, so they are counted
/// by their hashes, and a text is kept once enough tracks have it. A hash of the folded words identifies a text.
class CompletionsBuilder {
 public:
  /// REQUIRES: the track is not taken down; `text` belongs to it.
  void add(const Track& track, const TrackText& text, Tokenizer& tokenizer);
  /// Keeps the most frequent words and pairs, and frees the rest. REQUIRES: all tracks were added.
  void select_frequent();

  /// The number of texts that `encode` counts at most. REQUIRES: select_frequent() was called.
  std::size_t size() const;
  /// Fills in the totals of texts of a kind.
  using CountTexts = std::function<void(Kind kind, std::span<CountedText> texts)>;
  /// Encodes the section, and empties the builder. Texts that find nothing are omitted.
  CompletionsEncoder encode(const CountTexts& count, Tokenizer& tokenizer);

 private:
  /// A whole text, by the hash of its folded words.
  struct Whole {
    std::size_t begin = 0;  // in `texts`
    std::uint8_t size = 0;
    static_assert(kCompletionBytesMax <= 255);
    CompletionField field = CompletionField::words;
  };
  struct OfKind {
    HashTable<Whole> whole;
    std::string texts;                     // of `whole`
    HashTable<std::uint32_t> tracks_with;  // of words and pairs, by the hash of the folded text
    std::vector<std::uint64_t> frequent;   // the hashes of those that kFrequentMin tracks or more have
    text::TextList frequent_texts;         // theirs
    std::vector<std::string> selected;     // those of the most tracks, which come first, then by name

    std::string_view text_of(const Whole& it) const { return std::string_view(texts).substr(it.begin, it.size); }
  };

  CompletionTexts texts_of(Kind kind, const CountTexts& count, Tokenizer& tokenizer) const;
  static void add_text(OfKind& of_kind, const std::string& text, CompletionField field, Tokenizer& tokenizer);

  std::array<OfKind, kKindNames.size()> kinds_;
};

}  // namespace tonearm::catalog
