#include "postgresql_peer.h"

#include <libpq-fe.h>

#include <filesystem>
#include <stdexcept>

#include "conditions.h"
#include "postgresql_server.h"

namespace tonearm::bench {
namespace {

constexpr const char* kTables = R"(
CREATE UNLOGGED TABLE raw (number int, kind smallint, speech smallint, duration int, bpm int, length smallint,
                           energy smallint, tone smallint, loop smallint, quality smallint, category smallint,
                           license smallint, commercial smallint, share_alike smallint, credit smallint,
                           creator text, source text, tags text[], title text, artist text, tag_words text,
                           description text, category_label text, json text)
)";

constexpr const char* kIndexes = R"(
CREATE TABLE tracks AS
  SELECT number, kind, speech, duration, bpm, length, energy, tone, loop, quality, category, license, commercial,
         share_alike, credit, creator, source, tags,
         setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', artist), 'B') ||
         setweight(to_tsvector('simple', tag_words), 'B') || setweight(to_tsvector('simple', category_label), 'C') ||
         setweight(to_tsvector('simple', description), 'D') AS words
  FROM raw ORDER BY number;
CREATE TABLE documents AS SELECT number, json FROM raw ORDER BY number;
DROP TABLE raw;
ALTER TABLE tracks ADD PRIMARY KEY (number);
ALTER TABLE documents ADD PRIMARY KEY (number);
CREATE INDEX ON tracks USING gin (words) WITH (fastupdate = off);
CREATE INDEX ON tracks USING gin (tags) WITH (fastupdate = off);
CREATE INDEX ON tracks (kind, speech, number);
CREATE INDEX ON tracks (kind, speech, quality DESC, number);
CREATE INDEX ON tracks (kind, speech, duration, number);
CREATE INDEX ON tracks (kind, speech, bpm, number);
CREATE INDEX ON tracks (category);
CREATE INDEX ON tracks (kind, license);
CREATE INDEX ON tracks (creator);
CREATE INDEX ON tracks (source);
)";

/// Settings for one connection on a machine of its own: no parallel workers, because every engine has one thread; no
/// crash safety.
std::vector<std::string> server_settings() {
  return {"shared_buffers=2GB",
          "effective_cache_size=8GB",
          "work_mem=256MB",
          "maintenance_work_mem=1GB",
          "random_page_cost=1.1",
          "max_parallel_workers_per_gather=0",
          "max_parallel_maintenance_workers=0",
          "jit=off",
          "autovacuum=off",
          "fsync=off",
          "full_page_writes=off",
          "synchronous_commit=off",
          "max_wal_size=8GB",
          "max_connections=5"};
}

struct CloseConnection {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using Answer = std::unique_ptr<PGresult, ClearResult>;

class Connection {
 public:
  explicit Connection(const std::string& address) : connection_(PQconnectdb(address.c_str())) {
    if (PQstatus(connection_.get()) != CONNECTION_OK) fail();
  }

  int server_version() const { return PQserverVersion(connection_.get()); }

  void run(const std::string& script) {
    const Answer answer(PQexec(connection_.get(), script.c_str()));
    if (PQresultStatus(answer.get()) != PGRES_COMMAND_OK) fail();
  }

  Answer ask(const std::string& text, const std::vector<std::string>& values) {
    std::vector<const char*> parameters;
    parameters.reserve(values.size());
    for (const auto& value : values) parameters.push_back(value.c_str());
    Answer answer(PQexecParams(connection_.get(), text.c_str(), static_cast<int>(parameters.size()), nullptr,
                               parameters.data(), nullptr, nullptr, 0));
    if (PQresultStatus(answer.get()) != PGRES_TUPLES_OK) fail();
    return answer;
  }

  void begin_copy(const std::string& statement) {
    const Answer answer(PQexec(connection_.get(), statement.c_str()));
    if (PQresultStatus(answer.get()) != PGRES_COPY_IN) fail();
  }
  void copy(const std::string& row) {
    if (PQputCopyData(connection_.get(), row.data(), static_cast<int>(row.size())) != 1) fail();
  }
  void end_copy() {
    if (PQputCopyEnd(connection_.get(), nullptr) != 1) fail();
    const Answer answer(PQgetResult(connection_.get()));
    if (PQresultStatus(answer.get()) != PGRES_COMMAND_OK) fail();
    while (Answer(PQgetResult(connection_.get()))) {
    }
  }

 private:
  [[noreturn]] void fail() const {
    throw std::runtime_error(std::string("PostgreSQL: ") + PQerrorMessage(connection_.get()));
  }

  std::unique_ptr<PGconn, CloseConnection> connection_;
};

/// A row in the format of COPY.
class CopyRow {
 public:
  void add(std::string_view text) {
    begin();
    for (const char c : text) {
      if (c == '\\') row_ += '\\';
      row_ += c == '\t' || c == '\n' ? ' ' : c;
    }
  }
  template <class Value>
  void add_number(Value value) {
    begin();
    row_ += std::to_string(static_cast<std::int64_t>(value));
  }
  template <class Value>
  void add_or_null(const std::optional<Value>& value) {
    if (value) return add_number(*value);
    begin();
    row_ += "\\N";
  }
  const std::string& finish() { return row_ += '\n'; }

 private:
  void begin() {
    if (!row_.empty()) row_ += '\t';
  }

  std::string row_;
};

/// "{0:bano,1:kilo}": all facets in one array with one index.
std::string array_of(std::size_t facet, const std::vector<std::string>& tags) {
  std::string array;
  for (const auto& tag : tags) {
    if (!array.empty()) array += ',';
    array.append(std::to_string(facet)).append(":").append(tag);
  }
  return array;
}

std::string tags_of(const Track& track) {
  std::string all = "{";
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    const std::string array = array_of(facet, track.tags[facet]);
    if (all.size() > 1 && !array.empty()) all += ',';
    all += array;
  }
  return all + '}';
}

std::string row_of(const FedTrack& fed) {
  const Track& track = fed.track;
  const License& terms = license(track.license);
  CopyRow row;
  row.add_number(fed.number);
  row.add_number(track.kind);
  row.add_number(fed.speech);
  row.add_number(track.duration_ms);
  row.add_or_null(track.bpm_hundredths == 0 ? std::nullopt : std::optional(track.bpm_hundredths));
  row.add_number(fed.length);
  row.add_or_null(track.energy);
  row.add_or_null(track.tone);
  row.add_number(track.loop);
  row.add_number(track.quality);
  row.add_or_null(track.category);
  row.add_number(track.license);
  row.add_number(terms.commercial);
  row.add_number(terms.share_alike);
  row.add_number(fed.attribution != Attribution::optional);
  row.add(fed.creator);
  row.add(track.source);
  row.add(tags_of(track));
  row.add(track.title);
  row.add(track.artist);
  row.add(fed.tags);
  row.add(track.description);
  row.add(fed.category_label);
  row.add(fed.json);
  return row.finish();
}

std::string order_by(Sort order, const std::string& words) {
  switch (order) {
    case Sort::relevance:
      return "ts_rank(t.words, to_tsquery('simple', " + words + ")) DESC, t.number";
    case Sort::quality:
      return "t.quality DESC, t.number";
    case Sort::shortest:
      return "t.duration, t.number";
    case Sort::longest:
      return "t.duration DESC, t.number";
    case Sort::slow:
      return "t.bpm NULLS LAST, t.number";
    case Sort::fast:
      return "t.bpm DESC NULLS LAST, t.number";
    case Sort::newest:  // no query of the benchmark sorts by it
    case Sort::shuffle:
      break;
  }
  return "t.number";
}

class Postgresql final : public Engine {
 public:
  explicit Postgresql(const std::string& folder) : server_(folder, server_settings()), connection_(server_.address()) {}

  std::string name() const override { return "PostgreSQL"; }
  std::string version() const override {
    constexpr int kMajor = 10'000;
    const int version = connection_.server_version();
    return "PostgreSQL " + std::to_string(version / kMajor) + '.' + std::to_string(version % kMajor);
  }
  bool supports(const Query& query) const override { return query.search.has_value(); }

  std::string answer(const std::string& target) override {
    const SearchQuery search = parse_target(target);
    Conditions conditions(search, [](Conditions& to, Facet facet, const std::vector<std::string>& tags) {
      return "t.tags && " + to.bind('{' + array_of(static_cast<std::size_t>(facet), tags) + '}') + "::text[]";
    });
    std::string from = " FROM tracks t WHERE " + conditions.text();
    std::string words;
    if (!search.q.empty()) {
      words = conditions.bind(match(search));
      from += " AND t.words @@ to_tsquery('simple', " + words + ")";
    }
    const Answer count = connection_.ask("SELECT count(*)" + from, conditions.values());
    const auto total = std::stoull(PQgetvalue(count.get(), 0, 0));
    const Answer page = connection_.ask(
        "SELECT d.json FROM (SELECT t.number, row_number() OVER () AS place FROM (SELECT t.number" + from +
            " ORDER BY " + order_by(order_of(search), words) + " LIMIT " + std::to_string(search.limit) + " OFFSET " +
            std::to_string(search.offset) + ") t) p JOIN documents d ON d.number = p.number ORDER BY p.place",
        conditions.values());
    std::vector<std::string> tracks;
    tracks.reserve(search.limit);
    for (int row = 0; row < PQntuples(page.get()); ++row) {
      tracks.emplace_back(PQgetvalue(page.get(), row, 0), static_cast<std::size_t>(PQgetlength(page.get(), row, 0)));
    }
    return page_body(tracks, total, search);
  }

 private:
  static std::string match(const SearchQuery& search) {
    std::string match;
    for (const auto& word : words_of(search)) match += (match.empty() ? "" : " & ") + word;
    return match;
  }

  test::PostgresqlServer server_;
  Connection connection_;
};

}  // namespace

void build_postgresql(const std::string& folder, const Feed& feed) {
  std::filesystem::remove_all(folder + "/postgresql");
  const test::PostgresqlServer server(folder, server_settings());
  Connection connection(server.address());
  connection.run(kTables);
  connection.begin_copy("COPY raw FROM STDIN");
  feed.each([&](const FedTrack& fed) { connection.copy(row_of(fed)); });
  connection.end_copy();
  connection.run(kIndexes);
  connection.run("VACUUM ANALYZE");
}

std::unique_ptr<Engine> open_postgresql(const std::string& folder) { return std::make_unique<Postgresql>(folder); }

}  // namespace tonearm::bench
