#include "catalog/snapshot_catalog.h"

#include <algorithm>

#include "catalog/codec.h"
#include "catalog/filter.h"
#include "catalog/listing.h"
#include "catalog/ranking.h"
#include "table/types.h"

namespace tonearm::catalog {

SnapshotCatalog::SnapshotCatalog(const ConnectSnapshot& connect, const Options& options) {
  sql::SqliteHandle database = connect();
  distrust_schema(database.get());
  load(database.get(), options);
  pool_ = std::make_unique<ConnectionPool>(connect, layout_.size);
  auto connection = std::make_unique<Connection>(std::move(database), layout_.size);
  load_synonyms(*connection);
  pool_->keep(std::move(connection));
}

void SnapshotCatalog::load(sqlite3* database, const Options& options) {
  const Manifest manifest = read_manifest(database);
  if (manifest_text(manifest, "profile") == "evaluation" && !options.allow_evaluation) {
    throw sql::Failure("the snapshot was built for evaluation: its licenses are not known");
  }
  version_ = manifest_text(manifest, "content_hash").substr(0, 16);
  layout_ = read_layout(manifest);
  columns_ = read_columns(database, layout_.size);
  values_ = read_values(database);
}

void SnapshotCatalog::load_synonyms(Connection& connection) {
  Statement select(connection.database(), "SELECT set_number, phrase FROM synonyms ORDER BY set_number, place");
  std::vector<std::string> phrases;
  std::int64_t set = 0;
  while (select.step()) {
    if (select.integer(0) != set && !phrases.empty()) {
      synonyms_.add_set(phrases, connection.tokenizer);
      phrases.clear();
    }
    set = select.integer(0);
    phrases.emplace_back(select.text(1));
  }
  if (!phrases.empty()) synonyms_.add_set(phrases, connection.tokenizer);
}

SnapshotCatalog::Matches SnapshotCatalog::match(const SearchQuery& query, Connection& connection) const {
  const auto groups = group_words(connection.tokenizer.words(query.q), synonyms_);
  Matches matches{!groups.empty(), candidates(query, layout_, connection.index), {}, 0};
  if (matches.has_words) {
    matches.hits = match_groups(groups, connection.index, layout_.speech_end);
    const auto fails = [&](const Hit& hit) {
      return !matches.set.has(hit.position) || !in_ranges(query.filters, columns_, hit.position);
    };
    matches.hits.erase(std::remove_if(matches.hits.begin(), matches.hits.end(), fails), matches.hits.end());
    matches.total = matches.hits.size();
    matches.set = DocSet(layout_.size);
    for (const Hit& hit : matches.hits) matches.set.add(hit.position);
    return matches;
  }
  if (!query.filters.bpm_hundredths.empty() || !query.filters.duration_ms.empty()) {
    const DocSet before = matches.set;
    before.each(0, [&](std::uint32_t position) {
      if (!in_ranges(query.filters, columns_, position)) matches.set.remove(position);
      return true;
    });
  }
  matches.total = matches.set.count();
  return matches;
}

std::uint64_t SnapshotCatalog::count(const SearchQuery& query) const {
  const auto connection = pool_->borrow();
  return match(query, *connection).total;
}

Page SnapshotCatalog::search(const SearchQuery& query) const {
  const auto connection = pool_->borrow();
  const Matches matches = match(query, *connection);
  const PageRange range{query.offset, query.limit};
  Page page{{}, matches.total};
  const Sort sort = query.sort.value_or(matches.has_words ? Sort::relevance : Sort::shuffle);
  if (sort == Sort::shuffle) {
    page.tracks = page_shuffled(matches.set, query.seed, range);
  } else if (sort == Sort::relevance && matches.has_words) {
    page.tracks = page_by_score(matches.hits, columns_, range);
  } else {
    // C4.5: `relevance` without words is the order of quality.
    const Sort stored = sort == Sort::relevance ? Sort::quality : sort;
    page.tracks = page_by_order(matches.set, matches.total, stored, columns_, range);
  }
  return page;
}

bool SnapshotCatalog::has_words(std::string_view text) const {
  const auto connection = pool_->borrow();
  return !connection->tokenizer.words(text).empty();
}

std::vector<Catalog::QueryWord> SnapshotCatalog::words(std::string_view text) const {
  const auto connection = pool_->borrow();
  const std::vector<Word> found = connection->tokenizer.words(text);
  const std::vector<GroupedWords> groups = split_groups(found, synonyms_);
  const bool tells = std::any_of(groups.begin(), groups.end(), [](const auto& it) { return !it.is_function_word; });
  const auto occurs = [&](const std::string& word) { return connection->index.tracks_with(word) > 0; };
  const auto can_match = [&](const Phrase& phrase) { return std::all_of(phrase.begin(), phrase.end(), occurs); };

  std::vector<QueryWord> words;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto& phrases = groups[i].group.phrases;
    const bool known = std::any_of(phrases.begin(), phrases.end(), can_match);
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const auto& it) { return it.group == groups[i].group; });
    for (std::size_t k = 0; k < groups[i].length; ++k) {
      const Word& word = found[words.size()];
      words.push_back({word.begin, word.end, static_cast<std::uint32_t>(same - groups.begin()), known,
                       !(tells && groups[i].is_function_word)});
    }
  }
  return words;
}

std::optional<std::uint32_t> SnapshotCatalog::find(std::string_view id) const {
  const auto connection = pool_->borrow();
  const Use use(connection->find);
  connection->find.bind_text(1, id);
  if (!connection->find.step()) return std::nullopt;
  const std::int64_t position = connection->find.integer(0);
  if (position < 0 || position >= layout_.size) damaged("an id names a track that there is not");
  return static_cast<std::uint32_t>(position);
}

Page SnapshotCatalog::similar(std::uint32_t position, const Filters& filters, std::uint32_t limit,
                              std::uint32_t offset) const {
  const auto connection = pool_->borrow();
  const Use use(connection->neighbors);
  connection->neighbors.bind_integer(1, position);
  if (!connection->neighbors.step()) damaged("a track is missing");
  Page page;
  for (const auto neighbor : decode_array<std::uint32_t>(connection->neighbors.blob(0))) {
    if (neighbor >= layout_.speech_end) damaged("a neighbor is no track that can be found");
    if (!passes(filters, columns_, neighbor)) continue;
    if (page.total >= offset && page.tracks.size() < limit) page.tracks.push_back(neighbor);
    ++page.total;
  }
  return page;
}

RenderedTrack SnapshotCatalog::render_one(Connection& connection, std::uint32_t position) const {
  const Use use(connection.render);
  connection.render.bind_integer(1, position);
  if (!connection.render.step()) damaged("a track is missing");
  RenderedTrack track{std::string(connection.render.blob(0)), decode_array<std::uint32_t>(connection.render.blob(1))};
  if (track.offsets.size() != 2 * table::track_paths().size()) damaged("a track has the wrong number of offsets");
  for (std::size_t i = 0; i < track.offsets.size(); i += 2) {
    if (track.offsets[i] > track.offsets[i + 1] || track.offsets[i + 1] > track.json.size()) {
      damaged("an offset lies outside of its track");
    }
  }
  return track;
}

std::vector<RenderedTrack> SnapshotCatalog::render(std::span<const std::uint32_t> positions) const {
  const auto connection = pool_->borrow();
  std::vector<RenderedTrack> tracks;
  tracks.reserve(positions.size());
  for (const auto position : positions) tracks.push_back(render_one(*connection, position));
  return tracks;
}

std::vector<CreatorCount> SnapshotCatalog::creators(std::string_view contains, std::size_t limit) const {
  const auto connection = pool_->borrow();
  return read_creators(connection->database(), contains, limit);
}

}  // namespace tonearm::catalog

namespace tonearm {

// The catalog keeps the function, so callers may hand theirs over.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
Result<std::shared_ptr<const Catalog>> Catalog::open(ConnectSnapshot connect, const Options& options) {
  try {
    std::shared_ptr<const Catalog> opened = std::make_shared<const catalog::SnapshotCatalog>(connect, options);
    return opened;
  } catch (const sql::Failure& failure) {
    return Error{ErrorCode::unavailable, failure.what()};
  }
}

}  // namespace tonearm
