#include "catalog/term_index.h"

#include <algorithm>

#include "catalog/facets.h"
#include "catalog/shuffle.h"

namespace tonearm::catalog {
namespace {

/// Samples stand behind the numbers of slots and terms.
constexpr std::uint64_t kSamples = 2 * sizeof(std::uint32_t);

}  // namespace

TermIndex::Parts::Parts(const Extent& terms) {
  const auto counts = terms.array<std::uint32_t>(0, 2);
  slot_count = counts[0];
  term_count = counts[1];
  if (term_count > terms.size() / sizeof(Entry)) damaged("the terms are cut");
  slots = kSamples + Samples::count_of(term_count, kSampleStep) * sizeof(std::uint32_t);
  entries = slots + std::uint64_t{slot_count} * sizeof(std::uint32_t);
  // Slots are two or more, and samples even, so that entries begin at a multiple of 8.
  if (entries % alignof(Entry) != 0) damaged("the terms are cut");
  keys = entries + std::uint64_t{term_count} * sizeof(Entry);
  if (keys > ~std::uint32_t{0}) damaged("there are more terms than can be found");
}

TermIndex::TermIndex(const Sections& sections, std::uint32_t size)
    : TermIndex(sections, size, Parts(sections[SectionId::terms])) {}

TermIndex::TermIndex(const Sections& sections, std::uint32_t size, const Parts& parts)
    : postings_(sections[SectionId::postings]),
      size_(size),
      term_count_(parts.term_count),
      samples_(sections[SectionId::terms].array<std::uint32_t>(kSamples, Samples::count_of(term_count_, kSampleStep)),
               term_count_, kSampleStep),
      slots_(sections[SectionId::terms].array<std::uint32_t>(parts.slots, parts.slot_count)),
      entries_(sections[SectionId::terms].part(parts.entries, parts.keys - parts.entries)),
      entry_numbers_(sections[SectionId::terms].array<std::uint32_t>(parts.entries, kEntryNumbers * term_count_)) {
  const Extent& terms = sections[SectionId::terms];
  keys_ = terms.part(parts.keys, terms.size() - std::min(parts.keys, terms.size()));
}

TermIndex::Entry TermIndex::entry(std::uint32_t number) const {
  Entry entry;
  std::memcpy(&entry, entries_.bytes(std::uint64_t{number} * sizeof entry, sizeof entry).data(), sizeof entry);
  return entry;
}

std::string_view TermIndex::key_of(std::uint32_t number, const Entry& entry) const {
  if (!entry.has_key()) return keys_.bytes(entry.key_offset, entry.key_size);
  return entries_.bytes(std::uint64_t{number} * sizeof entry + offsetof(Entry, key), entry.key_size);
}

template <class Visit>
void TermIndex::each_like(std::string_view key, const Visit& visit) const {
  const auto high = upper_half(term_hash(key));
  const Between around = samples_.around(high);
  std::size_t number = first_not_below(high, around, [this](std::size_t i) { return hash_high_of(i); });
  for (; number < around.end && hash_high_of(number) == high; ++number) {
    const auto term = static_cast<std::uint32_t>(number);
    if (!visit(term, entry(term))) return;
  }
}

std::optional<std::uint32_t> TermIndex::find(std::string_view key) const {
  if (slots_.is_in_memory()) {
    return find_slot(slots_, hash64(key), [&](std::uint32_t number) {
      if (number >= term_count_) damaged("a slot names no term");
      return key_of(number, entry(number)) == key;
    });
  }
  // Fewer journeys than by the slots, which lie apart from the entries.
  std::optional<std::uint32_t> found;
  each_like(key, [&](std::uint32_t number, const Entry& entry) {
    if (key_of(number, entry) == key) found = number;
    return !found;
  });
  return found;
}

void TermIndex::add_entry_places(std::string_view key, std::vector<FileRange>& places) const {
  const auto [begin, end] = samples_.around(upper_half(term_hash(key)));
  places.push_back(entries_.place(begin * sizeof(Entry), (end - begin) * sizeof(Entry)));
}

void TermIndex::add_posting_places(std::string_view key, PostingParts parts, std::vector<FileRange>& places) const {
  const PostingKind kind = is_word_key(key) ? PostingKind::word : PostingKind::facet;
  each_like(key, [&](std::uint32_t number, const Entry& entry) {
    // A long key lies elsewhere: there are few of them, and fewer of the same hash.
    if (entry.key_size != key.size() || (entry.has_key() && key_of(number, entry) != key)) return true;
    if (!entry.has_key()) places.push_back(keys_.place(entry.key_offset, entry.key_size));
    const FileRange posting = posting_place(entry.posting, entry.counts, kind, size_, parts);
    places.push_back(postings_.place(posting.offset, posting.size));
    return true;
  });
}

TermIndex::Term TermIndex::term(std::uint32_t number) const {
  const Entry entry = this->entry(number);
  const std::string_view key = key_of(number, entry);
  const PostingKind kind = is_word_key(key) ? PostingKind::word : PostingKind::facet;
  return {key, decode_posting(postings_, entry.posting, entry.counts, kind, size_)};
}

void TermIndex::check_samples() const {
  const auto high_of = [this](std::size_t number) { return hash_high_of(number); };
  if (!samples_.are(Samples::make(term_count_, kSampleStep, high_of))) damaged("the samples of terms are wrong");
}

std::optional<Posting> TermIndex::posting(std::string_view key) const {
  const auto number = find(key);
  if (!number) return std::nullopt;
  return term(*number).posting;
}

std::optional<Posting> TermIndex::word(std::string_view stem) const { return posting(word_key(stem)); }

std::array<std::uint32_t, 3> TermIndex::counts(std::string_view key) const {
  const auto number = find(key);
  return number ? entry(*number).counts : std::array<std::uint32_t, 3>{};
}

std::uint32_t TermIndex::tracks_with(std::string_view stem) const {
  const auto [music, effects, speech] = counts(word_key(stem));
  return music + effects + speech;
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
