// Runs a prepared statement. The text of a row is valid until the next `step` or `reset`.
#include <tonearm/sqlite.h>

int main() {
  namespace sql = tonearm::sql;
  const sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  sql::execute(database.get(), "CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('rain'), ('wind')");
  sql::Statement statement(database.get(), "SELECT text FROM note WHERE text = ?1");
  statement.bind_text(1, "wind");
  if (!statement.step()) return 1;
  const std::string kept(statement.text(0));
  return kept == "wind" && !statement.step() ? 0 : 1;
}
