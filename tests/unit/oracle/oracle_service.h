#pragma once
// The whole service over any catalog, in memory or fetched by blocks, for tests that compare its answers.

#include <doctest/doctest.h>

#include <boost/json.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catalog/snapshot_catalog.h"
#include "fakes.h"
#include "memory_catalog.h"
#include "system/system_ports.h"
#include "tonearm/service.h"
#include "tonearm/sqlite.h"

namespace tonearm::test {

/// Returns the result of `run` once all blocks that it needs are resident. `paged`: the file, or null.
template <class Run>
auto until_there(const PagedSnapshot* paged, const Run& run) {
  while (true) {
    try {
      return run();
    } catch (const BlocksMissing&) {
      REQUIRE(paged != nullptr);
      paged->file().end_request();
    }
  }
}

/// The whole service over any catalog, with one account without limits.
class TestService {
 public:
  TestService() : store_(sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create))) {
    ServiceOptions options;
    options.admin_token_hash = hashing_.sha256("operator");
    service_ = Service::make({clock_, random_, hashing_, *store_, [this] { return catalog_; }}, options);
    const auto account = admin("/admin/accounts", R"({"plan":"unlimited"})").at("account").as_string();
    key_ = admin("/admin/accounts/" + std::string(account) + "/keys", "").at("key").as_string();
  }

  /// `paged`: the catalog's file if it is fetched by blocks.
  void put(std::shared_ptr<const Catalog> catalog, std::shared_ptr<const PagedSnapshot> paged) {
    service_->flush();
    catalog_ = std::move(catalog);
    paged_ = std::move(paged);
  }

  void take_down(const std::string& id) {
    admin("/admin/takedowns", R"({"track_id":")" + id + R"(","reason":"a claim"})");
  }

  boost::json::object get(const std::string& target) {
    const Response response = until_there(paged_.get(), [&] {
      return service_->handle({{"GET", target, {{"Authorization", "Bearer " + key_}}}, ""});
    });
    if (paged_) paged_->end_request();
    if (response.status != 200) FAIL(target << " gave " << response.status << ": " << response.body);
    return boost::json::parse(response.body).as_object();
  }

 private:
  boost::json::object admin(const std::string& target, const std::string& body) {
    Headers headers{{"Authorization", "Bearer operator"}};
    if (!body.empty()) headers.push_back({"Content-Type", "application/json"});
    const Response response = until_there(paged_.get(), [&] {
      return service_->handle_admin({{"POST", target, headers}, body});
    });
    REQUIRE_MESSAGE(response.status == 201, response.body);
    return boost::json::parse(response.body).as_object();
  }

  FakeClock clock_;
  SeededRandom random_{7};
  native::OpensslHashing hashing_;
  std::unique_ptr<sql::Store> store_;
  std::shared_ptr<const PagedSnapshot> paged_;
  std::shared_ptr<const Catalog> catalog_;
  std::unique_ptr<Service> service_;
  std::string key_;
};

inline std::vector<std::string> ids_of(const boost::json::object& page) {
  std::vector<std::string> ids;
  for (const auto& track : page.at("tracks").as_array()) ids.emplace_back(track.at("id").as_string());
  return ids;
}

/// In every third round the file is in memory; in the others it is fetched by blocks. Kernels take turns.
inline void put_catalog(TestService& service, int round, std::string bytes) {
  const auto kernels = catalog::usable_kernels();
  const auto& kernel = *kernels[static_cast<std::size_t>(round / 3) % kernels.size()];
  std::shared_ptr<const PagedSnapshot> paged;
  std::shared_ptr<const SqliteSnapshot> snapshot;
  if (round % 3 == 0) {
    snapshot = snapshot_of_bytes(std::move(bytes));
  } else {
    snapshot = paged =
        paged_snapshot_of_bytes(std::move(bytes), round % 3 == 1 ? Blocks::immediate : Blocks::after_replay);
  }
  service.put(until_there(paged.get(),
                          [&] {
                            return std::make_shared<const catalog::SnapshotCatalog>(
                                snapshot, Catalog::Options{.allow_evaluation = true}, kernel);
                          }),
              paged);
}

}  // namespace tonearm::test
