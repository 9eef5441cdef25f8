#include "service_engine.h"

#include <boost/json.hpp>
#include <filesystem>
#include <stdexcept>

#include "tonearm/sqlite.h"

namespace tonearm::bench {
namespace {

constexpr const char* kAdminToken = "the admin token of the benchmark";

std::unique_ptr<sql::Store> new_state(const std::string& path) {
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(path + suffix);
  return sql::make_sqlite_store(sql::open_sqlite(path, sql::OpenMode::read_write_create));
}

}  // namespace

std::shared_ptr<const Catalog> open_snapshot(const std::string& path, const Catalog::Options& options) {
  const auto file = std::make_shared<const native::PinnedFile>(path);
  const auto opened = Catalog::open(file, options);
  if (!opened) throw std::runtime_error(path + ": " + opened.error().message + " (--rebuild makes it again)");
  return *opened;
}

ServiceEngine::ServiceEngine(const std::string& snapshot, const ServiceSetup& setup)
    : is_cached_(setup.answer_cache_bytes > 0),
      catalog_(open_snapshot(snapshot, setup.catalog)),
      store_(new_state(setup.state)) {
  ServiceOptions options;
  options.answer_cache_bytes = setup.answer_cache_bytes;
  options.admin_token_hash = hashing_.sha256(kAdminToken);
  service_ = Service::make({clock_, random_, hashing_, *store_, [this] { return catalog_; }}, options);
  const std::string account = created("/admin/accounts", R"({"plan":"unlimited"})", "account");
  const std::string key = created("/admin/accounts/" + account + "/keys", "{}", "key");
  request_ = {{"GET", {}, {{"Host", "127.0.0.1:8080"}, {"Authorization", "Bearer " + key}}}, {}};
}

std::string ServiceEngine::version() const {
  return std::string("Tonearm ") + TONEARM_VERSION + ", snapshot version " + std::to_string(kSnapshotVersion);
}

std::string ServiceEngine::answer(const std::string& target) { return send("GET", target, {}); }

std::string ServiceEngine::send(const char* method, const std::string& target, std::string body) {
  request_.head.method = method;
  request_.head.target = target;
  request_.body = std::move(body);
  Response response = service_->handle(request_);
  if (response.status != 200) throw std::runtime_error(target + " was answered " + response.body);
  return std::move(response.body);
}

std::string ServiceEngine::created(const std::string& target, const std::string& body, const std::string& field) {
  const Headers headers{{"Authorization", std::string("Bearer ") + kAdminToken}, {"Content-Type", "application/json"}};
  const auto response = service_->handle_admin({{"POST", target, headers}, body});
  if (response.status != 201) throw std::runtime_error("POST " + target + " was answered " + response.body);
  return boost::json::value_to<std::string>(boost::json::parse(response.body).at(field));
}

std::unique_ptr<ServiceEngine> make_service(const std::string& snapshot, const ServiceSetup& setup) {
  return std::make_unique<ServiceEngine>(snapshot, setup);
}

}  // namespace tonearm::bench
