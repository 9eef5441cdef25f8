#pragma once
// The core in a deterministic environment: empty state in memory, a manual clock, seeded random bytes. Every other host
// that runs the cases has the same `Setup`.

#include <memory>
#include <string>

#include "fakes.h"
#include "system/system_ports.h"
#include "tonearm/service.h"

namespace tonearm::cases {

struct Setup {
  std::int64_t start_ms = test::FakeClock::kStartMs;
  std::uint64_t seed = 1;
  std::string key_secret = "the key secret of the case files";
  std::string admin_token = "the-admin-token-of-the-case-files";
};

class CoreHost {
 public:
  /// `catalog`: null for the cases without one.
  CoreHost(const Setup& setup, std::shared_ptr<const Catalog> catalog);

  void advance_ms(std::int64_t by) { clock_.advance_ms(by); }
  Service& service() { return *service_; }
  Hashing& hashing() { return hashing_; }

 private:
  test::FakeClock clock_;
  test::SeededRandom random_;
  native::OpensslHashing hashing_;
  std::shared_ptr<const Catalog> catalog_;
  std::unique_ptr<sql::Store> store_;
  std::unique_ptr<Service> service_;
};

}  // namespace tonearm::cases
