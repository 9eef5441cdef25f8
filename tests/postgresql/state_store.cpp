#include "state_store.h"

#include "own_schema.h"
#include "postgresql/postgresql_store.h"

namespace tonearm::test {

std::unique_ptr<sql::Store> open_state_store(const std::string& name) {
  native::PostgresqlOptions options;
  options.time = native::PostgresqlOptions::Time::of_caller;
  if (name == ":memory:") {
    options.url = fresh_schema();
  } else {
    std::string schema = "of";
    for (const char character : name)
      schema += std::isalnum(static_cast<unsigned char>(character)) != 0 ? character : '_';
    options.url = schema_named(schema);
  }
  return native::open_postgresql(options);
}

}  // namespace tonearm::test
