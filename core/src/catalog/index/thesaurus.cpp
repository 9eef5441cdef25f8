#include "catalog/index/thesaurus.h"

#include <algorithm>
#include <cstring>

#include "catalog/index/phrases.h"

namespace tonearm::catalog {
namespace {

/// The number of entries precedes the sparse index.
constexpr std::uint64_t kSparseStart = 2 * sizeof(std::uint32_t);
/// An entry takes about half a KiB.
constexpr std::size_t kEntriesPerSample = 16;
/// The starts of entries are stored in this unit.
constexpr std::uint64_t kUnit = 8;

struct EntryHead {
  std::uint64_t phrase_hash = 0;
  std::uint32_t size = 0;  // of the entry, in bytes
  std::uint32_t target_count = 0;
};
static_assert(sizeof(EntryHead) == 16);

struct TargetHead {
  std::uint8_t relation = 0;
  std::uint8_t weight = 0;
  std::uint16_t term_count = 0;
  std::uint32_t zero = 0;
};
static_assert(sizeof(TargetHead) == kUnit && sizeof(PostingLocation) % kUnit == 0);

std::string encode_entry(const ThesaurusEntry& entry) {
  std::string targets;
  for (const ThesaurusTarget& target : entry.targets) {
    const TargetHead head{static_cast<std::uint8_t>(target.relation), target.weight,
                          static_cast<std::uint16_t>(target.terms.size()), 0};
    targets.append(raw_bytes(std::span(&head, 1))).append(raw_bytes(target.terms));
  }
  const EntryHead head{entry.phrase_hash, static_cast<std::uint32_t>(sizeof(EntryHead) + targets.size()),
                       static_cast<std::uint32_t>(entry.targets.size())};
  return std::string(raw_bytes(std::span(&head, 1))).append(targets);
}

/// Removes a value from the start of the bytes and returns it.
template <class Value>
Value take(std::string_view& bytes) {
  Value value;
  std::memcpy(&value, slice(bytes, 0, sizeof value).data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

ThesaurusTarget decode_target(std::string_view& bytes) {
  const auto head = take<TargetHead>(bytes);
  if (head.relation > static_cast<std::uint8_t>(Relation::related) || head.weight == 0 || head.term_count == 0 ||
      head.term_count > kRelatedWordsMax) {
    throw_damaged("a target of the thesaurus is wrong");
  }
  ThesaurusTarget target{static_cast<Relation>(head.relation), head.weight, {}};
  for (std::uint16_t i = 0; i < head.term_count; ++i) target.terms.push_back(take<PostingLocation>(bytes));
  return target;
}

std::vector<ThesaurusTarget> decode_targets(std::uint32_t count, std::string_view bytes) {
  if (count > kNarrowerMax + kRelatedMax) throw_damaged("an entry of the thesaurus has too many targets");
  std::vector<ThesaurusTarget> targets;
  for (std::uint32_t i = 0; i < count; ++i) targets.push_back(decode_target(bytes));
  if (!bytes.empty()) throw_damaged("an entry of the thesaurus has the wrong size");
  return targets;
}

}  // namespace

std::uint64_t thesaurus_hash(std::span<const std::string> stems) { return phrase_hash(PhraseKind::whole, stems); }

std::string encode_thesaurus(std::vector<ThesaurusEntry> entries) {
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.phrase_hash < b.phrase_hash; });
  std::vector<std::uint32_t> starts;
  std::string bytes;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i % kEntriesPerSample == 0) starts.push_back(static_cast<std::uint32_t>(bytes.size() / kUnit));
    bytes += encode_entry(entries[i]);
    if (bytes.size() / kUnit > ~std::uint32_t{0}) throw Failure("the thesaurus takes more than 32 GiB");
  }
  starts.resize(SparseIndex::count_of(entries.size(), kEntriesPerSample),
                static_cast<std::uint32_t>(bytes.size() / kUnit));
  const auto sparse = SparseIndex::sample(entries.size(), kEntriesPerSample,
                                          [&](std::size_t i) { return upper_half(entries[i].phrase_hash); });
  const std::array<std::uint32_t, 2> head{static_cast<std::uint32_t>(entries.size()), 0};
  return std::string(raw_bytes(head)).append(raw_bytes(sparse)).append(raw_bytes(starts)).append(bytes);
}

Thesaurus::Thesaurus(const Extent& section)
    : entry_count_(section.array<std::uint32_t>(0, 2)[0]),
      sparse_(section.array<std::uint32_t>(kSparseStart, SparseIndex::count_of(entry_count_, kEntriesPerSample)),
              entry_count_, kEntriesPerSample) {
  const std::size_t sampled = SparseIndex::count_of(entry_count_, kEntriesPerSample);
  const std::uint64_t starts = kSparseStart + sampled * sizeof(std::uint32_t);
  starts_ = section.array<std::uint32_t>(starts, sampled);
  if (!starts_.is_in_memory()) {
    own_starts_.assign(starts_.begin(), starts_.end());
    starts_ = own_starts_;
  }
  const std::uint64_t entries = starts + sampled * sizeof(std::uint32_t);
  entries_ = section.subextent(entries, section.size() - entries);
}

Thesaurus::EntriesRange Thesaurus::candidates(std::uint64_t phrase_hash) const {
  const auto [begin, end] = sparse_.candidate_range(upper_half(phrase_hash));
  if (begin == end) return {};
  const std::uint64_t from = starts_[begin / kEntriesPerSample] * kUnit;
  const std::uint64_t to = end == entry_count_ ? entries_.size() : starts_[end / kEntriesPerSample] * kUnit;
  if (from > to || to > entries_.size()) throw_damaged("the starts of the thesaurus are wrong");
  return {from, to - from};
}

std::vector<ThesaurusTarget> Thesaurus::find(std::uint64_t phrase_hash) const {
  const auto [offset, size] = candidates(phrase_hash);
  std::string buffer;
  std::string_view bytes = entries_.bytes(offset, size, buffer);
  while (!bytes.empty()) {
    std::string_view rest = bytes;
    const auto head = take<EntryHead>(rest);
    if (head.size < sizeof head) throw_damaged("an entry of the thesaurus has the wrong size");
    const std::string_view entry = slice(bytes, 0, head.size);
    if (head.phrase_hash == phrase_hash) return decode_targets(head.target_count, entry.substr(sizeof head));
    bytes.remove_prefix(entry.size());
  }
  return {};
}

void Thesaurus::add_entry_range(std::uint64_t phrase_hash, std::vector<FileRange>& ranges) const {
  const auto [offset, size] = candidates(phrase_hash);
  if (size > 0) ranges.push_back(entries_.range(offset, size));
}

}  // namespace tonearm::catalog
