#include "catalog/forecast.h"

#include <algorithm>
#include <array>
#include <vector>

#include "catalog/bonus.h"
#include "catalog/facets.h"
#include "catalog/filter.h"

namespace tonearm::catalog {

void expect_opening(const SnapshotFile& file) {
  if (file.blocks() == nullptr || file.size() == 0) return;
  // The tables of the database lie at its beginning: manifest, lists and synonyms are written before its index.
  constexpr std::uint64_t kTables = 4 * kBlockBytes;
  const std::array<FileRange, 2> places{{{0, std::min(kTables, file.size())}, {file.size() - 1, 1}}};
  file.expect(places);
}

Sections open_sections(const SnapshotFile& file) {
  Sections sections(file);
  if (file.blocks() == nullptr) return sections;
  // Samples stand at the begin, and take up so little of a section.
  struct Sampled {
    SectionId id;
    std::uint64_t share;
  };
  static constexpr std::array<Sampled, 4> kSampled{
      {{SectionId::ids, 256}, {SectionId::tempos, 1024}, {SectionId::terms, 1024}, {SectionId::phrases, 1024}}};
  std::vector<FileRange> places;
  for (const auto& [id, share] : kSampled) {
    const std::uint64_t size = sections[id].size();
    places.push_back(sections[id].place(0, std::min(size, size / share + 64)));
  }
  const Extent& groups = sections[SectionId::track_groups];
  places.push_back(groups.place(0, groups.size()));
  file.expect(places);
  return sections;
}

void expect_search(const SnapshotFile& file, const TermIndex& index, const PhraseIndex& phrases,
                   const SearchQuery& query, std::span<const Word> words, std::span<const WordGroup> groups,
                   Scores scores) {
  if (file.blocks() == nullptr) return;
  const std::vector<AnyOfKeys> filters = filter_keys(query);
  const bool is_one_word = groups.size() == 1 && groups.front().phrases.size() == 1 && words.size() == 1;
  const bool is_near = std::uint64_t{query.offset} + query.limit <= kBestKept;
  PostingParts parts = PostingParts::scores;
  if (is_one_word && is_near) parts = PostingParts::all;
  if (scores == Scores::none || (is_one_word && is_near && filters.empty())) parts = PostingParts::best;
  std::vector<std::string> keys;
  std::vector<std::uint64_t> hashes;
  for (const WordGroup& group : groups) {
    for (const Phrase& phrase : group.phrases) {
      for (const std::string& stem : phrase) keys.push_back(word_key(stem));
    }
  }
  for (const AnyOfKeys& any_of : filters) keys.insert(keys.end(), any_of.begin(), any_of.end());
  if (scores == Scores::none) words = {};
  for (BonusCandidate& candidate : bonus_candidates(words)) {
    if (candidate.phrase) {
      hashes.push_back(candidate.phrase->hash);
    } else {
      keys.push_back(std::move(candidate.key));
    }
  }
  std::vector<FileRange> places;
  for (const std::string& key : keys) index.add_entry_places(key, places);
  for (const std::uint64_t hash : hashes) phrases.add_entry_places(hash, places);
  file.expect(places);
  places.clear();
  for (const std::string& key : keys) index.add_posting_places(key, parts, places);
  for (const std::uint64_t hash : hashes) phrases.add_position_places(hash, places);
  file.expect(places);
}

void expect_filters(const Filters& filters, const Columns& columns, std::span<const std::uint32_t> positions) {
  if (asks_for_flags(filters)) columns.flags.expect(positions);
  if (!filters.bpm_hundredths.empty()) columns.bpm_hundredths.expect(positions);
  if (!filters.duration_ms.empty()) columns.duration_ms.expect(positions);
}

}  // namespace tonearm::catalog
