#include "catalog/query/fetch.h"

#include <algorithm>
#include <array>
#include <set>

namespace tonearm::catalog {
namespace {

/// A worker keeps 256 blocks (ADR 61), and one fetch loads at most three quarters of them. The rest of those 192 is for
/// blocks that a search reads between its fetches.
constexpr std::size_t kBlocksAtOnce = 160;
/// With more artists, the starts of their names are read one by one.
constexpr std::uint64_t kStartsAtOnce = 16 * kBlockBytes;

/// Ranges that can be resident together.
class Together {
 public:
  /// The first ranges are fetched however many they are.
  explicit Together(std::vector<FileRange> first) : ranges_(std::move(first)) {
    for (const FileRange& range : ranges_) add_blocks(range);
  }
  /// Returns false without changes if the range does not fit.
  bool add(const FileRange& range) {
    if (last_block(range) - range.offset / kBlockBytes >= kBlocksAtOnce) return false;
    std::size_t more = 0;
    for (std::uint64_t block = range.offset / kBlockBytes; block <= last_block(range); ++block) {
      more += blocks_.count(block) == 0 ? 1U : 0U;
    }
    if (more > 0 && blocks_.size() + more > kBlocksAtOnce) return false;
    add_blocks(range);
    ranges_.push_back(range);
    return true;
  }
  const std::vector<FileRange>& ranges() const { return ranges_; }

 private:
  static std::uint64_t last_block(const FileRange& range) {
    return (range.offset + std::max<std::uint64_t>(range.size, 1) - 1) / kBlockBytes;
  }
  /// A fetch loads no more blocks of one range. A damaged range may have any size.
  void add_blocks(const FileRange& range) {
    const std::uint64_t first = range.offset / kBlockBytes;
    const std::uint64_t last = std::min(last_block(range), first + kBlocksAtOnce);
    for (std::uint64_t block = first; block <= last; ++block) blocks_.insert(block);
  }

  std::vector<FileRange> ranges_;
  std::set<std::uint64_t> blocks_;
};

}  // namespace

void fetch_tables(const SnapshotFile& file) {
  if (file.blocks() == nullptr || file.size() == 0) return;
  // The tables are at the start of the database: manifest, lists and synonyms are written before its index.
  constexpr std::uint64_t kTables = 4 * kBlockBytes;
  const std::array<FileRange, 2> ranges{{{0, std::min(kTables, file.size())}, {file.size() - 1, 1}}};
  file.prefetch(ranges);
}

Sections open_sections(const SnapshotFile& file) {
  Sections sections(file);
  if (file.blocks() == nullptr) return sections;
  // A sparse index is at the start of its section and is 1 / `share` of it.
  struct Sparse {
    SectionId id;
    std::uint64_t share;
  };
  static constexpr std::array<Sparse, 8> kSparse{{{SectionId::ids, 256},
                                                  {SectionId::tempos, 1024},
                                                  {SectionId::terms, 1024},
                                                  {SectionId::phrases, 1024},
                                                  {SectionId::thesaurus, 64},
                                                  {SectionId::fingerprint_index, 1024},
                                                  {SectionId::file_hashes, 1024},
                                                  {SectionId::completions, 64}}};
  std::vector<FileRange> ranges;
  for (const auto& [id, share] : kSparse) {
    const std::uint64_t size = sections[id].size();
    ranges.push_back(sections[id].range(0, std::min(size, size / share + 64)));
  }
  const Extent& spellings = sections[SectionId::spellings];
  ranges.push_back(spellings.range(0, std::min<std::uint64_t>(spellings.size(), sizeof(Spellings::LengthStarts))));
  const Extent& blocks = sections[SectionId::track_blocks];
  ranges.push_back(blocks.range(0, blocks.size()));
  file.prefetch(ranges);
  return sections;
}

void Fetcher::entries(const SearchPlan& plan, const FacetEntries& facets) const {
  fetch_round([&](auto& ranges) {
    for (const std::string& key : plan.keys()) index_.terms.add_entry_range(key, ranges);
    for (const std::string& key : facets.keys) index_.terms.add_entry_range(key, ranges);
    for (const TagNumbers& tags : facets.tags) ranges.push_back(index_.tags.range(tags));
    for (const std::uint64_t hash : plan.phrases()) index_.phrases.add_entry_range(hash, ranges);
    for (const Clause& clause : plan.clauses) {
      for (const std::uint64_t phrase : clause.phrases) index_.thesaurus.add_entry_range(phrase, ranges);
    }
    for (const std::uint64_t phrase : plan.related_phrases) index_.thesaurus.add_entry_range(phrase, ranges);
  });
}

void Fetcher::lists(const SearchPlan& plan, const FacetLists& facets) const {
  if (!is_remote()) return;
  std::vector<FileRange> ranges;
  const bool is_scored = plan.scores == Scores::wanted &&
                         std::any_of(plan.clauses.begin(), plan.clauses.end(),
                                     [&](const Clause& clause) { return has_narrower(clause, index_.thesaurus); });
  const PostingParts parts = is_scored ? PostingParts::scores : plan.parts;
  for (const std::string& key : plan.keys()) index_.terms.add_posting_list_ranges(key, parts, ranges);
  for (const std::uint64_t hash : plan.phrases()) index_.phrases.add_position_range(hash, ranges);
  for (const Clause& clause : plan.clauses) {
    for (const std::uint64_t phrase : clause.phrases) {
      for (const ThesaurusTarget& target : index_.thesaurus.find(phrase)) {
        if (target.relation == Relation::narrower) add_target_ranges(target, parts, ranges);
      }
    }
  }
  if (facets.is_empty()) return fetch(ranges);
  Together together(std::move(ranges));
  std::vector<FileRange> of_facets;
  for (const std::string& key : facets.keys) {
    index_.terms.add_posting_list_ranges(key, PostingParts::members, of_facets);
  }
  for (const PostingLocation& location : facets.locations) {
    of_facets.push_back(index_.terms.facet_list_range(location));
  }
  if (facets.creators.size() > 0) {
    const auto [begin, end] = facets.creators;
    of_facets.push_back(index_.creators.creator_numbers().subarray(begin, end - begin).range());
    add_creator_starts(of_facets);
  }
  for (const FileRange& range : of_facets) together.add(range);
  fetch(together.ranges());
}

void Fetcher::related(const SearchPlan& plan) const {
  fetch_round([&](auto& ranges) {
    for (const auto& [phrase, targets] : related_targets(plan, index_.thesaurus)) {
      for (const ThesaurusTarget& target : targets) add_target_ranges(target, plan.related_parts, ranges);
    }
  });
}

void Fetcher::add_target_ranges(const ThesaurusTarget& target, PostingParts parts,
                                std::vector<FileRange>& ranges) const {
  for (const PostingLocation& location : target.terms) {
    ranges.push_back(index_.terms.text_list_range(location, parts));
  }
}

void Fetcher::completions(Kind kind, std::span<const std::string> typed) const {
  fetch_round([&](auto& ranges) {
    for (const std::string& text : typed) index_.completions.add_ranges(kind, text, ranges);
  });
}

void Fetcher::terms(std::span<const std::string> keys) const {
  fetch_round([&](auto& ranges) {
    for (const auto& key : keys) index_.terms.add_entry_range(key, ranges);
  });
}

void Fetcher::tags(const TagNumbers& tags) const {
  if (is_remote() && tags.count > 0) fetch({index_.tags.range(tags)});
}

std::size_t Fetcher::facet_lists(std::span<const PostingLocation> locations) const {
  if (!is_remote()) return locations.size();
  Together together({});
  for (const PostingLocation& location : locations) {
    if (!together.add(index_.terms.facet_list_range(location))) break;
  }
  fetch(together.ranges());
  return std::max<std::size_t>(together.ranges().size(), 1);
}

void Fetcher::creator_numbers(const PositionRange& range, std::span<const std::uint32_t> positions) const {
  const Array<std::uint32_t>& numbers = index_.creators.creator_numbers();
  fetch_round([&](auto& ranges) {
    if (positions.empty()) ranges.push_back(numbers.subarray(range.begin, range.size()).range());
    for (const std::uint32_t position : positions) ranges.push_back(numbers.range_of(position));
    add_creator_starts(ranges);
  });
}

void Fetcher::add_creator_starts(std::vector<FileRange>& ranges) const {
  const FileRange starts = index_.creators.starts().range();
  if (starts.size <= kStartsAtOnce) ranges.push_back(starts);
}

void Fetcher::creators(std::span<const std::uint32_t> numbers) const {
  elements(index_.creators.starts(), numbers);
  fetch_round([&](auto& ranges) {
    for (const std::uint32_t number : numbers) index_.creators.add_name_range(number, ranges);
  });
}

void Fetcher::phrases(std::span<const std::uint64_t> hashes) const {
  fetch_round([&](auto& ranges) {
    for (const std::uint64_t hash : hashes) index_.phrases.add_entry_range(hash, ranges);
  });
  fetch_round([&](auto& ranges) {
    for (const std::uint64_t hash : hashes) index_.phrases.add_position_range(hash, ranges);
  });
}

// One column after the other, because the blocks of all columns may exceed what stays resident.
void Fetcher::columns(const Filters& filters, std::span<const std::uint32_t> positions) const {
  if (needs_flags(filters)) elements(index_.columns.flags, positions);
  if (!filters.bpm_hundredths.empty()) elements(index_.columns.bpm_hundredths, positions);
  if (!filters.duration_ms.empty()) elements(index_.columns.duration_ms, positions);
}

void Fetcher::tempos(Kind kind, const Range& bpm_hundredths) const {
  fetch_round([&](auto& ranges) { index_.tempos.add_ranges(kind, bpm_hundredths, ranges); });
}

void Fetcher::spellings(SpellingList list, const LengthRange& lengths) const {
  fetch_round([&](auto& ranges) { index_.spellings.add_ranges(list, lengths, ranges); });
}

void Fetcher::id(std::string_view id) const {
  fetch_round([&](auto& ranges) { index_.ids.add_ranges(id, ranges); });
}

void Fetcher::ids(std::span<const std::string> ids) const {
  fetch_round([&](auto& ranges) {
    for (const auto& id : ids) index_.ids.add_ranges(id, ranges);
  });
}

void Fetcher::fingerprint_entries(std::span<const std::uint32_t> values, std::size_t count_max) const {
  fetch_round([&](auto& ranges) {
    for (const auto& value : values) index_.fingerprints.add_entry_range(value, count_max, ranges);
  });
}

void Fetcher::fingerprint_tracks(std::span<const std::uint32_t> indexed_values) const {
  fetch_round([&](auto& ranges) {
    for (const auto& value : indexed_values) index_.fingerprints.add_start_range(value, ranges);
  });
}

void Fetcher::fingerprints(std::span<const std::uint32_t> numbers) const {
  fetch_round([&](auto& ranges) {
    for (const auto& number : numbers) ranges.push_back(index_.fingerprints.stored(number).values.range());
  });
}

void Fetcher::file_hashes(std::span<const Sha256> hashes) const {
  fetch_round([&](auto& ranges) {
    for (const auto& hash : hashes) index_.file_hashes.add_range(hash, ranges);
  });
}

void Fetcher::receipts(std::span<const std::uint32_t> positions) const {
  fetch_round([&](auto& ranges) {
    for (const std::uint32_t position : positions) {
      index_.tracks.add_range(position, ranges);
      index_.licenses.add_ranges(position / kTracksPerBlock, ranges);
    }
  });
}

void Fetcher::tracks(std::span<const std::uint32_t> positions) const {
  if (!is_remote()) return index_.tracks.prefetch_cache_lines(positions);
  fetch_round([&](auto& ranges) {
    for (const std::uint32_t position : positions) index_.tracks.add_range(position, ranges);
  });
}

}  // namespace tonearm::catalog
