#pragma once
// Reads the license changes of an account, for feeds (WEB-34) and webhooks (WEB-46). Safe for concurrent calls.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>

#include "routes/site.h"

namespace tonearm::web {

/// Returns the first 200 changes (COLLECTION-14); none if the account does not exist. The person need not be signed in.
/// Throws std::runtime_error if the API does not answer.
boost::json::array read_license_changes(Site& site, const std::string& account);

/// Returns the identity of a change: the same track with the same new license is the same change.
std::string license_change_key(Site& site, const boost::json::object& change);

}  // namespace tonearm::web
