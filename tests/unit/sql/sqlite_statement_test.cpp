#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "tonearm/sqlite.h"

using namespace tonearm::sql;

namespace {

struct Database {
  Database() { execute(handle.get(), "CREATE TABLE things (number INTEGER, name TEXT, bytes BLOB)"); }

  Statement prepare(const std::string& text) const { return {handle.get(), text}; }

  SqliteHandle handle = open_sqlite(":memory:", OpenMode::read_write_create);
};

}  // namespace

TEST_CASE("a statement returns the bound values, and can be executed again with others") {
  const Database database;
  Statement insert = database.prepare("INSERT INTO things VALUES (?1, ?2, ?3)");
  CHECK(insert.parameter_count() == 3);
  const std::string bytes("a\0b", 3);
  for (std::int64_t number = 0; number < 2; ++number) {
    insert.bind_integer(1, number);
    insert.bind_text(2, "");  // empty, not null
    if (number == 0) insert.bind_blob(3, bytes);
    insert.run();
  }
  Statement select = database.prepare("SELECT number, name, bytes FROM things ORDER BY number");
  CHECK(select.column_count() == 3);
  CHECK(select.column_name(1) == "name");
  REQUIRE(select.step());
  CHECK(select.integer(0) == 0);
  CHECK_FALSE(select.is_null(1));
  CHECK(select.text(1).empty());
  CHECK(select.blob(2) == bytes);
  REQUIRE(select.step());
  CHECK(select.integer(0) == 1);
  CHECK(select.text(0) == "1");
  CHECK(select.is_null(2));  // the earlier values are cleared
  CHECK(select.blob(2).empty());
  CHECK_FALSE(select.step());
}

TEST_CASE("a named parameter is found by its name") {
  const Database database;
  Statement select = database.prepare("SELECT $b, $a");
  select.bind_text(select.find_parameter("$a"), "first");
  select.bind_null(select.find_parameter("$b"));
  CHECK(select.find_parameter("$c") == 0);
  const StatementUse use(select);
  REQUIRE(select.step());
  CHECK(select.is_null(0));
  CHECK(select.text(1) == "first");
}

TEST_CASE(
    "the error of a statement that SQLite rejects names it; text that is not one statement is a programming error") {
  const Database database;
  CHECK_THROWS_WITH_AS(database.prepare("SELECT 1 FROM nowhere"),
                       "SQLite: SELECT 1 FROM nowhere: no such table: nowhere", Failure);
  Statement insert = database.prepare("INSERT INTO things (number) VALUES (?1)");
  CHECK_THROWS_AS(insert.bind_integer(2, 1), Failure);
  for (const std::string text : {"", "SELECT 1; SELECT 2"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(database.prepare(text), std::logic_error);
  }
  CHECK_NOTHROW(database.prepare("SELECT 1;\n"));
}
