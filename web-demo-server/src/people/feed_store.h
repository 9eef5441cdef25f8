#pragma once
// Stores the addresses of people's feeds of license changes, and when the site first saw each change (WEB-34), because
// the API does not state it. Safe for concurrent calls. Every function throws sql::Failure if the store fails.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/sql.h"

namespace tonearm::web {

/// The owner of a feed.
struct FeedOwner {
  std::string person;
  std::string account;
  std::int64_t created_ms = 0;  // when the address was created
};

class FeedStore {
 public:
  /// REQUIRES: a PeopleStore has created the tables of `store`.
  explicit FeedStore(sql::Store& store) : store_(store) {}

  /// Returns the token of the person's feed; empty if there is none.
  std::string find(std::string_view name);
  /// Replaces the token, so that the old address ends.
  void set_token(std::string_view name, const std::string& token, std::int64_t now_ms);
  void remove(std::string_view name);
  /// Returns nothing if no feed has this token, or if its person is being deleted.
  std::optional<FeedOwner> find_owner(const std::string& token);

  /// Returns when each change of the person was seen first. New ones are seen now; others than these are forgotten.
  std::map<std::string, std::int64_t> see(std::string_view name, const std::vector<std::string>& changes,
                                          std::int64_t now_ms);

 private:
  sql::Store& store_;
};

}  // namespace tonearm::web
