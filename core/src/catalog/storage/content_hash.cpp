#include "catalog/storage/content_hash.h"

#include <sqlite3.h>

#include <array>
#include <string>
#include <string_view>

#include "catalog/storage/statement.h"

namespace tonearm::catalog {
namespace {

struct Table {
  std::string_view name;
  std::string_view select;
};

constexpr std::array<Table, 5> kTables{{
    {"manifest", "SELECT key, value FROM manifest ORDER BY key"},
    {"listing", "SELECT list, place, id, label, count FROM listing ORDER BY list, place"},
    {"synonyms", "SELECT set_number, place, phrase FROM synonyms ORDER BY set_number, place"},
    {"relations", "SELECT place, phrase, target, relation, weight FROM relations ORDER BY place"},
    {"matching_texts", "SELECT position, title, words FROM matching_texts ORDER BY position"},
}};

void add_number(std::string& stream, std::uint64_t number) {
  for (unsigned i = 0; i < 8; ++i) stream.push_back(static_cast<char>(number >> (8 * i) & 0xffU));
}

void add_text(std::string& stream, std::string_view text) {
  add_number(stream, text.size());
  stream += text;
}

void add_table(sqlite3* database, BoundedRows& rows, const Table& table, std::string& stream) {
  add_text(stream, table.name);
  Statement select(database, table.select);
  const int columns = sqlite3_column_count(select.handle());
  while (rows.step(select)) {
    stream += 'r';
    for (int i = 0; i < columns; ++i) {
      const int type = sqlite3_column_type(select.handle(), i);
      if (type == SQLITE_INTEGER) {
        stream += 'i';
        add_number(stream, static_cast<std::uint64_t>(select.integer(i)));
      } else if (type == SQLITE_TEXT) {
        stream += 't';
        add_text(stream, select.text(i));
      } else {
        throw_damaged("a value has an unexpected type");
      }
    }
  }
  stream += 'e';
}

}  // namespace

Sha256 hash_tables(sqlite3* database, Hashing& hashing) {
  std::string stream;
  BoundedRows rows(database);
  for (const Table& table : kTables) add_table(database, rows, table, stream);
  return hashing.sha256(stream);
}

}  // namespace tonearm::catalog
