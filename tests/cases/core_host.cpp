#include "core_host.h"

#include "own_schema.h"
#include "postgresql/postgresql_store.h"
#include "tonearm/sqlite.h"

namespace tonearm::cases {
namespace {

/// Makes an empty state, on PostgreSQL if a server was started for these tests.
std::unique_ptr<sql::Store> fresh_state() {
  if (!test::has_own_server())
    return sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
  native::PostgresqlOptions options;
  options.url = test::fresh_schema();
  options.time = native::PostgresqlOptions::Time::of_caller;
  return native::open_postgresql(options);
}

}  // namespace

CoreHost::CoreHost(const Setup& setup, std::shared_ptr<const Catalog> catalog)
    : random_(setup.seed), catalog_(std::move(catalog)), store_(fresh_state()) {
  clock_.set_ms(setup.start_ms);
  ServiceOptions options;
  options.key_secret = setup.key_secret;
  options.admin_token_hash = hashing_.sha256(setup.admin_token);
  service_ = Service::make({clock_, random_, hashing_, *store_, [this] { return catalog_; }}, options);
}

}  // namespace tonearm::cases
