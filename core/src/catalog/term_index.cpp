#include "catalog/term_index.h"

#include <algorithm>

#include "catalog/facets.h"
#include "catalog/shuffle.h"

namespace tonearm::catalog {

TermIndex::TermIndex(const Sections& sections, std::uint32_t size)
    : postings_(sections[SectionId::postings]), size_(size) {
  const Extent& terms = sections[SectionId::terms];
  const auto counts = terms.array<std::uint32_t>(0, 2);
  const std::uint64_t entries = sizeof(std::uint32_t) * (2 + std::uint64_t{counts[0]});
  slots_ = terms.array<std::uint32_t>(2 * sizeof(std::uint32_t), counts[0]);
  term_count_ = counts[1];
  // Slots are two or more, so that entries begin at a multiple of 8.
  if (term_count_ > terms.size() / sizeof(Entry) || entries % alignof(Entry) != 0) damaged("the terms are cut");
  const std::uint64_t keys = entries + term_count_ * sizeof(Entry);
  entries_ = terms.part(entries, keys - entries);
  hash_highs_ = terms.array<std::uint32_t>(entries, kEntryNumbers * term_count_);
  keys_ = terms.part(keys, terms.size() - std::min(keys, terms.size()));
}

TermIndex::Entry TermIndex::entry(std::uint32_t number) const {
  Entry entry;
  std::memcpy(&entry, entries_.bytes(number * sizeof entry, sizeof entry).data(), sizeof entry);
  return entry;
}

std::string_view TermIndex::key_of(const Entry& entry) const { return keys_.bytes(entry.key_offset, entry.key_size); }

std::uint32_t TermIndex::first_from(std::uint32_t hash_high) const {
  const std::size_t expected = expected_place(std::uint64_t{hash_high} << 32U, term_count_);
  return static_cast<std::uint32_t>(first_not_below(hash_high, expected, term_count_, [this](std::size_t number) {
    return hash_high_of(static_cast<std::uint32_t>(number));
  }));
}

std::optional<std::uint32_t> TermIndex::find(std::string_view key) const {
  if (slots_.is_in_memory()) {
    return find_slot(slots_, hash64(key), [&](std::uint32_t number) {
      if (number >= term_count_) damaged("a slot names no term");
      return key_of(entry(number)) == key;
    });
  }
  // Fewer journeys than by the slots, which lie apart from the entries.
  const auto high = static_cast<std::uint32_t>(term_hash(key) >> 32U);
  for (std::uint32_t number = first_from(high); number < term_count_ && hash_high_of(number) == high; ++number) {
    if (key_of(entry(number)) == key) return number;
  }
  return std::nullopt;
}

void TermIndex::add_entry_places(std::string_view key, std::vector<FileRange>& places) const {
  const std::size_t expected = expected_place(term_hash(key), term_count_);
  const std::size_t from = expected - std::min(expected, place_deviation(term_count_));
  const std::size_t to = std::min<std::size_t>(expected + place_deviation(term_count_), term_count_);
  places.push_back(entries_.place(from * sizeof(Entry), (to - from) * sizeof(Entry)));
}

void TermIndex::add_posting_places(std::string_view key, bool best_only, std::vector<FileRange>& places) const {
  const auto high = static_cast<std::uint32_t>(term_hash(key) >> 32U);
  for (std::uint32_t number = first_from(high); number < term_count_ && hash_high_of(number) == high; ++number) {
    const Entry entry = this->entry(number);
    if (entry.key_size != key.size()) continue;
    places.push_back(keys_.place(entry.key_offset, entry.key_size));
    const PostingKind kind = is_word_key(key) ? PostingKind::word : PostingKind::facet;
    places.push_back(postings_.place(entry.posting, posting_size(entry.counts, kind, size_, best_only)));
  }
}

TermIndex::Term TermIndex::term(std::uint32_t number) const {
  const Entry entry = this->entry(number);
  const std::string_view key = key_of(entry);
  const PostingKind kind = is_word_key(key) ? PostingKind::word : PostingKind::facet;
  return {key, decode_posting(postings_, entry.posting, entry.counts, kind, size_)};
}

std::optional<Posting> TermIndex::posting(std::string_view key) const {
  const auto number = find(key);
  if (!number) return std::nullopt;
  return term(*number).posting;
}

std::optional<Posting> TermIndex::word(std::string_view stem) const { return posting(word_key(stem)); }

std::uint32_t TermIndex::tracks_with(std::string_view stem) const {
  const auto number = find(word_key(stem));
  if (!number) return 0;
  const auto counts = entry(*number).counts;
  return counts[0] + counts[1] + counts[2];
}

std::size_t place_deviation(std::size_t count) {
  std::size_t root = 1;
  while (root * root < count) root *= 2;
  return root;
}

std::vector<std::uint32_t> make_slots(std::span<const std::uint64_t> hashes) {
  std::vector<std::uint32_t> slots(std::bit_ceil(2 * hashes.size() + 2));
  for (std::uint32_t number = 0; number < hashes.size(); ++number) {
    std::size_t at = hashes[number] & (slots.size() - 1);
    while (slots[at] != 0) at = (at + 1) & (slots.size() - 1);
    slots[at] = number + 1;
  }
  return slots;
}

}  // namespace tonearm::catalog
