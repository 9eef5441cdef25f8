#include "catalog/index/phrases.h"

#include <algorithm>

#include "catalog/index/hash.h"
#include "text/web_address.h"

namespace tonearm::catalog {
namespace {

/// The sparse index follows the numbers of entries and positions.
constexpr std::uint64_t kSparseOffset = 2 * sizeof(std::uint32_t);

std::uint64_t hash_of(PhraseKind kind, std::string_view key) {
  return (hash64(key) & ~std::uint64_t{3}) | static_cast<std::uint64_t>(kind);
}

void sort_unique(std::vector<std::uint64_t>& hashes) {
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

std::vector<std::string> stems_of(std::string_view text, Tokenizer& tokenizer) {
  std::vector<std::string> stems;
  tokenizer.each_stem(text, [&](std::string_view stem) { stems.emplace_back(stem); });
  return stems;
}

}  // namespace

std::uint64_t phrase_hash(PhraseKind kind, std::span<const std::string> stems) {
  std::string key;
  for (const std::string& stem : stems) key.append(stem).append(1, '\0');
  return hash_of(kind, key);
}

std::uint64_t address_hash(std::string_view normalized_url) { return hash_of(PhraseKind::address, normalized_url); }

std::vector<std::uint64_t> address_hashes(std::span<const std::string> addresses) {
  std::vector<std::uint64_t> hashes;
  for (const std::string& address : addresses) {
    const std::string plain = text::normalized_url(address);
    if (!plain.empty()) hashes.push_back(address_hash(plain));
  }
  sort_unique(hashes);
  return hashes;
}

std::vector<std::uint64_t> phrase_hashes(std::span<const std::string> titles, std::string_view artist,
                                         Tokenizer& tokenizer) {
  const std::vector<std::string> artist_stems = stems_of(artist, tokenizer);
  std::vector<std::uint64_t> hashes;
  const auto add = [&](PhraseKind kind, std::span<const std::string> stems) {
    if (stems.size() > 1) hashes.push_back(phrase_hash(kind, stems));
  };
  const auto add_whole = [&](const std::vector<std::string>& first, std::string_view between,
                             const std::vector<std::string>& second) {
    std::vector<std::string> both = first;
    if (!between.empty()) both.emplace_back(between);
    both.insert(both.end(), second.begin(), second.end());
    add(PhraseKind::whole, both);
  };
  for (const std::string& title : titles) {
    const std::vector<std::string> title_stems = stems_of(title, tokenizer);
    if (title_stems.empty()) continue;
    hashes.push_back(phrase_hash(PhraseKind::whole, title_stems));
    if (!artist_stems.empty()) {
      add_whole(title_stems, {}, artist_stems);
      add_whole(artist_stems, {}, title_stems);
      add_whole(title_stems, "by", artist_stems);
    }
    for (std::size_t i = 0; i + 1 < title_stems.size(); ++i) {
      add(PhraseKind::pair, std::span(title_stems).subspan(i, 2));
    }
  }
  add(PhraseKind::artist, artist_stems);
  sort_unique(hashes);
  return hashes;
}

void PhrasesBuilder::add(std::uint32_t position, const std::vector<std::uint64_t>& hashes) {
  for (const std::uint64_t hash : hashes) {
    Bucket& bucket = buckets_[static_cast<std::size_t>(hash >> (64 - kBucketBits))];
    // Grows by less than twice: all buckets grow at nearly the same time.
    if (bucket.size() == bucket.capacity()) bucket.reserve(bucket.size() + bucket.size() / 4 + 16);
    bucket.push_back({upper_half(hash), static_cast<std::uint32_t>(hash), position});
  }
}

template <class Visit>
void PhrasesBuilder::each_hash(const Visit& visit) const {
  for (const Bucket& bucket : buckets_) {
    const std::span<const Entry> entries(bucket);
    for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
      while (end < entries.size() && entries[end].hash() == entries[begin].hash()) ++end;
      visit(entries.subspan(begin, end - begin));
    }
  }
}

void PhrasesBuilder::finish(const std::function<void(std::string_view bytes)>& append) {
  std::array<std::uint32_t, 2> sizes{};  // of hashes and positions
  std::vector<std::uint32_t> samples;
  for (Bucket& bucket : buckets_) {
    std::sort(bucket.begin(), bucket.end(), [](const Entry& a, const Entry& b) {
      return std::pair(a.hash(), a.position) < std::pair(b.hash(), b.position);
    });
  }
  each_hash([&](std::span<const Entry> entries) {
    if (sizes[0]++ % PhraseIndex::kSparseStep == 0) samples.push_back(entries.front().hash_high);
    sizes[1] += static_cast<std::uint32_t>(entries.size());
  });
  samples.resize(SparseIndex::count_of(sizes[0], PhraseIndex::kSparseStep), ~std::uint32_t{0});
  append(raw_bytes(sizes));
  append(raw_bytes(samples));
  constexpr std::size_t kAppendedBytes = 64 * 1024;
  std::string bytes;
  const auto collect = [&](std::string_view more) {
    bytes += more;
    if (bytes.size() < kAppendedBytes) return;
    append(bytes);
    bytes.clear();
  };
  std::uint32_t begin = 0;
  each_hash([&](std::span<const Entry> entries) {
    const PhraseIndex::Entry entry{entries.front().hash(), begin, static_cast<std::uint32_t>(entries.size())};
    collect(raw_bytes(std::span(&entry, 1)));
    begin += entry.count;
  });
  for (Bucket& bucket : buckets_) {
    for (const Entry& entry : bucket) collect(raw_bytes(std::span(&entry.position, 1)));
    bucket = Bucket();
  }
  append(bytes);
}

PhraseIndex::PhraseIndex(const Extent& section)
    : entry_count_(section.array<std::uint32_t>(0, 2)[0]),
      sparse_(section.array<std::uint32_t>(kSparseOffset, SparseIndex::count_of(entry_count_, kSparseStep)),
              entry_count_, kSparseStep) {
  const std::uint64_t entries =
      kSparseOffset + SparseIndex::count_of(entry_count_, kSparseStep) * sizeof(std::uint32_t);
  const std::uint64_t positions = entries + std::uint64_t{entry_count_} * sizeof(Entry);
  entries_ = section.subextent(entries, positions - entries);
  positions_ = section.array<std::uint32_t>(positions, section.array<std::uint32_t>(0, 2)[1]);
  if (positions + positions_.size() * sizeof(std::uint32_t) != section.size()) {
    throw_damaged("the phrases have the wrong size");
  }
}

PhraseIndex::Entry PhraseIndex::entry(std::size_t number) const {
  Entry entry;
  std::memcpy(&entry, entries_.bytes(number * sizeof entry, sizeof entry).data(), sizeof entry);
  return entry;
}

std::optional<PhraseIndex::Entry> PhraseIndex::find(std::uint64_t hash) const {
  const IndexRange among = sparse_.candidate_range(upper_half(hash));
  const std::size_t number = lower_bound_index(hash, among, [this](std::size_t i) { return entry(i).hash; });
  if (number == among.end) return std::nullopt;
  const Entry found = entry(number);
  if (found.hash != hash) return std::nullopt;
  if (found.begin > positions_.size() || found.count > positions_.size() - found.begin) {
    throw_damaged("the positions of a phrase are missing");
  }
  return found;
}

std::span<const std::uint32_t> PhraseIndex::tracks_of(std::uint64_t hash) const {
  const auto found = find(hash);
  if (!found) return {};
  return positions_.subarray(found->begin, found->count).all();
}

void PhraseIndex::add_entry_range(std::uint64_t hash, std::vector<FileRange>& ranges) const {
  const auto [begin, end] = sparse_.candidate_range(upper_half(hash));
  ranges.push_back(entries_.range(begin * sizeof(Entry), (end - begin) * sizeof(Entry)));
}

void PhraseIndex::add_position_range(std::uint64_t hash, std::vector<FileRange>& ranges) const {
  if (const auto found = find(hash)) ranges.push_back(positions_.subarray(found->begin, found->count).range());
}

}  // namespace tonearm::catalog
