#pragma once
// Words and creators that a misspelled query may mean (SUGGEST-6; docs/snapshot-format.md, `spellings`). Constant once
// opened, safe for concurrent use. Reading throws CatalogDamaged if the file is damaged.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/storage/extent.h"
#include "tonearm/track.h"

namespace tonearm::catalog {

enum class SpellingList : std::uint8_t { words, creators };
inline constexpr std::size_t kSpellingListCount = 2;

/// SUGGEST-7: of each list so many are kept, those that most tracks have; and none that has more letters.
inline constexpr std::size_t kSpellingsMax = 100'000;
inline constexpr std::size_t kSpellingLettersMax = 64;

struct Spelling {
  std::string text;                                       // as it is offered
  std::u32string folded;                                  // as it is compared
  std::array<std::uint32_t, kKindNames.size()> counts{};  // tracks by Kind
};

/// Converts a text to the form in which it is compared: words are already folded, creators are case-folded. Returns
/// nothing if the text is not UTF-8, is empty or has too many letters.
std::optional<std::u32string> fold_spelling(SpellingList list, std::string_view text);

/// Returns the set of letters of a folded text as bits. Several letters share a bit.
std::uint32_t letter_set(std::u32string_view folded);

/// Keeps the spellings with the most tracks and sorts them in the order of the file.
void select_spellings(std::vector<Spelling>& spellings);
/// Encodes the section. REQUIRES: the lists come from `select_spellings`.
std::string encode_spellings(const std::array<std::vector<Spelling>, kSpellingListCount>& lists);

/// An inclusive range of lengths in letters; at least 1.
struct LengthRange {
  std::size_t shortest = 1;
  std::size_t longest = kSpellingLettersMax;
};

class Spellings {
 public:
  /// The section must outlive the object.
  explicit Spellings(const Extent& section);

  struct Entry {
    std::uint32_t letters = 0;   // letter_set
    std::uint32_t text_end = 0;  // in the texts of its list; the text begins at the end of the previous one
    std::array<std::uint32_t, kKindNames.size()> counts{};
  };
  static_assert(sizeof(Entry) == 16);
  struct TextRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  /// Calls `visit(entry, text range)` for the spellings of these lengths. `visit` must not read the file.
  template <class Visit>
  void each(SpellingList list, const LengthRange& lengths, const Visit& visit) const {
    const LengthStart& first = length_start(list, lengths.shortest);
    std::uint32_t begin = first.text;
    list_of(list)
        .entries.subarray(first.entry, length_start(list, lengths.longest + 1).entry - first.entry)
        .each_piece([&](std::span<const Entry> entries) {
          for (const Entry& entry : entries) {
            visit(entry, TextRange{begin, entry.text_end});
            begin = entry.text_end;
          }
        });
  }
  /// Valid as long as `buffer` is.
  std::string_view text(SpellingList list, const TextRange& range, std::string& buffer) const;

  /// For a remote file: adds the ranges of the spellings of these lengths.
  void add_ranges(SpellingList list, const LengthRange& lengths, std::vector<FileRange>& ranges) const;

  /// Where the spellings of one length start.
  struct LengthStart {
    std::uint32_t entry = 0;
    std::uint32_t text = 0;
  };
  /// For each list: one for each length from 1, then the end of the last length.
  using LengthStarts = std::array<std::array<LengthStart, kSpellingLettersMax + 1>, kSpellingListCount>;

 private:
  struct List {
    Array<Entry> entries;
    Extent texts;
  };
  const List& list_of(SpellingList list) const { return lists_[static_cast<std::size_t>(list)]; }
  const LengthStart& length_start(SpellingList list, std::size_t length) const {
    return length_starts_[static_cast<std::size_t>(list)].at(length - 1);
  }

  LengthStarts length_starts_{};
  std::array<List, kSpellingListCount> lists_;
};

}  // namespace tonearm::catalog
