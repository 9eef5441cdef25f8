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
  keys_ = terms.part(keys, terms.size() - std::min(keys, terms.size()));
}

TermIndex::Entry TermIndex::entry(std::uint32_t number) const {
  Entry entry;
  std::memcpy(&entry, entries_.bytes(number * sizeof entry, sizeof entry).data(), sizeof entry);
  return entry;
}

std::string_view TermIndex::key_of(const Entry& entry) const { return keys_.bytes(entry.key_offset, entry.key_size); }

std::optional<std::uint32_t> TermIndex::find(std::string_view key) const {
  return find_slot(slots_, hash64(key), [&](std::uint32_t number) {
    if (number >= term_count_) damaged("a slot names no term");
    return key_of(entry(number)) == key;
  });
}

TermIndex::Term TermIndex::term(std::uint32_t number) const {
  const Entry entry = this->entry(number);
  const std::string_view key = key_of(entry);
  const PostingKind kind = key.starts_with(word_key({})) ? PostingKind::word : PostingKind::facet;
  return {key, decode_posting(postings_, entry.posting, entry.counts, kind, size_)};
}

std::optional<Posting> TermIndex::word(std::string_view stem) const {
  const auto number = find(word_key(stem));
  if (!number) return std::nullopt;
  return term(*number).posting;
}

std::optional<Posting> TermIndex::facet(std::string_view facet, std::string_view value) const {
  const auto number = find(facet_key(facet, value));
  if (!number) return std::nullopt;
  return term(*number).posting;
}

std::uint32_t TermIndex::tracks_with(std::string_view stem) const {
  const auto number = find(word_key(stem));
  if (!number) return 0;
  const auto counts = entry(*number).counts;
  return counts[0] + counts[1] + counts[2];
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
