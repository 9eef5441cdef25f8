#include "oracle_words.h"

#include <sqlite3.h>

#include <stdexcept>

namespace tonearm::test::oracle {
namespace {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

Statement prepare(sqlite3* database, const std::string& text) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database, text.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
    throw std::runtime_error(sqlite3_errmsg(database));
  }
  return Statement(statement);
}

void run(sqlite3* database, const std::string& text) {
  const Statement statement = prepare(database, text);
  if (sqlite3_step(statement.get()) == SQLITE_ERROR) throw std::runtime_error(sqlite3_errmsg(database));
}

}  // namespace

Words::Words() : database_(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create)) {
  sqlite3* const database = database_.get();
  run(database,
      "CREATE VIRTUAL TABLE stems USING fts5(t, content='', tokenize='porter unicode61 remove_diacritics 2')");
  run(database, "CREATE VIRTUAL TABLE wholes USING fts5(t, content='', tokenize='unicode61 remove_diacritics 2')");
  run(database, "CREATE VIRTUAL TABLE stems_read USING fts5vocab(stems, 'instance')");
  run(database, "CREATE VIRTUAL TABLE wholes_read USING fts5vocab(wholes, 'instance')");
}

std::vector<std::vector<std::string>> Words::read(const std::string& table, const Texts& texts) {
  sqlite3* const database = database_.get();
  run(database, "INSERT INTO " + table + '(' + table + ") VALUES ('delete-all')");
  run(database, "BEGIN");
  const Statement insert = prepare(database, "INSERT INTO " + table + "(rowid, t) VALUES (?1, ?2)");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    sqlite3_bind_int64(insert.get(), 1, static_cast<sqlite3_int64>(i));
    sqlite3_bind_text(insert.get(), 2, texts[i]->data(), static_cast<int>(texts[i]->size()), nullptr);
    if (sqlite3_step(insert.get()) != SQLITE_DONE) throw std::runtime_error(sqlite3_errmsg(database));
    sqlite3_reset(insert.get());
  }
  run(database, "COMMIT");
  std::vector<std::vector<std::string>> words(texts.size());
  const Statement select = prepare(database, "SELECT doc, offset, term FROM " + table + "_read");
  while (sqlite3_step(select.get()) == SQLITE_ROW) {
    auto& of_text = words.at(static_cast<std::size_t>(sqlite3_column_int64(select.get(), 0)));
    const auto offset = static_cast<std::size_t>(sqlite3_column_int64(select.get(), 1));
    if (of_text.size() <= offset) of_text.resize(offset + 1);
    const void* const bytes = sqlite3_column_blob(select.get(), 2);
    of_text[offset].assign(static_cast<const char*>(bytes),
                           static_cast<std::size_t>(sqlite3_column_bytes(select.get(), 2)));
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
