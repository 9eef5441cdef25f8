// Runs a transaction. The caller owns the rows.
#include <tonearm/sql.h>
#include <tonearm/sqlite.h>

int main() {
  namespace sql = tonearm::sql;
  const auto store = sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
  sql::Rows rows;
  store->change_schema(sql::DiskSpace::ordinary, [](sql::SchemaChange& change) {
    change.execute_ddl("CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, text TEXT)");
  });
  store->transact([&](sql::Transaction& transaction) {
    transaction.execute("INSERT INTO note (text) VALUES (?1)", {"rain"});
    rows = transaction.execute("SELECT text FROM note");
  });
  return rows.size() == 1 && std::get<std::string>(rows[0][0]) == "rain" ? 0 : 1;
}
