#include "routes/license_changes.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <stdexcept>
#include <string_view>

#include "messages/message.h"
#include "tonearm/ascii.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kPageSize = 200;
constexpr int kReadsMax = 20;

/// The identity of a change: the same track with the same new license is the same change.
std::string key_of(Site& site, const boost::json::object& change) {
  const auto& current = change.at("current");
  const auto license = current.is_object() ? string_of(current.at("license").as_object(), "id") : "missing";
  const auto terms = current.is_object() ? boost::json::serialize(current) : "";
  return ascii::to_hex(site.hashing.sha256(string_of(change, "collection_id") + ' ' + string_of(change, "track_id") +
                                           ' ' + license + ' ' + terms));
}

}  // namespace

LicenseChanges read_license_changes(Site& site, const std::string& account, std::size_t count_max) {
  LicenseChanges found;
  std::string cursor;
  std::string version;  // of the catalog of the pages
  for (int reads = 0; reads < kReadsMax; ++reads) {
    const auto target = "/v1/license-changes?limit=" + std::to_string(kPageSize) + cursor;
    const auto response = site.session_keys.send("feed " + account, account, {"GET", target});
    if (!response) return {{}, {}, true};
    if (response->status != 200) throw std::runtime_error("the API did not answer with license changes");
    auto page = read_object(response->body);
    const auto* const next = page.at("cursor").if_string();
    const bool is_compared = page.at("unchecked").to_number<std::int64_t>() == 0;
    const auto* const served = find_header(response->headers, "Tonearm-Catalog");
    const bool is_of_version = cursor.empty() || (served != nullptr && *served == version);
    found.is_complete = is_compared && is_of_version && next == nullptr;
    if (!(is_compared && is_of_version) && reads + 1 < kReadsMax) {
      // The API compares more collections in each call, and a server with another catalog may answer, so the pages
      // before this one may have changed.
      found = {};
      cursor.clear();
      continue;
    }
    version = served == nullptr ? "" : *served;
    for (auto& change : page.at("changes").as_array()) {
      found.keys.push_back(key_of(site, change.as_object()));
      found.changes.push_back(std::move(change));
    }
    if (next == nullptr || found.changes.size() >= count_max) return found;
    cursor = "&cursor=" + std::string(*next);
  }
  return found;
}

}  // namespace tonearm::web
