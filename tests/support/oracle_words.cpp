#include "oracle_words.h"

#include <stdexcept>

namespace tonearm::test::oracle {
Words::Words() : database_(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create)) {
  sqlite3* const database = database_.get();
  sql::execute(database,
               "CREATE VIRTUAL TABLE stems USING fts5(t, content='', tokenize='porter unicode61 remove_diacritics 2')");
  sql::execute(database,
               "CREATE VIRTUAL TABLE wholes USING fts5(t, content='', tokenize='unicode61 remove_diacritics 2')");
  sql::execute(database, "CREATE VIRTUAL TABLE stems_read USING fts5vocab(stems, 'instance')");
  sql::execute(database, "CREATE VIRTUAL TABLE wholes_read USING fts5vocab(wholes, 'instance')");
}

std::vector<std::vector<std::string>> Words::read(const std::string& table, const Texts& texts) {
  sqlite3* const database = database_.get();
  sql::execute(database, "INSERT INTO " + table + '(' + table + ") VALUES ('delete-all')");
  sql::execute(database, "BEGIN");
  sql::Statement insert(database, "INSERT INTO " + table + "(rowid, t) VALUES (?1, ?2)");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    insert.bind_integer(1, static_cast<std::int64_t>(i));
    insert.bind_text(2, *texts[i]);
    insert.run();
  }
  sql::execute(database, "COMMIT");
  std::vector<std::vector<std::string>> words(texts.size());
  sql::Statement select(database, "SELECT doc, offset, term FROM " + table + "_read");
  while (select.step()) {
    auto& of_text = words.at(static_cast<std::size_t>(select.integer(0)));
    const auto offset = static_cast<std::size_t>(select.integer(1));
    if (of_text.size() <= offset) of_text.resize(offset + 1);
    of_text[offset] = select.blob(2);
  }
  return words;
}

void Words::learn(const std::vector<std::string>& texts) {
  Texts unknown;
  for (const std::string& text : texts) {
    const auto [at, is_new] = known_.try_emplace(text);
    if (is_new) unknown.push_back(&at->first);
  }
  const auto stems = read("stems", unknown);
  const auto wholes = read("wholes", unknown);
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    if (stems[i].size() != wholes[i].size()) throw std::logic_error("stemming changed the number of words");
    auto& tokens = known_[*unknown[i]];
    for (std::size_t k = 0; k < stems[i].size(); ++k) tokens.push_back({stems[i][k], wholes[i][k]});
  }
}

const std::vector<Token>& Words::of(const std::string& text) {
  const auto found = known_.find(text);
  if (found != known_.end()) return found->second;
  learn({text});
  return known_.at(text);
}

}  // namespace tonearm::test::oracle
