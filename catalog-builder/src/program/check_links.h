#pragma once
// `tonearm-catalog check-links` (LINK-1): the addresses of a snapshot, looked at, into a file of results.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "links/public_address.h"
#include "links/web.h"
#include "system/progress.h"

namespace tonearm::builder {

struct CheckLinksOptions {
  std::string snapshot;
  std::string results;
  std::string contact;  // for the operators of the hosts; empty: none
  std::uint64_t limit = 0;
  std::uint64_t max_age_days = 0;
  std::uint64_t pause_ms = 0;
  std::vector<AddressBlock> allowed_addresses;
};

/// Looks at what was never looked at first, then at what was looked at longest ago. Gives a summary for a person.
/// `now_s`: Unix time. Throws Failure; results that are in the file stay there.
std::string check_links(const CheckLinksOptions& options, Web& web, const std::function<std::int64_t()>& now_s,
                        native::Progress& progress);

/// The name that hosts see.
std::string user_agent(const std::string& version, const std::string& contact);

}  // namespace tonearm::builder
