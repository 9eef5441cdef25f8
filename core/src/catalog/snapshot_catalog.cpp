#include "catalog/snapshot_catalog.h"

#include <algorithm>

#include "catalog/bonus.h"
#include "catalog/content_hash.h"
#include "catalog/facets.h"
#include "catalog/filter.h"
#include "catalog/forecast.h"
#include "catalog/listing.h"
#include "catalog/neighbor_merge.h"
#include "catalog/ranking.h"

namespace tonearm::catalog {
namespace {

Synonyms read_synonyms(sqlite3* database, Tokenizer& tokenizer) {
  Synonyms synonyms;
  Statement select(database, "SELECT set_number, phrase FROM synonyms ORDER BY set_number, place");
  std::vector<std::string> phrases;
  std::int64_t set = 0;
  while (select.step()) {
    if (select.integer(0) != set && !phrases.empty()) {
      synonyms.add_set(phrases, tokenizer);
      phrases.clear();
    }
    set = select.integer(0);
    phrases.emplace_back(select.text(1));
  }
  if (!phrases.empty()) synonyms.add_set(phrases, tokenizer);
  return synonyms;
}

}  // namespace

SnapshotCatalog::Tables SnapshotCatalog::read_tables(const SnapshotFile& file, const Options& options) {
  expect_opening(file);
  const sql::SqliteHandle database = connect_distrustfully(file);
  Tables tables{read_manifest(database.get()), read_values(database.get()), {}};
  if (manifest_text(tables.manifest, "profile") == "evaluation" && !options.allow_evaluation) {
    throw sql::Failure("the snapshot was built for evaluation: its licenses are not known");
  }
  Tokenizer tokenizer(database.get());
  tables.synonyms = read_synonyms(database.get(), tokenizer);
  return tables;
}

SnapshotCatalog::SnapshotCatalog(const std::shared_ptr<const SnapshotFile>& file, const Options& options,
                                 const Kernels& kernels)
    : SnapshotCatalog(file, kernels, read_tables(*file, options)) {}

SnapshotCatalog::SnapshotCatalog(std::shared_ptr<const SnapshotFile> file, const Kernels& kernels, Tables tables)
    : file_(std::move(file)),
      kernels_(kernels),
      workplaces_(std::make_unique<WorkplacePool>(*file_)),
      sections_(open_sections(*file_)),
      layout_(read_layout(tables.manifest)),
      columns_(read_columns(sections_, layout_.size)),
      index_(sections_, layout_.size),
      phrases_(sections_[SectionId::phrases]),
      tempos_(sections_, layout_),
      tracks_(sections_, layout_),
      values_(std::move(tables.values)),
      synonyms_(std::move(tables.synonyms)),
      version_(to_hex(sections_.content_hash()).substr(0, 16)) {}

Result<void> SnapshotCatalog::check_blocks(Hashing& hashing) const {
  try {
    const sql::SqliteHandle database = connect_distrustfully(*file_);
    if (sections_.check_blocks(hashing, hash_tables(database.get(), hashing)) != sections_.content_hash()) {
      damaged("its content differs from its content hash");
    }
    return {};
  } catch (const sql::Failure& failure) {
    return Error{ErrorCode::unavailable, failure.what()};
  }
}

Matches SnapshotCatalog::match(const SearchQuery& query, std::span<const Word> words, Scores scores,
                               Workplace& workplace) const {
  const std::vector<WordGroup> groups = group_words(words, synonyms_);
  expect_search(*file_, index_, phrases_, query, words, groups, scores);
  return Matcher({layout_, columns_, index_, tempos_, kernels_}, workplace.scratch).match(query, groups, scores);
}

std::uint64_t SnapshotCatalog::count(const SearchQuery& query) const {
  const auto workplace = workplaces_->borrow();
  return match(query, workplace->tokenizer.words(query.q), Scores::none, *workplace).total;
}

Page SnapshotCatalog::search(const SearchQuery& query) const {
  const auto workplace = workplaces_->borrow();
  const std::vector<Word> words = workplace->tokenizer.words(query.q);
  const Sort sort = query.sort.value_or(words.empty() ? Sort::shuffle : Sort::relevance);
  const bool by_score = sort == Sort::relevance && !words.empty();
  Matches matches = match(query, words, by_score ? Scores::wanted : Scores::none, *workplace);
  const PageRange page{query.offset, query.limit};
  if (sort == Sort::shuffle) return {page_shuffled(matches, query.seed, layout_.size, page), matches.total};
  if (by_score) {
    // What nothing stands beside needs no order.
    const auto bonuses =
        matches.total < 2 ? std::vector<Bonus>{} : find_bonuses(words, index_, phrases_, layout_.speech_end);
    return {page_by_score(matches, bonuses, {columns_, tracks_}, kernels_, page), matches.total};
  }
  // C4.5: `relevance` without words is the order of quality.
  const Sort stored = sort == Sort::relevance ? Sort::quality : sort;
  const auto found = std::find(kStoredSorts.begin(), kStoredSorts.end(), stored) - kStoredSorts.begin();
  const Order& order = columns_.orders.at(static_cast<std::size_t>(found));
  return {page_by_order(matches, order, places_of(query, stored), page), matches.total};
}

Between SnapshotCatalog::places_of(const SearchQuery& query, Sort sort) const {
  // Effects and speech stand in one order, behind music.
  const bool is_music = query.kind == Kind::music;
  const Between all = is_music ? Between{0, layout_.music_end} : Between{layout_.music_end, layout_.speech_end};
  if (query.lengths.empty() || (sort != Sort::shortest && sort != Sort::longest)) return all;
  // Lengths stand one after the other in it.
  std::array<std::uint64_t, kLengthNames.size() + 1> ends{};
  for (std::size_t i = 0; i < kLengthNames.size(); ++i) {
    const auto [music, effects, speech] = index_.counts(facet_key(kLengthFacet, kLengthNames[i]));
    ends.at(i + 1) = ends.at(i) + (is_music ? std::uint64_t{music} : std::uint64_t{effects} + speech);
  }
  if (ends.back() != all.end - all.begin) damaged("tracks have no length, or more than one");
  const auto [least, greatest] = std::minmax_element(query.lengths.begin(), query.lengths.end());
  const auto begin = static_cast<std::size_t>(ends.at(static_cast<std::size_t>(*least)));
  const auto end = static_cast<std::size_t>(ends.at(static_cast<std::size_t>(*greatest) + 1));
  if (sort == Sort::shortest) return {all.begin + begin, all.begin + end};
  return {all.end - end, all.end - begin};
}

bool SnapshotCatalog::has_words(std::string_view text) const {
  const auto workplace = workplaces_->borrow();
  return !workplace->tokenizer.words(text).empty();
}

std::vector<Catalog::QueryWord> SnapshotCatalog::words(std::string_view text) const {
  const auto workplace = workplaces_->borrow();
  const std::vector<Word> found = workplace->tokenizer.words(text);
  const std::vector<GroupedWords> groups = split_groups(found, synonyms_);
  const bool tells = std::any_of(groups.begin(), groups.end(), [](const auto& it) { return !it.is_function_word; });
  const auto occurs = [&](const std::string& word) { return index_.tracks_with(word) > 0; };
  const auto can_match = [&](const Phrase& phrase) { return std::all_of(phrase.begin(), phrase.end(), occurs); };

  std::vector<QueryWord> words;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto& phrases = groups[i].group.phrases;
    const bool known = std::any_of(phrases.begin(), phrases.end(), can_match);
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const auto& it) { return it.group.says_the_same(groups[i].group); });
    for (std::size_t k = 0; k < groups[i].length; ++k) {
      const Word& word = found[words.size()];
      words.push_back({word.begin, word.end, static_cast<std::uint32_t>(same - groups.begin()), known,
                       !(tells && groups[i].is_function_word)});
    }
  }
  return words;
}

Page SnapshotCatalog::similar(std::uint32_t position, const Filters& filters, std::uint32_t limit,
                              std::uint32_t offset) const {
  Page page;
  const auto neighbors = tracks_.at(position).neighbors;
  expect_filters(filters, columns_, neighbors);
  for (const auto neighbor : neighbors) {
    if (neighbor >= layout_.speech_end) damaged("a neighbor is no track that can be found");
    if (!passes(filters, columns_, neighbor)) continue;
    if (page.total >= offset && page.tracks.size() < limit) page.tracks.push_back(neighbor);
    ++page.total;
  }
  return page;
}

Page SnapshotCatalog::merge_similar(const MergeQuery& query) const {
  std::vector<std::span<const std::uint32_t>> lists;
  std::size_t entries = 0;
  std::vector<std::string> ids = query.seeds;
  ids.insert(ids.end(), query.left_out.begin(), query.left_out.end());
  tracks_.expect_ids(ids);
  std::vector<std::uint32_t> seeds;
  for (const auto& found : tracks_.look_up(query.seeds)) {
    if (found) seeds.push_back(found->position);
  }
  std::sort(seeds.begin(), seeds.end());
  seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
  for (const auto seed : seeds) {
    lists.push_back(tracks_.at(seed).neighbors);
    entries += lists.back().size();
  }
  NeighborMerge merge(entries);
  for (const auto& list : lists) merge.add(list);

  // Where the filter and the collection disagree on commercial use, nothing is left.
  Filters filters = query.filters;
  const bool asks_for_none = query.hide_non_commercial && filters.commercial == false;
  if (query.hide_non_commercial) filters.commercial = true;
  std::vector<std::uint32_t> merged = merge.positions();
  expect_filters(filters, columns_, merged);
  std::sort(merged.begin(), merged.end());
  const std::vector<std::uint32_t> left_out = tracks_.find_among(query.left_out, merged);
  std::vector<Scored> kept;
  for (const MergedNeighbor& neighbor : merge.merged()) {
    if (neighbor.position >= layout_.speech_end) damaged("a neighbor is no track that can be found");
    if (asks_for_none || !passes(filters, columns_, neighbor.position)) continue;
    if (std::binary_search(left_out.begin(), left_out.end(), neighbor.position)) continue;
    kept.push_back({neighbor.closeness(), neighbor.position});
  }
  return {page_of_scored(kept, {query.offset, query.limit}, {columns_, tracks_}), kept.size()};
}

std::vector<RenderedTrack> SnapshotCatalog::render(std::span<const std::uint32_t> positions) const {
  std::vector<RenderedTrack> tracks;
  tracks.reserve(positions.size());
  for (const StoredTrack& track : tracks_.at(positions)) tracks.push_back(track.rendered);
  return tracks;
}

std::vector<CreatorCount> SnapshotCatalog::creators(std::string_view contains, std::size_t limit) const {
  return read_creators(sections_[SectionId::creators], contains, limit);
}

}  // namespace tonearm::catalog

namespace tonearm {

Result<std::shared_ptr<const Catalog>> Catalog::open(const std::shared_ptr<const SnapshotFile>& file,
                                                     const Options& options) {
  try {
    std::shared_ptr<const Catalog> opened =
        std::make_shared<const catalog::SnapshotCatalog>(file, options, *catalog::usable_kernels().back());
    return opened;
  } catch (const sql::Failure& failure) {
    return Error{ErrorCode::unavailable, failure.what()};
  }
}

}  // namespace tonearm
