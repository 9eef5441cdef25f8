#include "catalog/writer/matching_texts.h"

#include <utility>

#include "catalog/query/search_context.h"
#include "catalog/storage/statement.h"
#include "tonearm/snapshot_writer.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm::catalog {

MatchingText matching_text(const Track& track) {
  MatchingText text{track.matching_title, {}};
  for (const std::string& word : track.matching_words) text.words.append(text.words.empty() ? "" : "\n").append(word);
  return text;
}

std::vector<std::string> titles_of(std::string title, const MatchingText& matching) {
  std::vector<std::string> titles{std::move(title)};
  if (!matching.title.empty()) titles.push_back(matching.title);
  return titles;
}

void write_matching_text(sqlite3* database, std::uint32_t position, const MatchingText& text) {
  if (text.title.empty() && text.words.empty()) return;
  Statement insert(database, "INSERT INTO matching_texts (position, title, words) VALUES (?1, ?2, ?3)");
  insert.bind_integer(1, position);
  insert.bind_text(2, text.title);
  insert.bind_text(3, text.words);
  insert.run();
}

std::map<std::uint32_t, MatchingText> read_matching_texts(sqlite3* database, std::uint32_t searchable_count) {
  std::map<std::uint32_t, MatchingText> texts;
  Statement select(database, "SELECT position, title, words FROM matching_texts ORDER BY position");
  BoundedRows rows(database);
  while (rows.step(select)) {
    const auto position = select.integer(0);
    if (position < 0 || position >= std::int64_t{searchable_count}) {
      throw_damaged("a text that only searches read belongs to no searchable track");
    }
    MatchingText text{std::string(select.text(1)), std::string(select.text(2))};
    if (text.title.empty() && text.words.empty()) throw_damaged("a text that only searches read is empty");
    texts.emplace(static_cast<std::uint32_t>(position), std::move(text));
  }
  return texts;
}

}  // namespace tonearm::catalog

namespace tonearm {

std::map<std::uint32_t, std::string> matching_titles(const SqliteSnapshot& snapshot, const Catalog& catalog) {
  const sql::SqliteHandle database = catalog::connect_untrusted(snapshot);
  std::map<std::uint32_t, std::string> titles;
  for (auto& [position, text] : catalog::read_matching_texts(database.get(), catalog.track_count())) {
    if (!text.title.empty()) titles.emplace(position, std::move(text.title));
  }
  return titles;
}

}  // namespace tonearm
