#pragma once
// Reads the license changes of an account, for feeds (WEB-34) and webhooks (WEB-46). Safe for concurrent calls.

#include <boost/json/array.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "routes/site.h"

namespace tonearm::web {

/// License changes of an account, as the API states them, and their keys.
struct LicenseChanges {
  boost::json::array changes;
  std::vector<std::string> keys;  // of each
  bool is_complete = false;       // no collection waits to be compared, and there are no further changes
};

/// Returns the first `count_max` changes (COLLECTION-14), a multiple of 200; none if the account does not exist. Asks
/// the API again while it has collections to compare, up to 20 times. The person need not be signed in. Throws
/// std::runtime_error if the API does not answer.
LicenseChanges read_license_changes(Site& site, const std::string& account, std::size_t count_max);

}  // namespace tonearm::web
