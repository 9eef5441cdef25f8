#pragma once
// The tables of a snapshot's database (docs/snapshot-format.md): the writer creates them, and the reader requires them.

#include <array>
#include <string_view>

struct sqlite3;

namespace tonearm::catalog {

struct TableSchema {
  std::string_view name;
  std::string_view sql;  // as stored in sqlite_schema
};

inline constexpr std::array<TableSchema, 6> kSchema{{
    {"manifest", "CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"},
    {"listing",
     "CREATE TABLE listing (list TEXT NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL,\n"
     "                      count INTEGER NOT NULL, PRIMARY KEY (list, place)) WITHOUT ROWID"},
    {"synonyms",
     "CREATE TABLE synonyms (set_number INTEGER NOT NULL, place INTEGER NOT NULL, phrase TEXT NOT NULL,\n"
     "                       PRIMARY KEY (set_number, place)) WITHOUT ROWID"},
    {"relations",
     "CREATE TABLE relations (place INTEGER PRIMARY KEY, phrase TEXT NOT NULL, target TEXT NOT NULL,\n"
     "                        relation INTEGER NOT NULL, weight INTEGER NOT NULL)"},
    {"matching_texts",
     "CREATE TABLE matching_texts (position INTEGER PRIMARY KEY, title TEXT NOT NULL, words TEXT NOT NULL)"},
    {"words",
     "CREATE VIRTUAL TABLE words USING fts5 (text, content='', detail=none, columnsize=0,\n"
     "                                       tokenize='porter unicode61 remove_diacritics 2')"},
}};

/// Throws CatalogDamaged if the schema contains anything but the expected tables. A schema can run code (views,
/// triggers), so the schema of a snapshot must contain none but ours.
void check_schema(sqlite3* database);

}  // namespace tonearm::catalog
