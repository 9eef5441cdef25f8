#include "own_schema.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <stdexcept>

#include "postgresql/postgresql_connection.h"

namespace tonearm::test {
namespace {

constexpr std::chrono::milliseconds kTimeout{10'000};

std::string server_url() {
  const char* url = std::getenv(kServerVariable);  // NOLINT(concurrency-mt-unsafe): no code sets it
  if (url == nullptr) throw std::runtime_error("no server was started: run this by tonearm-with-postgresql");
  return url;
}

}  // namespace

// NOLINTNEXTLINE(concurrency-mt-unsafe): no code sets it
bool has_own_server() { return std::getenv(kServerVariable) != nullptr; }

std::string schema_named(const std::string& name) {
  native::PostgresqlConnection(server_url(), kTimeout).execute_one("CREATE SCHEMA IF NOT EXISTS " + name);
  return server_url() + "&options=-csearch_path%3D" + name;
}

std::string fresh_schema() {
  static std::atomic<int> made = 0;
  const std::string name = "incoming_" + std::to_string(getpid()) + "_" + std::to_string(++made);
  // An earlier run may have had this process id on the same server.
  native::PostgresqlConnection(server_url(), kTimeout).execute_one("DROP SCHEMA IF EXISTS " + name + " CASCADE");
  return schema_named(name);
}

std::int64_t number(sql::Store& store, const std::string& statement) {
  return std::get<std::int64_t>(query(store, statement).at(0).at(0));
}

}  // namespace tonearm::test
