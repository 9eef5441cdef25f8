#pragma once
// Texts that complete what a person types (COMPLETE-1 to COMPLETE-4; docs/snapshot-format.md, `completions`). Constant
// once opened, safe for concurrent use. Reading throws CatalogDamaged if the file is damaged.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/storage/extent.h"
#include "tonearm/search.h"

namespace tonearm::catalog {

/// COMPLETE-1: no longer text is offered, in bytes, neither as it is shown nor folded.
inline constexpr std::size_t kCompletionBytesMax = 255;
/// The most completions of an answer.
inline constexpr std::size_t kCompletionsMax = 20;
/// The best completions of a prefix with more keys than this are stored; those of other prefixes are found by a scan.
inline constexpr std::size_t kScannedKeysMax = 1'000;

/// The texts of a kind, to store: 16 bytes each and their bytes.
class CompletionTexts {
 public:
  /// A text as it is shown, and its words as the tokenizer folds them, with single spaces.
  struct Text {
    std::string_view text;
    std::string_view folded;    // at least one word; different for each text
    std::size_t last_word = 0;  // where the last word starts in `folded`
    CompletionField field = CompletionField::words;
    std::uint32_t total = 0;  // above 0
  };

  /// REQUIRES: neither text exceeds kCompletionBytesMax.
  void add(const Text& it);
  std::size_t size() const { return entries_.size(); }
  /// The views are valid until the next `add`.
  Text operator[](std::size_t index) const;

 private:
  struct Entry {
    std::uint64_t begin = 0;  // in `bytes_`: the text, then the folded one
    std::uint32_t total = 0;
    std::uint8_t text_size = 0;
    std::uint8_t folded_size = 0;
    std::uint8_t last_word = 0;
    CompletionField field = CompletionField::words;
  };
  static_assert(sizeof(Entry) == 16);

  std::vector<Entry> entries_;
  std::string bytes_;
};

class Completions {
 public:
  /// The section must outlive the object. An empty section completes nothing.
  explicit Completions(const Extent& section);

  /// Returns the texts of a kind that begin with `typed`, or whose last word does: best first (COMPLETE-3), at most
  /// kCompletionsMax. `typed`: folded words with single spaces, not empty.
  std::vector<Completion> find(Kind kind, std::string_view typed) const;
  /// For a remote file: adds what `find` reads.
  void add_ranges(Kind kind, std::string_view typed, std::vector<FileRange>& ranges) const;

  /// A key of a text: its folded text, or the last word of it.
  struct Entry {
    std::string key;
    bool is_whole = false;  // the key is the whole text
    Completion completion;
  };
  /// For verification: calls `visit` with each key of a kind in the order of the file.
  void each_entry(Kind kind, const std::function<void(const Entry&)>& visit) const;

  /// The keys in a part of the section.
  struct Block {
    static constexpr std::size_t kKeyBytes = 56;

    std::uint32_t begin = 0;  // in bytes, from the start of the section
    std::uint32_t size = 0;
    std::array<char, kKeyBytes> first_key{};  // its first bytes, then zeros
  };
  static_assert(sizeof(Block) == 64);
  /// The stored completions of a prefix.
  struct Head {
    std::uint64_t prefix_hash = 0;  // hash64
    std::uint32_t begin = 0;        // as in Block
    std::uint32_t size = 0;
  };
  static_assert(sizeof(Head) == 16);
  struct Counts {
    std::uint32_t blocks = 0;
    std::uint32_t heads = 0;
  };

 private:
  struct List {
    Array<Block> blocks;
    Array<Head> heads;
    std::vector<Block> resident_blocks;  // if the file is remote
    std::vector<Head> resident_heads;    // likewise
  };
  const List& list_of(Kind kind) const { return lists_[static_cast<std::size_t>(kind)]; }
  static std::optional<Head> find_head(const List& list, std::string_view typed);
  struct BlockRange {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  static BlockRange blocks_of(const List& list, std::string_view typed);

  Extent section_;
  std::array<List, kKindNames.size()> lists_;
};

/// The encoded texts of a kind. Positions are from the beginning of `bytes`.
struct EncodedCompletions {
  std::vector<Completions::Block> blocks;
  std::vector<Completions::Head> heads;
  std::string bytes;
};

/// Encodes the section, one kind after the other.
class CompletionsEncoder {
 public:
  /// REQUIRES: called once for each kind, in their order. The texts are not needed afterwards.
  void add(const CompletionTexts& texts);
  /// Passes the section to `append` in parts. REQUIRES: all kinds were added; called once. Throws Failure if it takes
  /// more than 4 GiB.
  void finish(const std::function<void(std::string_view bytes)>& append);

 private:
  std::vector<EncodedCompletions> kinds_;
};

}  // namespace tonearm::catalog
