#include "tonearm/snapshot_writer.h"

#include <sqlite3.h>

#include "catalog/content_hash.h"
#include "catalog/listing_builder.h"
#include "catalog/numbering.h"
#include "catalog/postings_builder.h"
#include "catalog/statement.h"
#include "table/types.h"

namespace tonearm {
namespace catalog {
namespace {

// Small tables first, so that what nearly every query needs lies together at the start of the file.
constexpr const char* kSchema = R"(
CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE listing (list TEXT NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL,
                      count INTEGER NOT NULL, PRIMARY KEY (list, place)) WITHOUT ROWID;
CREATE TABLE synonyms (set_number INTEGER NOT NULL, place INTEGER NOT NULL, phrase TEXT NOT NULL,
                       PRIMARY KEY (set_number, place)) WITHOUT ROWID;
CREATE TABLE columns (name TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE terms (key BLOB PRIMARY KEY, count INTEGER NOT NULL, place INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE ids (id TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE creators (place INTEGER PRIMARY KEY, folded TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL);
CREATE TABLE postings (place INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE tracks (position INTEGER PRIMARY KEY, json BLOB NOT NULL, offsets BLOB NOT NULL,
                     neighbors BLOB NOT NULL);
CREATE VIRTUAL TABLE words USING fts5 (text, content='', detail=none, columnsize=0,
                                       tokenize='porter unicode61 remove_diacritics 2');
INSERT INTO words (words, rank) VALUES ('automerge', 0);
INSERT INTO words (words, rank) VALUES ('hashsize', 536870912);
)";

class Writer {
 public:
  Writer(sqlite3* database, std::span<const Track> tracks, const SnapshotOptions& options, Hashing& hashing)
      : database_(database), tracks_(tracks), options_(options), hashing_(hashing), numbering_(number_tracks(tracks)) {}

  SnapshotSummary write() {
    execute(database_,
            "PRAGMA page_size = 16384; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;"
            "PRAGMA secure_delete = ON; PRAGMA application_id = 0x546f6e65;");
    execute(database_, "BEGIN EXCLUSIVE");
    execute(database_, kSchema);
    write_synonyms();
    write_columns();
    write_ids();
    write_index();
    write_tracks();
    write_words();
    const std::string hash = write_manifest();
    execute(database_, "COMMIT");
    drop_free_pages();
    return {hash.substr(0, 16), numbering_.layout.size};
  }

 private:
  const Track& track_at(std::uint32_t position) const { return tracks_[numbering_.track_at[position]]; }

  void write_synonyms() {
    Statement insert(database_, "INSERT INTO synonyms (set_number, place, phrase) VALUES (?1, ?2, ?3)");
    for (std::size_t set = 0; set < options_.synonyms.size(); ++set) {
      for (std::size_t place = 0; place < options_.synonyms[set].size(); ++place) {
        insert.bind_integer(1, static_cast<std::int64_t>(set));
        insert.bind_integer(2, static_cast<std::int64_t>(place));
        insert.bind_text(3, options_.synonyms[set][place]);
        insert.run();
      }
    }
  }

  void write_columns() {
    const Columns columns = make_columns(tracks_, numbering_);
    Statement insert(database_, "INSERT INTO columns (name, data) VALUES (?1, ?2)");
    const auto write = [&](std::string_view name, const std::string& data) {
      insert.bind_text(1, name);
      insert.bind_blob(2, data);
      insert.run();
    };
    write("duration_ms", encode_array(columns.duration_ms));
    write("bpm_hundredths", encode_array(columns.bpm_hundredths));
    write("quality", encode_array(columns.quality));
    write("flags", encode_array(columns.flags));
    write("id_rank", encode_array(columns.id_rank));
    for (std::size_t i = 0; i < kStoredSorts.size(); ++i) {
      write("order_" + std::string(kStoredSortNames[i]), encode_array(columns.orders[i].positions));
    }
    position_by_id_.resize(columns.id_rank.size());
    for (std::uint32_t position = 0; position < columns.id_rank.size(); ++position) {
      position_by_id_[columns.id_rank[position]] = position;
    }
  }

  void write_ids() {
    Statement insert(database_, "INSERT INTO ids (id, position) VALUES (?1, ?2)");
    for (const std::uint32_t position : position_by_id_) {
      insert.bind_text(1, track_at(position).id);
      insert.bind_integer(2, position);
      insert.run();
    }
  }

  void write_index() {
    Tokenizer tokenizer(database_);
    PostingsBuilder postings;
    ListingBuilder listing;
    for (std::uint32_t position = 0; position < numbering_.layout.speech_end; ++position) {
      const Track& track = track_at(position);
      postings.add(position, track, count_words(track_text(track, options_.tag_labels), tokenizer));
      listing.add(track);
    }
    listing.write(database_, options_);
    postings.write(database_, numbering_.layout.size);
  }

  void write_tracks() {
    Statement insert(database_, "INSERT INTO tracks (position, json, offsets, neighbors) VALUES (?1, ?2, ?3, ?4)");
    for (std::uint32_t position = 0; position < numbering_.layout.size; ++position) {
      const RenderedTrack rendered = table::render_track(track_at(position), options_.site_url);
      const std::string offsets = encode_array(rendered.offsets);
      const std::string neighbors =
          encode_array(neighbor_positions(tracks_, numbering_, numbering_.track_at[position]));
      insert.bind_integer(1, position);
      insert.bind_blob(2, rendered.json);
      insert.bind_blob(3, offsets);
      insert.bind_blob(4, neighbors);
      insert.run();
    }
  }

  // The row id is the position plus one.
  void write_words() {
    Statement insert(database_, "INSERT INTO words (rowid, text) VALUES (?1, ?2)");
    for (std::uint32_t position = 0; position < numbering_.layout.speech_end; ++position) {
      const std::string text = joined(track_text(track_at(position), options_.tag_labels));
      insert.bind_integer(1, std::int64_t{position} + 1);
      insert.bind_text(2, text);
      insert.run();
    }
    execute(database_, "INSERT INTO words (words) VALUES ('optimize')");
  }

  std::string write_manifest() {
    Statement insert(database_, "INSERT INTO manifest (key, value) VALUES (?1, ?2)");
    const auto write = [&](std::string_view key, const std::string& value) {
      insert.bind_text(1, key);
      insert.bind_text(2, value);
      insert.run();
    };
    const Layout& layout = numbering_.layout;
    write("format_version", std::to_string(kSnapshotVersion));
    write("tonearm_version", TONEARM_VERSION);
    write("profile", options_.evaluation ? "evaluation" : "catalog");
    write("site_url", options_.site_url);
    write("tracks", std::to_string(layout.size));
    write("music", std::to_string(layout.music_end));
    write("effects", std::to_string(layout.effects_end - layout.music_end));
    write("speech", std::to_string(layout.speech_end - layout.effects_end));
    write("taken_down", std::to_string(layout.size - layout.speech_end));
    std::string hash = content_hash(database_, hashing_);
    write("content_hash", hash);
    return hash;
  }

  // Merging the segments of FTS5 may have left some.
  void drop_free_pages() {
    bool has_free_pages = false;
    {
      Statement count(database_, "PRAGMA freelist_count");
      has_free_pages = count.step() && count.integer(0) > 0;
    }
    if (has_free_pages) execute(database_, "VACUUM");
  }

  sqlite3* database_;
  std::span<const Track> tracks_;
  const SnapshotOptions& options_;
  Hashing& hashing_;
  Numbering numbering_;
  std::vector<std::uint32_t> position_by_id_;
};

}  // namespace
}  // namespace catalog

SnapshotSummary write_snapshot(sqlite3* database, std::span<const Track> tracks, const SnapshotOptions& options,
                               Hashing& hashing) {
  return catalog::Writer(database, tracks, options, hashing).write();
}

}  // namespace tonearm
