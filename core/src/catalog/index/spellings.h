#pragma once
// The words and creators that mistyped ones may have meant (SUGGEST-6, docs/snapshot-format.md, `spellings`). Constant
// once opened, safe for concurrent use. Reading throws Failure if the file is damaged.

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

/// How a text is compared: a word is folded already, a creator by Unicode's case folding. Nothing for a text that is
/// not UTF-8, is empty or has too many letters.
std::optional<std::u32string> fold_spelling(SpellingList list, std::string_view text);

/// Which letters a folded text has: a bit each, of which several letters share one.
std::uint32_t letter_set(std::u32string_view folded);

/// Leaves those that most tracks have, and puts them in the order of the file.
void select_spellings(std::vector<Spelling>& spellings);
/// The section. REQUIRES: lists that were selected.
std::string encode_spellings(const std::array<std::vector<Spelling>, kSpellingListCount>& lists);

/// Lengths in letters, both included; at least 1.
struct LengthRange {
  std::size_t shortest = 1;
  std::size_t longest = kSpellingLettersMax;
};

class Spellings {
 public:
  /// The section outlives the object.
  explicit Spellings(const Extent& section);

  struct Entry {
    std::uint32_t letters = 0;   // letter_set
    std::uint32_t text_end = 0;  // in the texts of its list; it begins where the one before ends
    std::array<std::uint32_t, kKindNames.size()> counts{};
  };
  static_assert(sizeof(Entry) == 16);
  struct TextRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  /// Calls `visit(entry, text range)` for those of these lengths. It must read nothing else of the file meanwhile.
  template <class Visit>
  void each(SpellingList list, const LengthRange& lengths, const Visit& visit) const {
    const Group& first = group(list, lengths.shortest);
    std::uint32_t begin = first.text;
    list_of(list)
        .entries.part(first.entry, group(list, lengths.longest + 1).entry - first.entry)
        .each_piece([&](std::span<const Entry> entries) {
          for (const Entry& entry : entries) {
            visit(entry, TextRange{begin, entry.text_end});
            begin = entry.text_end;
          }
        });
  }
  /// Valid as long as `room` is.
  std::string_view text(SpellingList list, const TextRange& range, std::string& room) const;

  /// For a remote file: adds where those of these lengths are.
  void add_ranges(SpellingList list, const LengthRange& lengths, std::vector<FileRange>& ranges) const;

  /// Where the spellings of one length begin.
  struct Group {
    std::uint32_t entry = 0;
    std::uint32_t text = 0;
  };
  /// For each list: of the lengths from 1 on, then where the last one ends.
  using Groups = std::array<std::array<Group, kSpellingLettersMax + 1>, kSpellingListCount>;

 private:
  struct List {
    Array<Entry> entries;
    Extent texts;
  };
  const List& list_of(SpellingList list) const { return lists_[static_cast<std::size_t>(list)]; }
  const Group& group(SpellingList list, std::size_t length) const {
    return groups_[static_cast<std::size_t>(list)].at(length - 1);
  }

  Groups groups_{};
  std::array<List, kSpellingListCount> lists_;
};

}  // namespace tonearm::catalog
