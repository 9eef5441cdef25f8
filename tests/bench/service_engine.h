#pragma once
// The service itself, as the native host configures it, without HTTP.

#include <memory>
#include <string>
#include <vector>

#include "engine.h"
#include "files/pinned_file.h"
#include "system/system_ports.h"
#include "tonearm/service.h"

namespace tonearm::bench {

struct ServiceSetup {
  std::string state;                   // the file of accounts; recreated at each start
  std::size_t answer_cache_bytes = 0;  // 0: every call does all of its work
  Catalog::Options catalog;
};

/// A service and a key of an account with the plan `unlimited`. Calls include everything: key, route, query string,
/// search, JSON.
class ServiceEngine final : public Engine {
 public:
  /// Throws std::runtime_error if the snapshot is rejected.
  ServiceEngine(const std::string& snapshot, const ServiceSetup& setup);

  std::string name() const override { return is_cached_ ? "Tonearm, cached" : "Tonearm"; }
  std::string version() const override;
  bool is_peer() const override { return false; }
  bool supports(const Query& query) const override { return !is_cached_ || target_of(query, 1) == target_of(query, 2); }
  std::string answer(const std::string& target) override;
  /// Sends a POST with a JSON body, and returns the body of the response.
  std::string post(const std::string& target, std::string body) { return send("POST", target, std::move(body)); }
  /// Flushes the call records, as the host does every half second.
  void run_housekeeping() override { service_->flush(); }

  const Catalog& catalog() const { return *catalog_; }

 private:
  std::string send(const char* method, const std::string& target, std::string body);
  std::string created(const std::string& target, const std::string& body, const std::string& field);

  bool is_cached_;
  native::SystemClock clock_;
  native::SystemRandom random_;
  native::OpensslHashing hashing_;
  std::shared_ptr<const Catalog> catalog_;
  std::unique_ptr<sql::Store> store_;
  std::unique_ptr<Service> service_;
  Request request_;
};

/// Opens the snapshot like the native host. Throws std::runtime_error.
std::shared_ptr<const Catalog> open_snapshot(const std::string& path, const Catalog::Options& options);

/// The service that is measured.
std::unique_ptr<ServiceEngine> make_service(const std::string& snapshot, const ServiceSetup& setup);

}  // namespace tonearm::bench
