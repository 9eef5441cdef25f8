#include "core_host.h"

namespace tonearm::cases {

CoreHost::CoreHost(const Setup& setup, std::shared_ptr<const Catalog> catalog)
    : random_(setup.seed),
      catalog_(std::move(catalog)),
      store_(sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create))) {
  clock_.set_ms(setup.start_ms);
  ServiceOptions options;
  options.key_secret = setup.key_secret;
  options.admin_token_hash = hashing_.sha256(setup.admin_token);
  service_ = Service::make({clock_, random_, hashing_, *store_, [this] { return catalog_; }}, options);
}

}  // namespace tonearm::cases
