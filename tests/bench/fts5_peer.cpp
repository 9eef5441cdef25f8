#include "fts5_peer.h"

#include <sqlite3.h>

#include <filesystem>
#include <unordered_map>

#include "conditions.h"
#include "tonearm/sqlite.h"

namespace tonearm::bench {
namespace {

constexpr const char* kTables = R"(
PRAGMA page_size = 16384;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
BEGIN;
CREATE TABLE tracks (number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, speech INTEGER NOT NULL,
                     duration INTEGER NOT NULL, bpm INTEGER, length INTEGER NOT NULL, energy INTEGER, tone INTEGER,
                     loop INTEGER NOT NULL, quality INTEGER NOT NULL, category INTEGER, license INTEGER NOT NULL,
                     commercial INTEGER NOT NULL, share_alike INTEGER NOT NULL, credit INTEGER NOT NULL,
                     creator TEXT NOT NULL, source TEXT NOT NULL);
CREATE TABLE tags (facet INTEGER NOT NULL, tag TEXT NOT NULL, number INTEGER NOT NULL,
                   PRIMARY KEY (facet, tag, number)) WITHOUT ROWID;
CREATE TABLE documents (number INTEGER PRIMARY KEY, json TEXT NOT NULL);
CREATE VIRTUAL TABLE words USING fts5 (title, artist, tags, description, category, content='',
                                       tokenize='porter unicode61 remove_diacritics 2');
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(8.0, 4.0, 4.0, 1.0, 2.0)');
)";

constexpr const char* kIndexes = R"(
CREATE INDEX tracks_quality ON tracks (kind, speech, quality DESC);
CREATE INDEX tracks_duration ON tracks (kind, speech, duration);
CREATE INDEX tracks_bpm ON tracks (kind, speech, bpm);
CREATE INDEX tracks_kind ON tracks (kind, speech);
CREATE INDEX tracks_category ON tracks (category);
CREATE INDEX tracks_license ON tracks (kind, license);
CREATE INDEX tracks_creator ON tracks (creator);
CREATE INDEX tracks_source ON tracks (source);
INSERT INTO words (words) VALUES ('optimize');
COMMIT;
ANALYZE;
)";

std::string path_in(const std::string& folder) { return folder + "/fts5.sqlite"; }

class Inserts {
 public:
  explicit Inserts(sqlite3* database)
      : track_(
            database,
            "INSERT INTO tracks VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)"),
        tag_(database, "INSERT INTO tags VALUES (?1, ?2, ?3)"),
        document_(database, "INSERT INTO documents VALUES (?1, ?2)"),
        words_(
            database,
            "INSERT INTO words (rowid, title, artist, tags, description, category) VALUES (?1, ?2, ?3, ?4, ?5, ?6)") {}

  void add(const FedTrack& fed) {
    add_track(fed);
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      for (const auto& tag : fed.track.tags[facet]) {
        tag_.bind_integer(1, static_cast<std::int64_t>(facet));
        tag_.bind_text(2, tag);
        tag_.bind_integer(3, fed.number);
        tag_.run();
      }
    }
    document_.bind_integer(1, fed.number);
    document_.bind_text(2, fed.json);
    document_.run();
    words_.bind_integer(1, fed.number);
    words_.bind_text(2, fed.track.title);
    words_.bind_text(3, fed.track.artist);
    words_.bind_text(4, fed.tags);
    words_.bind_text(5, fed.track.description);
    words_.bind_text(6, fed.category_label);
    words_.run();
  }

 private:
  template <class Value>
  void bind_or_null(int parameter, const std::optional<Value>& value) {
    value ? track_.bind_integer(parameter, static_cast<std::int64_t>(*value)) : track_.bind_null(parameter);
  }

  void add_track(const FedTrack& fed) {
    const Track& track = fed.track;
    const License& terms = license(track.license);
    track_.bind_integer(1, fed.number);
    track_.bind_integer(2, static_cast<std::int64_t>(track.kind));
    track_.bind_integer(3, fed.speech ? 1 : 0);
    track_.bind_integer(4, static_cast<std::int64_t>(track.duration_ms));
    bind_or_null(5, track.bpm_hundredths == 0 ? std::nullopt : std::optional(track.bpm_hundredths));
    track_.bind_integer(6, static_cast<std::int64_t>(fed.length));
    bind_or_null(7, track.energy);
    bind_or_null(8, track.tone);
    track_.bind_integer(9, track.loop ? 1 : 0);
    track_.bind_integer(10, track.quality);
    bind_or_null(11, track.category);
    track_.bind_integer(12, static_cast<std::int64_t>(track.license));
    track_.bind_integer(13, terms.commercial ? 1 : 0);
    track_.bind_integer(14, terms.share_alike ? 1 : 0);
    track_.bind_integer(15, fed.attribution == Attribution::optional ? 0 : 1);
    track_.bind_text(16, fed.creator);
    track_.bind_text(17, track.source);
    track_.run();
  }

  sql::Statement track_;
  sql::Statement tag_;
  sql::Statement document_;
  sql::Statement words_;
};

/// The row id is the default shuffle.
std::string order_by(Sort order) {
  switch (order) {
    case Sort::relevance:
      return "words.rank";
    case Sort::quality:
      return "t.quality DESC, t.number";
    case Sort::shortest:
      return "t.duration, t.number";
    case Sort::longest:
      return "t.duration DESC, t.number";
    case Sort::slow:
      return "t.bpm NULLS LAST, t.number";
    case Sort::fast:
      return "t.bpm DESC, t.number";
    case Sort::newest:  // no query of the benchmark sorts by it
    case Sort::shuffle:
      break;
  }
  return "t.number";
}

/// Looks up the tags of the few tracks that have a word; without words, uses the lists of tracks.
std::string tag_condition(Conditions& conditions, Facet facet, const std::vector<std::string>& tags, bool has_words) {
  const std::string which = "facet = " + conditions.bind(std::to_string(static_cast<int>(facet))) + " AND tag IN (" +
                            conditions.bind_list(tags) + ")";
  return has_words ? "EXISTS (SELECT 1 FROM tags WHERE " + which + " AND tags.number = t.number)"
                   : "t.number IN (SELECT number FROM tags WHERE " + which + ")";
}

class Fts5 final : public Engine {
 public:
  explicit Fts5(const std::string& folder)
      : database_(sql::open_sqlite(path_in(folder), sql::OpenMode::read_only_immutable)) {
    sql::execute(database_.get(), "PRAGMA cache_size = -262144; PRAGMA mmap_size = 68719476736;");
    document_.emplace(database_.get(), "SELECT json FROM documents WHERE number = ?1");
  }

  std::string name() const override { return "plain FTS5"; }
  std::string version() const override { return std::string("SQLite ") + sqlite3_libversion(); }
  bool supports(const Query& query) const override { return query.search.has_value(); }

  std::string answer(const std::string& target) override {
    const SearchQuery search = parse_target(target);
    const bool has_words = !search.q.empty();
    Conditions conditions(search, [&](Conditions& to, Facet facet, const std::vector<std::string>& tags) {
      return tag_condition(to, facet, tags, has_words);
    });
    std::string from = " FROM tracks t WHERE " + conditions.text();
    if (has_words) {
      from = " FROM words JOIN tracks t ON t.number = words.rowid WHERE words MATCH " + conditions.bind(match(search)) +
             " AND " + conditions.text();
    }
    sql::Statement& count = prepared("SELECT count(*)" + from);
    bind(count, conditions.values());
    count.step();
    const auto total = static_cast<std::uint64_t>(count.integer(0));
    count.reset();
    return page_body(page(from + " ORDER BY " + order_by(order_of(search)), conditions, search), total, search);
  }

 private:
  static std::string match(const SearchQuery& search) {
    std::string match;
    for (const auto& word : words_of(search)) match += '"' + word + "\" ";
    return match;
  }

  // SQLite numbers `$1` by its first use, so each value is bound by name.
  static void bind(sql::Statement& statement, const std::vector<std::string>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      statement.bind_text(statement.find_parameter('$' + std::to_string(i + 1)), values[i]);
    }
  }

  std::vector<std::string> page(const std::string& from, const Conditions& conditions, const SearchQuery& search) {
    sql::Statement& select = prepared("SELECT t.number" + from + " LIMIT " + std::to_string(search.limit) + " OFFSET " +
                                      std::to_string(search.offset));
    bind(select, conditions.values());
    const sql::StatementUse use(select);
    std::vector<std::string> tracks;
    while (select.step()) {
      document_->bind_integer(1, select.integer(0));
      document_->step();
      tracks.emplace_back(document_->text(0));
      document_->reset();
    }
    return tracks;
  }

  sql::Statement& prepared(const std::string& text) {
    const auto found = statements_.find(text);
    return found != statements_.end() ? found->second
                                      : statements_.try_emplace(text, database_.get(), text).first->second;
  }

  sql::SqliteHandle database_;
  std::optional<sql::Statement> document_;
  std::unordered_map<std::string, sql::Statement> statements_;
};

}  // namespace

void build_fts5(const std::string& folder, const Feed& feed) {
  std::filesystem::remove(path_in(folder));
  const auto database = sql::open_sqlite(path_in(folder), sql::OpenMode::read_write_create);
  sql::execute(database.get(), kTables);
  {
    Inserts inserts(database.get());
    feed.each([&](const FedTrack& fed) { inserts.add(fed); });
  }
  sql::execute(database.get(), kIndexes);
}

std::unique_ptr<Engine> open_fts5(const std::string& folder) { return std::make_unique<Fts5>(folder); }

}  // namespace tonearm::bench
