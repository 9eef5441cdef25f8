#include <algorithm>

#include "catalog/codec.h"
#include "catalog/connection.h"
#include "catalog/content_hash.h"
#include "catalog/facets.h"
#include "catalog/layout.h"
#include "catalog/numbering.h"
#include "catalog/shuffle.h"
#include "catalog/track_check.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm {
namespace catalog {
namespace {

/// Compares every part of a snapshot with the others. Each check throws sql::Failure that names the fault.
class Verifier {
 public:
  Verifier(sql::SqliteHandle database, Hashing& hashing)
      : database_(std::move(database)),
        hashing_(hashing),
        manifest_(read_manifest(database_.get())),
        layout_(read_layout(manifest_)),
        columns_(read_columns(database_.get(), layout_.size)) {}

  SnapshotSummary verify() {
    const std::string& hash = manifest_text(manifest_, "content_hash");
    if (content_hash(database_.get(), hashing_) != hash) damaged("its content differs from its content hash");
    check_orders();
    check_ids();
    check_tracks();
    check_facets();
    check_words();
    check_counts("SELECT count FROM listing WHERE list = 'source' AND id = ?1", kSourceFacet);
    check_counts("SELECT count FROM creators WHERE folded = ?1", kCreatorFacet);
    return {hash.substr(0, 16), layout_.size};
  }

 private:
  void check_orders() const {
    for (std::size_t i = 0; i < kStoredSorts.size(); ++i) {
      const auto& positions = columns_.orders[i].positions;
      const auto comes_late = [&](std::uint32_t a, std::uint32_t b) {
        return !sorts_before(kStoredSorts[i], columns_, a, b);
      };
      if (std::adjacent_find(positions.begin(), positions.end(), comes_late) != positions.end()) {
        damaged("the order " + std::string(kStoredSortNames[i]) + " is not sorted");
      }
    }
  }

  void check_ids() {
    Statement select(database_.get(), "SELECT position FROM ids ORDER BY id");
    std::uint32_t rank = 0;
    for (; select.step(); ++rank) {
      const std::int64_t position = select.integer(0);
      if (position < 0 || position >= layout_.size || columns_.id_rank[static_cast<std::size_t>(position)] != rank) {
        damaged("the order of ids differs from the column");
      }
    }
    if (rank != layout_.size) damaged("the number of ids is not that of tracks");
  }

  void check_tracks() {
    Statement select(database_.get(), "SELECT position, json, offsets, neighbors FROM tracks ORDER BY position");
    Statement find(database_.get(), "SELECT position FROM ids WHERE id = ?1");
    std::uint32_t next = 0;
    for (; select.step(); ++next) {
      if (select.integer(0) != next || next >= layout_.size) damaged("the positions of tracks have a gap");
      StoredTrack track{next,
                        select.blob(1),
                        decode_array<std::uint32_t>(select.blob(2)),
                        decode_array<std::uint32_t>(select.blob(3)),
                        {}};
      track.parsed = parse_track(track.json, next);
      check_offsets(track);
      check_group(track, layout_);
      check_columns(track, columns_);
      check_neighbors(track, layout_);
      check_id(track, find);
      if (next < layout_.speech_end) add_expected_facets(track, columns_, expected_facets_);
    }
    if (next != layout_.size) damaged("tracks are missing");
  }

  void check_id(const StoredTrack& track, Statement& find) {
    const auto* id = track.parsed.if_contains("id");
    if (id == nullptr || !id->is_string()) damaged("a track has no id");
    const std::string_view text(id->get_string().data(), id->get_string().size());
    const Use use(find);
    find.bind_text(1, text);
    if (!find.step() || find.integer(0) != track.position) {
      damaged("track " + std::to_string(track.position) + " is not found by its id");
    }
    const std::uint32_t position = track.position;
    const bool begins_group = position == 0 || position == layout_.music_end || position == layout_.effects_end ||
                              position == layout_.speech_end;
    const std::uint64_t hash = hash64(text);
    if (!begins_group && hash < last_hash_) damaged("the numbering of tracks is not the shuffle");
    last_hash_ = hash;
  }

  // Facets of which the JSON says nothing are checked for what a bitmap can hold at all.
  void check_facets() {
    Statement select(database_.get(),
                     "SELECT key, count, data FROM terms LEFT JOIN postings USING (place) WHERE key < ?1 ORDER BY key");
    const std::string first_word = word_key({});
    select.bind_blob(1, first_word);
    std::size_t expected = 0;
    while (select.step()) {
      const std::string key(select.blob(0));
      DocSet set(layout_.size);
      decode_facet(select.blob(2), select.integer(1), set);
      std::vector<std::uint32_t> positions;
      set.each(0, [&](std::uint32_t position) {
        positions.push_back(position);
        return true;
      });
      if (positions.empty() || positions.back() >= layout_.speech_end) damaged("a facet has tracks that none may have");
      if (!is_expected_facet(key)) {
        expected_facets_[key] = std::move(positions);
        ++expected;
        continue;
      }
      const auto found = expected_facets_.find(key);
      if (found == expected_facets_.end() || found->second != positions) damaged("a facet differs from its tracks");
      ++expected;
    }
    if (expected != expected_facets_.size()) damaged("a facet is missing");
  }

  // FTS5 indexed the same texts by itself: both indexes must agree on every word of every track.
  void check_words() {
    execute(database_.get(), "CREATE VIRTUAL TABLE temp.word_instances USING fts5vocab('main', 'words', 'instance')");
    Statement instances(database_.get(), "SELECT term, doc FROM temp.word_instances");
    Statement select(
        database_.get(),
        "SELECT key, count, data FROM terms LEFT JOIN postings USING (place) WHERE key >= ?1 ORDER BY key");
    const std::string first_word = word_key({});
    select.bind_blob(1, first_word);
    while (select.step()) {
      const std::string_view key = select.blob(0);
      if (key.substr(0, first_word.size()) != first_word) damaged("a term is neither word nor facet");
      const std::string_view word = key.substr(first_word.size());
      const WordPostings postings = decode_word(select.blob(2), select.integer(1), layout_.size);
      if (std::find(postings.impacts.begin(), postings.impacts.end(), 0) != postings.impacts.end()) {
        damaged("a word has no impact");
      }
      for (const auto position : postings.positions) {
        if (!instances.step() || instances.text(0) != word || instances.integer(1) != std::int64_t{position} + 1) {
          damaged("the postings of a word differ from those of FTS5: " + std::string(word));
        }
      }
    }
    if (instances.step()) damaged("FTS5 has a word without postings: " + std::string(instances.text(0)));
  }

  // What /v1/meta counts is what the facet holds.
  void check_counts(std::string_view sql, std::string_view facet) {
    Statement select(database_.get(), sql);
    const std::string begin = facet_key(facet, {});
    for (auto at = expected_facets_.lower_bound(begin);
         at != expected_facets_.end() && at->first.compare(0, begin.size(), begin) == 0; ++at) {
      const Use use(select);
      select.bind_text(1, std::string_view(at->first).substr(begin.size()));
      if (!select.step() || select.integer(0) != static_cast<std::int64_t>(at->second.size())) {
        damaged("a count differs from the tracks that it counts");
      }
    }
  }

  sql::SqliteHandle database_;
  Hashing& hashing_;
  Manifest manifest_;
  Layout layout_;
  Columns columns_;
  FacetPositions expected_facets_;
  std::uint64_t last_hash_ = 0;
};

}  // namespace
}  // namespace catalog

Result<SnapshotSummary> verify_snapshot(const ConnectSnapshot& connect, Hashing& hashing) {
  // What a server would refuse is found before anything is compared.
  const auto opened = Catalog::open(connect, {.allow_evaluation = true});
  if (!opened) return opened.error();
  try {
    sql::SqliteHandle database = connect();
    catalog::distrust_schema(database.get());
    return catalog::Verifier(std::move(database), hashing).verify();
  } catch (const sql::Failure& failure) {
    return Error{ErrorCode::unavailable, failure.what()};
  }
}

}  // namespace tonearm
