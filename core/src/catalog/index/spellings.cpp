#include "catalog/index/spellings.h"

#include <algorithm>
#include <tuple>

#include "text/unicode.h"

namespace tonearm::catalog {
namespace {

/// The longest letter in UTF-8.
constexpr std::size_t kLetterBytesMax = 4;

}  // namespace

std::optional<std::u32string> fold_spelling(SpellingList list, std::string_view text) {
  if (text.size() > kSpellingLettersMax * kLetterBytesMax || !text::is_utf8(text)) return std::nullopt;
  const std::string folded = list == SpellingList::creators ? text::fold_case(text) : std::string(text);
  std::u32string letters;
  for (std::size_t at = 0; at < folded.size();) letters += text::next_code_point(folded, at);
  if (letters.empty() || letters.size() > kSpellingLettersMax) return std::nullopt;
  return letters;
}

std::uint32_t letter_set(std::u32string_view folded) {
  std::uint32_t set = 0;
  for (const char32_t letter : folded) set |= std::uint32_t{1} << (static_cast<std::uint32_t>(letter) % 32U);
  return set;
}

void select_spellings(std::vector<Spelling>& spellings) {
  if (spellings.size() > kSpellingsMax) {
    const auto tracks = [](const Spelling& it) { return std::uint64_t{it.counts.front()} + it.counts.back(); };
    std::sort(spellings.begin(), spellings.end(), [&](const Spelling& a, const Spelling& b) {
      return std::tuple(tracks(b), std::string_view(a.text)) < std::tuple(tracks(a), std::string_view(b.text));
    });
    spellings.resize(kSpellingsMax);
  }
  std::sort(spellings.begin(), spellings.end(), [](const Spelling& a, const Spelling& b) {
    return std::tuple(a.folded.size(), std::string_view(a.text)) <
           std::tuple(b.folded.size(), std::string_view(b.text));
  });
}

std::string encode_spellings(const std::array<std::vector<Spelling>, kSpellingListCount>& lists) {
  Spellings::LengthStarts length_starts{};
  std::array<std::vector<Spellings::Entry>, kSpellingListCount> entries;
  std::array<std::string, kSpellingListCount> texts;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    std::size_t length = 0;
    for (const Spelling& spelling : lists[i]) {
      for (; length < spelling.folded.size(); ++length) {
        length_starts[i][length] = {static_cast<std::uint32_t>(entries[i].size()),
                                    static_cast<std::uint32_t>(texts[i].size())};
      }
      texts[i] += spelling.text;
      entries[i].push_back({letter_set(spelling.folded), static_cast<std::uint32_t>(texts[i].size()), spelling.counts});
    }
    for (; length < length_starts[i].size(); ++length) {
      length_starts[i][length] = {static_cast<std::uint32_t>(entries[i].size()),
                                  static_cast<std::uint32_t>(texts[i].size())};
    }
  }
  std::string section;
  for (const auto& of_list : length_starts) section += raw_bytes(of_list);
  for (const auto& of_list : entries) section += raw_bytes(of_list);
  for (const std::string& of_list : texts) section += of_list;
  return section;
}

Spellings::Spellings(const Extent& section) {
  std::string buffer;
  std::memcpy(length_starts_.data(), section.bytes(0, sizeof length_starts_, buffer).data(), sizeof length_starts_);
  std::uint64_t at = sizeof length_starts_;
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    const auto& length_starts = length_starts_[i];
    const auto descends = [](const LengthStart& a, const LengthStart& b) {
      return b.entry < a.entry || b.text < a.text;
    };
    if (length_starts.front().entry != 0 || length_starts.front().text != 0 ||
        length_starts.back().entry > kSpellingsMax ||
        std::adjacent_find(length_starts.begin(), length_starts.end(), descends) != length_starts.end()) {
      throw_damaged("the spellings are not grouped by length");
    }
    lists_[i].entries = section.array<Entry>(at, length_starts.back().entry);
    at += std::uint64_t{length_starts.back().entry} * sizeof(Entry);
  }
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    lists_[i].texts = section.subextent(at, length_starts_[i].back().text);
    at += length_starts_[i].back().text;
  }
  if (at != section.size()) throw_damaged("the spellings have the wrong size");
}

std::string_view Spellings::text(SpellingList list, const TextRange& range, std::string& buffer) const {
  if (range.end < range.begin || range.end - range.begin > kSpellingLettersMax * kLetterBytesMax) {
    throw_damaged("a spelling has the wrong size");
  }
  return list_of(list).texts.bytes(range.begin, range.end - range.begin, buffer);
}

void Spellings::add_ranges(SpellingList list, const LengthRange& lengths, std::vector<FileRange>& ranges) const {
  const LengthStart& first = length_start(list, lengths.shortest);
  const LengthStart& end = length_start(list, lengths.longest + 1);
  if (first.entry == end.entry) return;
  ranges.push_back(list_of(list).entries.subarray(first.entry, end.entry - first.entry).range());
  ranges.push_back(list_of(list).texts.range(first.text, end.text - first.text));
}

}  // namespace tonearm::catalog
