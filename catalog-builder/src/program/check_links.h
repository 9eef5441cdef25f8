#pragma once
// `tonearm-catalog check-links` (LINK-1): checks the URLs of a snapshot and stores the results in a file.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "public_web/public_address.h"
#include "public_web/web.h"
#include "system/progress.h"

namespace tonearm::builder {

struct CheckLinksOptions {
  std::string snapshot;
  std::string results;
  std::string contact;  // for the operators of the hosts; empty: none
  std::uint64_t limit = 0;
  std::uint64_t max_age_days = 0;
  std::uint64_t pause_ms = 0;
  std::vector<public_web::AddressBlock> allowed_addresses;
};

/// Checks new URLs first, then those with the oldest results. Returns a summary for a person. `now_s` returns Unix
/// time. Throws Failure and then keeps the results in the file.
std::string check_links(const CheckLinksOptions& options, public_web::Web& web,
                        const std::function<std::int64_t()>& now_s, native::Progress& progress);

/// Returns the User-Agent of requests.
std::string user_agent(const std::string& version, const std::string& contact);

}  // namespace tonearm::builder
