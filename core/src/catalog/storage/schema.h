#pragma once
// The tables of a snapshot's database (docs/snapshot-format.md): what the writer creates and the reader insists on.

#include <array>
#include <string_view>

struct sqlite3;

namespace tonearm::catalog {

struct TableSchema {
  std::string_view name;
  std::string_view sql;  // as sqlite_schema keeps it
};

inline constexpr std::array<TableSchema, 4> kSchema{{
    {"manifest", "CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"},
    {"listing",
     "CREATE TABLE listing (list TEXT NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL,\n"
     "                      count INTEGER NOT NULL, PRIMARY KEY (list, place)) WITHOUT ROWID"},
    {"synonyms",
     "CREATE TABLE synonyms (set_number INTEGER NOT NULL, place INTEGER NOT NULL, phrase TEXT NOT NULL,\n"
     "                       PRIMARY KEY (set_number, place)) WITHOUT ROWID"},
    {"words",
     "CREATE VIRTUAL TABLE words USING fts5 (text, content='', detail=none, columnsize=0,\n"
     "                                       tokenize='porter unicode61 remove_diacritics 2')"},
}};

/// Throws Failure where the database has another table, or anything but tables: a schema is a program, and that of
/// a snapshot runs none but ours.
void check_schema(sqlite3* database);

}  // namespace tonearm::catalog
