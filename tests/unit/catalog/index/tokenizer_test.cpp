#include "catalog/index/tokenizer.h"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include "tonearm/sqlite.h"

using namespace tonearm;
using namespace tonearm::catalog;

namespace {

/// Replaces the tokenizer unicode61 of a connection, which porter uses too. Only some instances can be created.
struct ScarceTokenizer {
  int left = 0;   // can still be created
  int alive = 0;  // created and not deleted

  void install(sqlite3* database) {
    fts5_api* api = nullptr;
    sql::Statement select(database, "SELECT fts5(?1)");
    sqlite3_bind_pointer(select.handle(), 1, &api, "fts5_api_ptr", nullptr);
    select.step();
    REQUIRE(api != nullptr);
    fts5_tokenizer_v2 methods{2, create, destroy, nullptr};
    REQUIRE(api->xCreateTokenizer_v2(api, "unicode61", this, &methods, nullptr) == SQLITE_OK);
  }

 private:
  static int create(void* self, const char** /*arguments*/, int /*count*/, Fts5Tokenizer** created) {
    auto& scarce = *static_cast<ScarceTokenizer*>(self);
    if (scarce.left == 0) return SQLITE_NOMEM;
    --scarce.left;
    ++scarce.alive;
    *created = static_cast<Fts5Tokenizer*>(self);
    return SQLITE_OK;
  }
  static void destroy(Fts5Tokenizer* self) { --static_cast<ScarceTokenizer*>(static_cast<void*>(self))->alive; }
};

}  // namespace

TEST_CASE("a tokenizer that cannot be created leaves nothing behind") {
  for (const int left : {0, 1}) {
    CAPTURE(left);
    const auto database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
    ScarceTokenizer scarce{left};
    scarce.install(database.get());
    CHECK_THROWS_AS(Tokenizer(database.get()), Failure);
    CHECK(scarce.alive == 0);
  }
}

TEST_CASE("a tokenizer deletes its two instances") {
  const auto database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  ScarceTokenizer scarce{2};
  scarce.install(database.get());
  {
    const Tokenizer tokenizer(database.get());
    CHECK(scarce.alive == 2);
  }
  CHECK(scarce.alive == 0);
}
