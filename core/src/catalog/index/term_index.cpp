#include "catalog/index/term_index.h"

#include <algorithm>

#include "catalog/index/facets.h"
#include "catalog/index/hash.h"

namespace tonearm::catalog {
namespace {

/// The sparse index follows the numbers of slots and terms.
constexpr std::uint64_t kSparseOffset = 2 * sizeof(std::uint32_t);

}  // namespace

TermIndex::Offsets::Offsets(const Extent& terms) {
  const auto counts = terms.array<std::uint32_t>(0, 2);
  slot_count = counts[0];
  term_count = counts[1];
  if (term_count > terms.size() / sizeof(Entry)) throw_damaged("the terms are truncated");
  slots = kSparseOffset + SparseIndex::count_of(term_count, kSparseStep) * sizeof(std::uint32_t);
  entries = slots + std::uint64_t{slot_count} * sizeof(std::uint32_t);
  // There are at least two slots and an even number of sparse entries, so the entries are aligned to 8.
  if (entries % alignof(Entry) != 0) throw_damaged("the terms are truncated");
  keys = entries + std::uint64_t{term_count} * sizeof(Entry);
  if (keys > ~std::uint32_t{0}) throw_damaged("there are too many terms");
}

TermIndex::TermIndex(const Sections& sections, std::uint32_t size)
    : TermIndex(sections, size, Offsets(sections[SectionId::terms])) {}

TermIndex::TermIndex(const Sections& sections, std::uint32_t size, const Offsets& offsets)
    : postings_(sections[SectionId::postings]),
      size_(size),
      term_count_(offsets.term_count),
      sparse_(sections[SectionId::terms].array<std::uint32_t>(kSparseOffset,
                                                              SparseIndex::count_of(term_count_, kSparseStep)),
              term_count_, kSparseStep),
      slots_(sections[SectionId::terms].array<std::uint32_t>(offsets.slots, offsets.slot_count)),
      entries_(sections[SectionId::terms].subextent(offsets.entries, offsets.keys - offsets.entries)),
      entry_numbers_(sections[SectionId::terms].array<std::uint32_t>(offsets.entries, kEntryNumbers * term_count_)) {
  const Extent& terms = sections[SectionId::terms];
  keys_ = terms.subextent(offsets.keys, terms.size() - std::min(offsets.keys, terms.size()));
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
void TermIndex::each_with_hash(std::string_view key, const Visit& visit) const {
  const auto high = upper_half(term_hash(key));
  const IndexRange among = sparse_.candidate_range(high);
  std::size_t number = lower_bound_index(high, among, [this](std::size_t i) { return hash_high_of(i); });
  for (; number < among.end && hash_high_of(number) == high; ++number) {
    const auto term = static_cast<std::uint32_t>(number);
    if (!visit(term, entry(term))) return;
  }
}

std::optional<std::uint32_t> TermIndex::find(std::string_view key) const {
  if (slots_.is_in_memory()) {
    return find_slot(slots_, hash64(key), [&](std::uint32_t number) {
      if (number >= term_count_) throw_damaged("a slot refers to a missing term");
      return key_of(number, entry(number)) == key;
    });
  }
  // Takes fewer rounds of reads than the slots, which are not near the entries.
  std::optional<std::uint32_t> found;
  each_with_hash(key, [&](std::uint32_t number, const Entry& entry) {
    if (key_of(number, entry) == key) found = number;
    return !found;
  });
  return found;
}

void TermIndex::add_entry_range(std::string_view key, std::vector<FileRange>& ranges) const {
  const auto [begin, end] = sparse_.candidate_range(upper_half(term_hash(key)));
  ranges.push_back(entries_.range(begin * sizeof(Entry), (end - begin) * sizeof(Entry)));
}

void TermIndex::add_posting_list_ranges(std::string_view key, PostingParts parts,
                                        std::vector<FileRange>& ranges) const {
  const PostingKind kind = is_text_key(key) ? PostingKind::text : PostingKind::facet;
  each_with_hash(key, [&](std::uint32_t number, const Entry& entry) {
    // Long keys are stored elsewhere. They are rare, and rarer with the same hash.
    if (entry.key_size != key.size() || (entry.has_key() && key_of(number, entry) != key)) return true;
    if (!entry.has_key()) ranges.push_back(keys_.range(entry.key_offset, entry.key_size));
    const FileRange list = posting_list_range(entry.posting_list, entry.counts, kind, size_, parts);
    ranges.push_back(postings_.range(list.offset, list.size));
    return true;
  });
}

TermIndex::Term TermIndex::term(std::uint32_t number) const {
  const Entry entry = this->entry(number);
  const std::string_view key = key_of(number, entry);
  const PostingKind kind = is_text_key(key) ? PostingKind::text : PostingKind::facet;
  return {key, decode_posting_list(postings_, entry.posting_list, entry.counts, kind, size_)};
}

void TermIndex::check_sparse_index() const {
  const auto high_of = [this](std::size_t number) { return hash_high_of(number); };
  if (!sparse_.equals(SparseIndex::sample(term_count_, kSparseStep, high_of)))
    throw_damaged("the sparse index of terms is wrong");
}

std::optional<PostingList> TermIndex::posting_list(std::string_view key) const {
  const auto number = find(key);
  if (!number) return std::nullopt;
  return term(*number).posting_list;
}

std::array<std::uint32_t, 3> TermIndex::counts(std::string_view key) const {
  const auto number = find(key);
  return number ? entry(*number).counts : std::array<std::uint32_t, 3>{};
}

std::optional<PostingLocation> TermIndex::location(std::string_view key) const {
  const auto number = find(key);
  if (!number) return std::nullopt;
  const Entry found = entry(*number);
  return PostingLocation{found.posting_list, found.counts, 0};
}

PostingList TermIndex::facet_list(const PostingLocation& location) const {
  return decode_posting_list(postings_, location.offset, location.counts, PostingKind::facet, size_);
}

FileRange TermIndex::facet_list_range(const PostingLocation& location) const {
  const auto [offset, size] =
      posting_list_range(location.offset, location.counts, PostingKind::facet, size_, PostingParts::members);
  return postings_.range(offset, size);
}

PostingList TermIndex::text_list(const PostingLocation& location) const {
  return decode_posting_list(postings_, location.offset, location.counts, PostingKind::text, size_);
}

FileRange TermIndex::text_list_range(const PostingLocation& location, PostingParts parts) const {
  const auto [offset, size] = posting_list_range(location.offset, location.counts, PostingKind::text, size_, parts);
  return postings_.range(offset, size);
}

std::uint32_t TermIndex::document_frequency(std::string_view stem) const {
  const auto [music, effects, speech] = counts(text_key(stem));
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
