#include "state_store.h"
#include "tonearm/sqlite.h"

namespace tonearm::test {

std::unique_ptr<sql::Store> open_state_store(const std::string& name) {
  return sql::make_sqlite_store(sql::open_sqlite(name, sql::OpenMode::read_write_create));
}

}  // namespace tonearm::test
