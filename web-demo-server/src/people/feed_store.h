#pragma once
// Stores the addresses of people's feeds of license changes, and when the site first saw each change (WEB-34), because
// the API does not state it. Safe for concurrent calls. Every function throws sql::Failure if the store fails.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "people/absent_changes.h"
#include "people/people_store.h"
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
  /// Replaces the token, so that the old address ends. Changes nothing if the account is no longer the person's.
  void set_token(const Person& person, const std::string& token, std::int64_t now_ms);
  void remove(std::string_view name);
  /// Returns nothing if no feed has this token, or if its person is being deleted.
  std::optional<FeedOwner> find_owner(const std::string& token);

  /// Returns when each of the person's listed changes was seen first. New ones are seen now. Forgets changes that are
  /// not listed any more (see forget_absent_changes). Stores nothing if the person has no feed.
  std::map<std::string, std::int64_t> see(std::string_view name, const ListedChanges& listed, std::int64_t now_ms);

 private:
  sql::Store& store_;
};

}  // namespace tonearm::web
