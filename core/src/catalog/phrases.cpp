#include "catalog/phrases.h"

#include <algorithm>

#include "catalog/shuffle.h"

namespace tonearm::catalog {
namespace {

std::vector<std::string> stems_of(std::string_view text, Tokenizer& tokenizer) {
  std::vector<std::string> stems;
  tokenizer.each_stem(text, [&](std::string_view stem) { stems.emplace_back(stem); });
  return stems;
}

/// About where a hash stands among `count` evenly spread ones.
std::size_t expected_place(std::uint64_t hash, std::size_t count) {
  return static_cast<std::size_t>((hash >> 32U) * count >> 32U);
}

}  // namespace

std::uint64_t phrase_hash(PhraseKind kind, std::span<const std::string> stems) {
  std::string key(1, static_cast<char>(kind));
  for (const std::string& stem : stems) key.append(1, '\0').append(stem);
  return hash64(key);
}

std::vector<std::uint64_t> phrase_hashes(std::string_view title, std::string_view artist, Tokenizer& tokenizer) {
  const std::vector<std::string> titled = stems_of(title, tokenizer);
  const std::vector<std::string> by = stems_of(artist, tokenizer);
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
  add(PhraseKind::whole, titled);
  if (!titled.empty() && !by.empty()) {
    add_whole(titled, {}, by);
    add_whole(by, {}, titled);
    add_whole(titled, "by", by);
  }
  add(PhraseKind::artist, by);
  for (std::size_t i = 0; i + 1 < titled.size(); ++i) add(PhraseKind::pair, std::span(titled).subspan(i, 2));
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

void PhrasesBuilder::add(std::uint32_t position, const std::vector<std::uint64_t>& hashes) {
  for (const std::uint64_t hash : hashes) entries_.push_back({hash, position});
}

std::string PhrasesBuilder::finish() {
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.position < b.position;
  });
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint32_t> ends;
  std::vector<std::uint32_t> positions;
  positions.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    if (hashes.empty() || hashes.back() != entry.hash) {
      hashes.push_back(entry.hash);
      ends.push_back(0);
    }
    positions.push_back(entry.position);
    ends.back() = static_cast<std::uint32_t>(positions.size());
  }
  const std::array<std::uint32_t, 2> sizes{static_cast<std::uint32_t>(hashes.size()),
                                           static_cast<std::uint32_t>(positions.size())};
  std::string section(as_bytes(std::span<const std::uint32_t>(sizes)));
  return section.append(as_bytes(std::span<const std::uint64_t>(hashes)))
      .append(as_bytes(std::span<const std::uint32_t>(ends)))
      .append(as_bytes(std::span<const std::uint32_t>(positions)));
}

PhraseIndex::PhraseIndex(const Extent& section) {
  const auto sizes = section.array<std::uint32_t>(0, 2);
  std::uint64_t at = 2 * sizeof(std::uint32_t);
  hashes_ = section.array<std::uint64_t>(at, sizes[0]);
  ends_ = section.array<std::uint32_t>(at += hashes_.size() * sizeof(std::uint64_t), sizes[0]);
  positions_ = section.array<std::uint32_t>(at += ends_.size() * sizeof(std::uint32_t), sizes[1]);
  if (at + positions_.size() * sizeof(std::uint32_t) != section.size()) damaged("the phrases have the wrong size");
}

std::span<const std::uint32_t> PhraseIndex::tracks_of(std::uint64_t hash) const {
  // Hashes are spread evenly: the search goes out from where this one is to be expected, in steps that double.
  const std::size_t guess = expected_place(hash, hashes_.size());
  std::size_t low = guess;
  std::size_t high = guess;
  for (std::size_t step = 16; low > 0 && hashes_[low - 1] >= hash; step *= 2) low -= std::min(low, step);
  for (std::size_t step = 16; high < hashes_.size() && hashes_[high] < hash; step *= 2) {
    high += std::min(hashes_.size() - high, step);
  }
  const auto found = std::lower_bound(hashes_.begin() + static_cast<std::ptrdiff_t>(low),
                                      hashes_.begin() + static_cast<std::ptrdiff_t>(high), hash);
  if (found == hashes_.end() || *found != hash) return {};
  const auto number = static_cast<std::size_t>(found - hashes_.begin());
  const std::uint32_t begin = number == 0 ? 0 : ends_[number - 1];
  if (begin > ends_[number] || ends_[number] > positions_.size()) damaged("a phrase has no place");
  return positions_.part(begin, ends_[number] - begin).all();
}

}  // namespace tonearm::catalog
