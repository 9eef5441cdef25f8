#pragma once
// A service in memory with one account without limits. Tests set its catalog, and replace it.

#include <boost/json.hpp>
#include <memory>
#include <string>
#include <utility>

#include "fakes.h"
#include "memory_catalog.h"
#include "system/system_ports.h"
#include "tonearm/service.h"
#include "tonearm/sqlite.h"

namespace tonearm::test {

inline std::unique_ptr<sql::Store> memory_store() {
  return sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
}

struct ServedAccount {
  explicit ServedAccount(std::unique_ptr<sql::Store> with = memory_store(), ServiceOptions options = {})
      : store(std::move(with)) {
    options.admin_token_hash = hashing.sha256("token");
    service = Service::make({clock, random, hashing, *store, [this] { return catalog; }}, options);
    const auto made = [this](const std::string& target, const std::string& body, const char* name) {
      const Request request{{"POST", target, {{"Authorization", "Bearer token"}}}, body};
      return boost::json::value_to<std::string>(boost::json::parse(service->handle_admin(request).body).at(name));
    };
    const std::string account = made("/admin/accounts", R"({"plan":"unlimited"})", "account");
    key = made("/admin/accounts/" + account + "/keys", "{}", "key");
  }
  ServedAccount(const ServedAccount&) = delete;
  ServedAccount& operator=(const ServedAccount&) = delete;

  /// Sends a request with the account's key.
  Response send(const std::string& method, const std::string& target, const std::string& body = {},
                const Headers& more = {}) {
    Headers headers{{"Authorization", "Bearer " + key}};
    headers.insert(headers.end(), more.begin(), more.end());
    return service->handle({{method, target, headers}, body});
  }
  /// Returns the JSON of the answer.
  boost::json::value read(const std::string& method, const std::string& target, const std::string& body = {}) {
    return boost::json::parse(send(method, target, body).body);
  }

  FakeClock clock;
  SeededRandom random{3};
  native::OpensslHashing hashing;
  std::unique_ptr<sql::Store> store;
  std::shared_ptr<const Catalog> catalog;
  std::unique_ptr<Service> service;
  std::string key;
};

}  // namespace tonearm::test
