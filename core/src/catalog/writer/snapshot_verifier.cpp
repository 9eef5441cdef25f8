#include <algorithm>
#include <numeric>
#include <utility>

#include "catalog/index/facets.h"
#include "catalog/index/hash.h"
#include "catalog/index/index.h"
#include "catalog/index/listing.h"
#include "catalog/index/media_origins.h"
#include "catalog/lookup/change_log.h"
#include "catalog/lookup/track_lookup.h"
#include "catalog/query/search_context.h"
#include "catalog/storage/content_hash.h"
#include "catalog/storage/phrase_tables.h"
#include "catalog/writer/completions_builder.h"
#include "catalog/writer/matching_texts.h"
#include "catalog/writer/numbering.h"
#include "catalog/writer/sampled_searches.h"
#include "catalog/writer/thesaurus_builder.h"
#include "catalog/writer/track_check.h"
#include "catalog/writer/track_terms.h"
#include "domain/variants.h"
#include "reflection/track_type.h"
#include "text/unicode.h"
#include "tonearm/snapshot_writer.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm {
namespace catalog {
namespace {

/// Returns the members of a posting list, ascending. Checks that the list is consistent.
std::vector<std::uint32_t> members_of(const PostingList& posting_list, const Layout& layout) {
  std::vector<std::uint32_t> members(posting_list.positions.begin(), posting_list.positions.end());
  if (posting_list.dense) {
    const BitRange all{posting_list.bits.data(), {0, static_cast<std::uint32_t>(posting_list.bits.size() * kWordBits)}};
    all.each(0, [&](std::uint32_t position) {
      members.push_back(position);
      return true;
    });
  }
  if (std::adjacent_find(members.begin(), members.end(), std::greater_equal<>()) != members.end()) {
    throw_damaged("a posting list is not sorted");
  }
  if (members.size() != posting_list.count) throw_damaged("a posting list differs from its count");
  if (members.back() >= layout.speech_end) throw_damaged("a posting list contains tracks that were taken down");
  if (count_partitions(members, layout) != posting_list.counts) throw_damaged("a posting list differs from its counts");
  return members;
}

/// Checks ranks, block maxima and best members, which follow from bits and impacts. REQUIRES: there are as many bits as
/// impacts; `members` belong to the posting list.
void check_impacts(const PostingList& posting_list, std::span<const std::uint32_t> members,
                   std::span<const std::uint32_t> tie_rank) {
  const std::span<const std::uint8_t> impacts = posting_list.impacts.all();
  if (std::find(impacts.begin(), impacts.end(), 0) != impacts.end()) {
    throw_damaged("a term has no impact");
  }
  std::size_t member = 0;
  for (std::size_t i = 0; i < posting_list.tie_ranks.size(); ++i) {
    if (posting_list.tie_ranks[i] != tie_rank[members[i]])
      throw_damaged("a posting list's ranks differ from the order of ties");
  }
  for (std::size_t word = 0; word < posting_list.bits.size(); ++word) {
    const auto count = static_cast<std::size_t>(std::popcount(posting_list.bits[word]));
    std::uint8_t highest = 0;
    for (const std::uint8_t impact : impacts.subspan(member, count)) highest = std::max(highest, impact);
    if (posting_list.ranks[word] != member || posting_list.block_max[word] != highest)
      throw_damaged("a posting list's ranks are wrong");
    member += count;
  }
  if (!posting_list.dense) return;
  std::size_t begin = 0;
  for (std::size_t partition = 0; partition < posting_list.best.size(); ++partition) {
    const std::size_t end = begin + posting_list.counts[partition];
    const auto best = best_members(members, impacts, begin, end, tie_rank);
    if (!std::equal(best.begin(), best.end(), posting_list.best[partition].begin(),
                    posting_list.best[partition].end())) {
      throw_damaged("a posting list's best tracks are wrong");
    }
    begin = end;
  }
}

AverageLengths read_averages(const Manifest& manifest) {
  const auto read = [&](const std::string& key) {
    const std::uint32_t average = manifest_number(manifest, key);
    if (average == 0) throw_damaged("its manifest has an invalid " + key);
    return average;
  };
  return {read("average_title_256"), read("average_tags_256"), read("average_description_256"),
          read("average_hidden_256")};
}

TagLabels read_labels(sqlite3* database) {
  TagLabels labels;
  for (const auto& facets : read_values(database).tags) {
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      for (const LabeledValue& tag : facets.at(facet)) labels.at(facet)[tag.id] = tag.label;
    }
  }
  return labels;
}

/// Cross-checks all parts of a snapshot. Each check throws CatalogDamaged that says what is wrong.
class Verifier {
 public:
  Verifier(const SqliteSnapshot& snapshot, Hashing& hashing)
      : database_(connect_untrusted(snapshot)),
        hashing_(hashing),
        sections_(snapshot.file()),
        index_(sections_, read_layout(read_manifest(database_.get()))),
        fetcher_(snapshot.file(), index_),
        lookup_(index_, fetcher_),
        tokenizer_(database_.get()) {}

  SnapshotSummary verify() {
    const Sha256 hash = sections_.check_blocks(hashing_, hash_tables(database_.get(), hashing_));
    if (hash != sections_.content_hash()) throw_damaged("its content differs from its content hash");
    check_ids();
    check_permutations();
    for (std::uint32_t position = 0; position < layout_.size; ++position) check_track(position);
    check_orders();
    check_ties();
    check_families();
    check_media_origins(read_manifest(database_.get()), origins_);
    impacts_.check_averages();
    check_terms();
    check_license_tree();
    check_phrases(phrases_, sections_[SectionId::phrases].all());
    check_tag_terms();
    check_thesaurus();
    check_fingerprints();
    check_file_hashes();
    check_change_log(sections_[SectionId::changes], version_of(hash));
    check_sources();
    check_creators();
    check_creators_of_tracks();
    check_spellings_of_creators();
    check_words();
    check_completions(index_.completions, sections_[SectionId::completions].all(), tokenizer_);
    return {version_of(hash), layout_.size};
  }

 private:
  void check_permutations() const {
    check_permutation(columns_.ties, "the order of ties");
    for (std::size_t i = 0; i < kStoredSorts.size(); ++i) check_permutation(columns_.orders[i], order_name(i));
  }

  static std::string order_name(std::size_t sort) { return "the order " + std::string(kStoredSortNames.at(sort)); }

  // REQUIRES: all tracks were checked, which collects their dates.
  void check_orders() const {
    for (std::size_t i = 0; i < kStoredSorts.size(); ++i) {
      const auto& order = columns_.orders[i];
      const auto is_misplaced = [&](std::uint32_t a, std::uint32_t b) {
        return !sorts_before(kStoredSorts[i], {columns_, published_, id_rank_}, layout_, a, b);
      };
      if (std::adjacent_find(order.positions.begin(), order.positions.end(), is_misplaced) != order.positions.end()) {
        throw_damaged(order_name(i) + " is not sorted");
      }
    }
    if (encode_tempos(columns_, layout_) != sections_[SectionId::tempos].all()) {
      throw_damaged("the tempos differ from their order");
    }
  }

  void check_permutation(const Order& order, const std::string& name) const {
    for (std::uint32_t place = 0; place < order.positions.size(); ++place) {
      const std::uint32_t position = order.positions[place];
      if (position >= layout_.size || order.ranks[position] != place) throw_damaged(name + " is not a permutation");
    }
  }

  void check_ids() {
    std::vector<std::string_view> ids;
    std::vector<std::uint64_t> hashes;
    for (std::uint32_t position = 0; position < layout_.size; ++position) {
      ids.push_back(tracks_.id_at(position));
      hashes.push_back(hash64(ids.back()));
    }
    if (encode_ids(hashes, layout_) != sections_[SectionId::ids].all()) throw_damaged("the hashes of ids are wrong");
    std::vector<std::uint32_t> order(ids.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return ids[a] < ids[b]; });
    const auto same = [&](auto a, auto b) { return ids[a] == ids[b]; };
    if (std::adjacent_find(order.begin(), order.end(), same) != order.end())
      throw_damaged("two tracks have the same id");
    id_rank_ = inverse_of(order);
  }

  // REQUIRES: all tracks were checked, which collects their artists.
  void check_ties() const {
    std::vector<std::uint32_t> turns(layout_.size);
    const std::string first_creator = facet_key(kCreatorFacet, {});
    for (auto at = expected_facets_.lower_bound(first_creator);
         at != expected_facets_.end() && at->first.starts_with(first_creator); ++at) {
      assign_turns(at->second, columns_.quality.all(), id_rank_, turns);
    }
    const auto& order = columns_.ties.positions;
    const auto is_misplaced = [&](auto a, auto b) { return !ties_before(turns, id_rank_, a, b); };
    if (std::adjacent_find(order.begin(), order.end(), is_misplaced) != order.end()) {
      throw_damaged("the order of ties is not sorted");
    }
  }

  // REQUIRES: all tracks were checked, which collects their texts.
  void check_families() {
    const std::vector<std::uint32_t> expected = families_.finish();
    if (!std::equal(expected.begin(), expected.end(), columns_.families.begin(), columns_.families.end())) {
      throw_damaged("the families differ from titles, artists, durations and addresses");
    }
  }

  /// Returns the track's title, and after it the tidied one if there is one.
  std::vector<std::string> titles_of(const CheckedTrack& track) const {
    const auto found = matching_texts_.find(track.position);
    return catalog::titles_of(text_at(track, "title"), found == matching_texts_.end() ? MatchingText{} : found->second);
  }

  void add_to_families(const CheckedTrack& track) {
    if (track.position >= layout_.speech_end) return families_.add_without_variants();
    const std::string original_url = text_or_empty(track, "original_url");
    const std::string preview_url = text_or_empty(track, "preview_url");
    origins_.add(preview_url, original_url, text_or_empty(track, "peaks_url"));
    const Kind kind = track.position < layout_.music_end ? Kind::music : Kind::sfx;
    families_.add({kind, titles_of(track).back(), text_at(track, "artist"), original_url, preview_url,
                   columns_.duration_ms[track.position]});
  }

  void check_track(std::uint32_t position) {
    const StoredTrack stored = tracks_.at(position);
    tracks_.check_size(position);
    const CheckedTrack track{position, stored.rendered, stored.neighbors, parse_track(stored.rendered.json, position)};
    check_offsets(track);
    check_partition(track, layout_);
    check_columns(track, columns_);
    check_neighbors(track, layout_);
    if (stored.tie_rank != columns_.ties.ranks[position]) {
      throw_damaged("track " + std::to_string(position) + " has another rank in the order of ties");
    }
    const std::string_view id = id_of(stored.rendered);
    if (lookup_.find(id) != position) throw_damaged("track " + std::to_string(position) + " is not found by its id");
    const bool starts_partition = position == 0 || position == layout_.music_end || position == layout_.effects_end ||
                                  position == layout_.speech_end;
    const std::uint64_t last_hash = std::exchange(last_hash_, hash64(id));
    if (!starts_partition && last_hash_ < last_hash)
      throw_damaged("the tracks are not numbered in the order of the shuffle");
    record_hashes_.push_back(leaf_hash(table::license_record(stored.rendered), hashing_));
    add_to_families(track);
    published_.push_back(day_number(text_or_empty(track, "published")));
    artists_.push_back(position < layout_.speech_end ? text::fold_case(text_at(track, "artist")) : std::string());
    if (position >= layout_.speech_end) return;
    add_expected_facets(track, columns_, expected_facets_);
    phrases_.add(position, phrase_hashes(titles_of(track), text_at(track, "artist"), tokenizer_));
    phrases_.add(position, address_hashes(addresses_of(track)));
    impacts_.add(position, text_of(track), columns_.quality[position], tokenizer_);
  }

  /// Returns the texts that impacts follow from, without labels of tags.
  TrackText text_of(const CheckedTrack& track) const {
    TrackText text;
    text.title = titles_of(track).back();
    text.artist = text_at(track, "artist");
    text.description = text_or_empty(track, "description");
    if (has_category(track)) text.category = text_at(track, "category.label");
    if (const auto found = matching_texts_.find(track.position); found != matching_texts_.end()) {
      text.words = found->second.words;
      if (!found->second.title.empty()) text.original_title = text_at(track, "title");
    }
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      for (std::string& tag : tags_of(track, static_cast<Facet>(facet))) {
        text.tags.push_back({std::move(tag), {}, static_cast<Facet>(facet)});
      }
    }
    return text;
  }

  /// Rebuilds the tree of license records. REQUIRES: all tracks were checked, which collects the leaves.
  void check_license_tree() {
    std::vector<Sha256> nodes;
    for (std::size_t begin = 0; begin < record_hashes_.size(); begin += kTracksPerBlock) {
      const std::size_t size = std::min<std::size_t>(kTracksPerBlock, record_hashes_.size() - begin);
      const auto block = std::span(record_hashes_).subspan(begin, size);
      nodes.push_back(tree_root({block.begin(), block.end()}, hashing_));
    }
    const EncodedLicenseTree expected = encode_license_tree(std::move(nodes), hashing_);
    if (expected.section != sections_[SectionId::license_tree].all() || expected.root != sections_.license_root()) {
      throw_damaged("the tree of license records differs from the tracks");
    }
  }

  /// Rebuilds the index from the fingerprints.
  void check_fingerprints() const {
    FingerprintsBuilder expected;
    std::uint32_t next = 0;
    for (std::uint32_t number = 0; number < index_.fingerprints.track_count(); ++number) {
      const Fingerprints::Stored stored = index_.fingerprints.stored(number);
      if (stored.position < next || stored.position >= layout_.speech_end) {
        throw_damaged("a fingerprint belongs to no searchable track");
      }
      next = stored.position + 1;
      expected.add_stored(stored.position, stored.values.all());
    }
    if (expected.fingerprints() != sections_[SectionId::fingerprints].all())
      throw_damaged("the fingerprints are not in order");
    if (expected.index() != sections_[SectionId::fingerprint_index].all()) {
      throw_damaged("the index of fingerprints differs from them");
    }
  }

  void check_file_hashes() const {
    std::vector<FileHash> hashes;
    for (std::uint32_t number = 0; number < index_.file_hashes.size(); ++number) {
      hashes.push_back(index_.file_hashes.at(number));
      if (hashes.back().position >= layout_.speech_end) throw_damaged("a file belongs to no searchable track");
    }
    if (encode_file_hashes(std::move(hashes)) != sections_[SectionId::file_hashes].all()) {
      throw_damaged("the hashes of files are not in order");
    }
  }

  void check_terms() {
    execute(database_.get(), "CREATE VIRTUAL TABLE temp.word_instances USING fts5vocab('main', 'words', 'instance')");
    Statement instances(database_.get(), "SELECT term, doc FROM temp.word_instances");
    const std::string first_text_key = text_key({});
    std::string last_key;
    for (const std::uint32_t number : terms_by_key()) {
      const TermIndex::Term term = terms_.term(number);
      if (!last_key.empty() && term.key <= last_key) throw_damaged("a term is repeated");
      last_key = term.key;
      if (terms_.find(term.key) != number) throw_damaged("a term is not found by its key");
      if (term.key.starts_with(first_text_key)) {
        check_text_term(term, instances);
      } else {
        check_facet(term);
      }
    }
    if (instances.step()) throw_damaged("FTS5 has a term without a posting list: " + std::string(instances.text(0)));
    if (!expected_facets_.empty()) throw_damaged("a facet is missing");
    impacts_.check_all_terms_found();
  }

  // Returns the numbers of the terms sorted by key; they are stored by hash.
  std::vector<std::uint32_t> terms_by_key() const {
    std::vector<std::string_view> keys;
    std::uint64_t last = 0;
    std::uint64_t keys_end = 0;
    for (std::uint32_t number = 0; number < terms_.term_count(); ++number) {
      keys.push_back(terms_.key(number));
      const TermIndex::Entry entry = terms_.entry(number);
      if (entry.key_offset != (entry.has_key() ? 0 : keys_end)) throw_damaged("the keys of terms are in another order");
      if (!entry.has_key()) keys_end += entry.key_size;
      const auto rest = entry.has_key() ? entry.key_size : 0;
      if (std::any_of(entry.key.begin() + rest, entry.key.end(), [](char c) { return c != 0; })) {
        throw_damaged("something follows a key");
      }
      const std::uint64_t hash = term_hash(keys.back());
      if (hash < last || entry.hash_high != upper_half(hash)) throw_damaged("the terms are not sorted");
      last = hash;
    }
    if (keys_end != terms_.keys_size()) throw_damaged("something follows the keys of terms");
    terms_.check_sparse_index();
    std::vector<std::uint32_t> numbers(keys.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    std::sort(numbers.begin(), numbers.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
    return numbers;
  }

  // FTS5 indexed the same texts independently: both indexes must agree on every term of every track.
  void check_text_term(const TermIndex::Term& term, Statement& instances) {
    const std::string_view stem = term.key.substr(text_key({}).size());
    const auto members = members_of(term.posting_list, layout_);
    check_impacts(term.posting_list, members, columns_.ties.ranks.all());
    for (const auto position : members) {
      if (!instances.step() || instances.text(0) != stem || instances.integer(1) != std::int64_t{position} + 1) {
        throw_damaged("the posting list of a term differs from that of FTS5: " + std::string(stem));
      }
    }
    impacts_.check_term(stem, members, term.posting_list.impacts.all());
  }

  // Facets that are not in the JSON are checked only for consistency.
  void check_facet(const TermIndex::Term& term) {
    const auto members = members_of(term.posting_list, layout_);
    counts_[std::string(term.key)] = members.size();
    if (!is_expected_facet(term.key)) return;
    const auto found = expected_facets_.find(term.key);
    if (found == expected_facets_.end() || found->second != members) throw_damaged("a facet differs from its tracks");
    expected_facets_.erase(found);
  }

  // The counts of /v1/meta must equal the sizes of the posting lists.
  void check_count(const std::string& key, std::uint64_t count, std::size_t& checked) const {
    const auto found = counts_.find(key);
    if (found == counts_.end() || found->second != count)
      throw_damaged("a count differs from the tracks that it counts");
    ++checked;
  }

  void check_all_counted(std::string_view facet, std::size_t checked) const {
    const std::string begin = facet_key(facet, {});
    const auto is_of_facet = [&](const auto& count) { return count.first.starts_with(begin); };
    if (static_cast<std::size_t>(std::count_if(counts_.begin(), counts_.end(), is_of_facet)) != checked) {
      throw_damaged("a count is missing");
    }
  }

  // REQUIRES: the terms were checked.
  void check_tag_terms() const {
    const CatalogValues values = read_values(database_.get());
    std::vector<PostingLocation> expected;
    for (const std::string& key : tag_keys(values)) {
      const auto place = terms_.location(key);
      if (!place) throw_damaged("it lists a tag that no track has");
      expected.push_back(*place);
    }
    if (sections_[SectionId::tag_terms].all() != raw_bytes(expected)) {
      throw_damaged("the locations of tags differ from the term dictionary");
    }
  }

  // REQUIRES: the terms were checked.
  void check_thesaurus() {
    const ThesaurusBuilder expected(read_synonym_sets(database_.get()), read_relations(database_.get()), tokenizer_);
    const auto location_of = [this](const std::string& stem) { return terms_.location(text_key(stem)); };
    if (expected.finish(location_of) != sections_[SectionId::thesaurus].all()) {
      throw_damaged("the thesaurus differs from its relations");
    }
  }

  void check_sources() const {
    std::size_t checked = 0;
    Statement select(database_.get(), "SELECT id, count FROM listing WHERE list = 'source'");
    while (select.step()) {
      check_count(facet_key(kSourceFacet, select.text(0)), static_cast<std::uint64_t>(select.integer(1)), checked);
    }
    check_all_counted(kSourceFacet, checked);
  }

  void check_creators() const {
    std::size_t checked = 0;
    std::map<std::string, std::uint64_t> starts;  // by name
    std::uint64_t at = 0;
    each_creator(sections_[SectionId::creators],
                 [&](std::string_view folded, std::string_view name, std::uint32_t count) {
                   check_count(facet_key(kCreatorFacet, folded), count, checked);
                   if (!starts.emplace(name, at).second) throw_damaged("an artist is listed twice");
                   at += encode_creator({std::string(name), count}, folded).size();
                   return true;
                 });
    check_all_counted(kCreatorFacet, checked);
    const Array<std::uint32_t>& numbered = index_.creators.starts();
    if (!std::equal(starts.begin(), starts.end(), numbered.begin(), numbered.end(),
                    [](const auto& creator, std::uint32_t start) { return creator.second == start; })) {
      throw_damaged("the artists are not numbered by their names");
    }
  }

  // REQUIRES: the artists were checked.
  void check_creators_of_tracks() const {
    std::vector<std::string> folded;
    for (std::uint32_t number = 0; number < index_.creators.size(); ++number) {
      folded.push_back(index_.creators.folded_name(number));
    }
    for (std::uint32_t position = 0; position < layout_.size; ++position) {
      const std::uint32_t number = index_.creators.creator_numbers()[position];
      const std::string& artist = artists_[position];
      const bool is_consistent =
          artist.empty() ? number == kNoCreator : number < folded.size() && folded[number] == artist;
      if (!is_consistent) throw_damaged("track " + std::to_string(position) + " has another artist in the column");
    }
  }

  void check_spellings_of_creators() const {
    std::vector<Spelling> expected;
    each_creator(sections_[SectionId::creators],
                 [&](std::string_view folded, std::string_view name, std::uint32_t /*count*/) {
                   if (auto letters = fold_spelling(SpellingList::creators, name)) {
                     const std::string key = facet_key(kCreatorFacet, folded);
                     expected.push_back({std::string(name), std::move(*letters), by_kind(terms_.counts(key))});
                   }
                   return true;
                 });
    select_spellings(expected);
    std::size_t number = 0;
    each_spelling(SpellingList::creators, [&](const Spelling& spelling) {
      if (number == expected.size() || expected[number].text != spelling.text ||
          expected[number].counts != spelling.counts) {
        throw_damaged("the spellings of creators differ from the creators");
      }
      ++number;
    });
    if (number != expected.size()) throw_damaged("the spelling of a creator is missing");
  }

  // Rendered tracks do not contain the spelling of a tag's label, so this checks only that some track contains each
  // word.
  void check_words() {
    each_spelling(SpellingList::words, [&](const Spelling& spelling) {
      const std::vector<Token> tokens = tokenizer_.tokens(spelling.text);
      if (!is_word(spelling.text, tokenizer_)) throw_damaged("a spelling is not a word: " + spelling.text);
      const auto held = by_kind(terms_.counts(text_key(tokens.front().stem)));
      if (spelling.counts.front() > held.front() || spelling.counts.back() > held.back() ||
          spelling.counts == decltype(held){}) {
        throw_damaged("the spelling of a word differs from the tracks that have the word");
      }
    });
  }

  /// Visits the spellings in order. Checks the order and everything that follows from the text.
  template <class Visit>
  void each_spelling(SpellingList list, const Visit& visit) const {
    std::string buffer;
    for (std::size_t length = 1; length <= kSpellingLettersMax; ++length) {
      std::vector<std::pair<Spellings::Entry, Spellings::TextRange>> entries;
      index_.spellings.each(list, {length, length},
                            [&](const auto& entry, const auto& range) { entries.emplace_back(entry, range); });
      std::string last;
      for (const auto& [entry, range] : entries) {
        Spelling spelling{std::string(index_.spellings.text(list, range, buffer)), {}, entry.counts};
        const auto folded = fold_spelling(list, spelling.text);
        if (!folded || folded->size() != length || letter_set(*folded) != entry.letters) {
          throw_damaged("a spelling differs from its letters");
        }
        if (spelling.text <= last) throw_damaged("the spellings are not sorted");
        spelling.folded = *folded;
        visit(spelling);
        last = std::move(spelling.text);
      }
    }
  }

  static std::array<std::uint32_t, kKindNames.size()> by_kind(const std::array<std::uint32_t, 3>& partitions) {
    return {partitions[0], partitions[1] + partitions[2]};
  }

  sql::SqliteHandle database_;
  Hashing& hashing_;
  Sections sections_;
  Index index_;
  const Layout& layout_ = index_.layout;
  const Columns& columns_ = index_.columns;
  const TermIndex& terms_ = index_.terms;
  const TrackStore& tracks_ = index_.tracks;
  Fetcher fetcher_;
  TrackLookup lookup_;
  Tokenizer tokenizer_;
  std::vector<std::uint32_t> id_rank_;    // by position
  std::vector<Sha256> record_hashes_;     // of license records, by position
  std::vector<std::string> artists_;      // by position, case-folded
  std::vector<std::uint32_t> published_;  // by position: day numbers
  std::map<std::uint32_t, MatchingText> matching_texts_ =
      read_matching_texts(database_.get(), layout_.speech_end);  // by position
  ImpactCheck impacts_{read_averages(read_manifest(database_.get())), read_labels(database_.get())};
  PhrasesBuilder phrases_;  // expected
  FamilyFinder families_;   // expected
  MediaOriginCounts origins_;
  FacetPositions expected_facets_;
  std::map<std::string, std::uint64_t> counts_;  // of facets, by key
  std::uint64_t last_hash_ = 0;
};

}  // namespace
}  // namespace catalog

Result<SnapshotSummary> verify_snapshot(const std::shared_ptr<const SqliteSnapshot>& snapshot, Hashing& hashing) {
  // Rejects what a server would reject before anything is compared.
  const auto opened = Catalog::open(snapshot, {.allow_evaluation = true});
  if (!opened) return opened.error();
  try {
    const SnapshotSummary summary = catalog::Verifier(*snapshot, hashing).verify();
    catalog::check_sampled_searches(*snapshot, **opened);
    catalog::check_sampled_completions(*snapshot, **opened);
    return summary;
  } catch (const Failure& failure) {
    return Error{ErrorCode::unavailable, failure.what()};
  }
}

}  // namespace tonearm
