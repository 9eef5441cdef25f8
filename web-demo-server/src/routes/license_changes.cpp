#include "routes/license_changes.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <stdexcept>
#include <string_view>

#include "messages/message.h"
#include "tonearm/ascii.h"

namespace tonearm::web {
namespace {

constexpr std::string_view kChangesTarget = "/v1/license-changes?limit=200";

}  // namespace

boost::json::array read_license_changes(Site& site, const std::string& account) {
  const auto response = site.session_keys.send("feed " + account, account, {"GET", std::string(kChangesTarget)});
  if (!response) return {};
  if (response->status != 200) throw std::runtime_error("the API did not answer with license changes");
  return read_object(response->body).at("changes").as_array();
}

std::string license_change_key(Site& site, const boost::json::object& change) {
  const auto& current = change.at("current");
  const auto license = current.is_object() ? string_of(current.at("license").as_object(), "id") : "missing";
  const auto terms = current.is_object() ? boost::json::serialize(current) : "";
  return ascii::to_hex(site.hashing.sha256(string_of(change, "collection_id") + ' ' + string_of(change, "track_id") +
                                           ' ' + license + ' ' + terms));
}

}  // namespace tonearm::web
