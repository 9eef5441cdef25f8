#include "catalog/phrases.h"

#include <algorithm>

#include "catalog/shuffle.h"
#include "catalog/term_index.h"

namespace tonearm::catalog {
namespace {

std::vector<std::string> stems_of(std::string_view text, Tokenizer& tokenizer) {
  std::vector<std::string> stems;
  tokenizer.each_stem(text, [&](std::string_view stem) { stems.emplace_back(stem); });
  return stems;
}

}  // namespace

std::uint64_t phrase_hash(PhraseKind kind, std::span<const std::string> stems) {
  std::string key;
  for (const std::string& stem : stems) key.append(stem).append(1, '\0');
  return (hash64(key) & ~std::uint64_t{3}) | static_cast<std::uint64_t>(kind);
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

std::optional<PhraseIndex::Place> PhraseIndex::find(std::uint64_t hash) const {
  const std::size_t number = first_not_below(hash, expected_place(hash, hashes_.size()), hashes_.size(),
                                             [this](std::size_t i) { return hashes_[i]; });
  if (number == hashes_.size() || hashes_[number] != hash) return std::nullopt;
  const std::uint32_t begin = number == 0 ? 0 : ends_[number - 1];
  const std::uint32_t end = ends_[number];
  if (begin > end || end > positions_.size()) damaged("a phrase has no place");
  return Place{begin, end - begin};
}

std::span<const std::uint32_t> PhraseIndex::tracks_of(std::uint64_t hash) const {
  const auto found = find(hash);
  if (!found) return {};
  return positions_.part(found->begin, found->count).all();
}

void PhraseIndex::add_hash_places(std::uint64_t hash, std::vector<FileRange>& places) const {
  const std::size_t expected = expected_place(hash, hashes_.size());
  const std::size_t from = expected - std::min(expected, place_deviation(hashes_.size()));
  const std::size_t to = std::min(expected + place_deviation(hashes_.size()), hashes_.size());
  if (from == to) return;
  places.push_back(hashes_.part(from, to - from).place());
  places.push_back(ends_.part(from, to - from).place());
}

void PhraseIndex::add_position_places(std::uint64_t hash, std::vector<FileRange>& places) const {
  if (const auto found = find(hash)) places.push_back(positions_.part(found->begin, found->count).place());
}

}  // namespace tonearm::catalog
