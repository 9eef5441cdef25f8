// The files of an embedded state after retention (RECORD-4, RECORD-6).

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <fstream>
#include <iterator>

#include "account_fixture.h"
#include "state/call_partitions.h"
#include "tonearm/sqlite.h"

using namespace tonearm;
using namespace tonearm::state;
using test::AccountFixture;

namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("dropped partitions leave no table") {
  AccountFixture fixture;
  fixture.accounts->record(fixture.call_of(fixture.new_account()));
  fixture.accounts->flush();
  const std::string tables = "SELECT COUNT(*) FROM sqlite_schema WHERE name LIKE '%\\_20______' ESCAPE '\\'";
  CHECK(fixture.number(tables) >= 2);
  fixture.clock.advance_ms(402 * kDayMs);
  fixture.retain_all();
  CHECK(fixture.partitions() == 0);
  CHECK(fixture.number(tables) == 0);
}

TEST_CASE("removed rows leave no bytes in the database and its log" * doctest::test_suite("long")) {
  const test::StateFile file;
  constexpr std::string_view kSecret = "the song that nobody may know of";
  constexpr std::string_view kRoute = "/v1/of-the-removed-account";
  const auto holds = [&](std::string_view bytes) {
    return bytes_of(file.name()).find(bytes) != std::string::npos ||
           bytes_of(file.name() + "-wal").find(bytes) != std::string::npos;
  };
  const auto checkpoint = [&](AccountFixture& fixture) {
    const auto database = sql::open_sqlite(file.name(), sql::OpenMode::read_write_create);
    const auto mode = SQLITE_CHECKPOINT_PASSIVE;
    REQUIRE(sqlite3_wal_checkpoint_v2(database.get(), nullptr, mode, nullptr, nullptr) == SQLITE_OK);
    fixture.new_account();  // restarts and truncates the log
  };
  AccountFixture fixture(file.name());
  const std::string account = fixture.new_account();
  const std::string removed = fixture.new_account();
  for (int index = 0; index < 4'800; ++index) {
    CallRecord call = fixture.call_of(account);
    call.search_text = std::string(kSecret) + std::to_string(index);
    fixture.accounts->record(call);
    if (index % 4 != 0) continue;
    call = fixture.call_of(removed);
    call.route = kRoute;
    fixture.accounts->record(call);
  }
  fixture.accounts->flush();
  CHECK(holds(kSecret));
  CHECK(holds(kRoute));
  CHECK(fixture.accounts->delete_account(removed).has_value());
  fixture.retain_all();
  checkpoint(fixture);
  CHECK(holds(kSecret));
  CHECK_FALSE(holds(kRoute));
  fixture.clock.advance_ms(91 * kDayMs);
  fixture.retain_all();
  checkpoint(fixture);
  CHECK(fixture.records() == 4'800);
  CHECK_FALSE(holds(kSecret));
}
