#pragma once
// Stores what people publish about their collections: a description and a link (WEB-28). Safe for concurrent calls.
// Every function throws sql::Failure if the store fails. Names are those of people, in either case.

#include <optional>
#include <string>
#include <string_view>

#include "tonearm/sql.h"

namespace tonearm::web {

struct Share {
  std::string description;
  std::string token;  // of the link; empty: none
};

/// A collection that anyone who has the link may read.
struct SharedCollection {
  std::string person;
  std::string account;
  std::string collection;
  std::string description;
};

class ShareStore {
 public:
  /// REQUIRES: a PeopleStore has created the tables of `store`.
  explicit ShareStore(sql::Store& store) : store_(store) {}

  /// Returns an empty share if there is none.
  Share find(std::string_view name, const std::string& collection);
  void set_description(std::string_view name, const std::string& collection, const std::string& description);
  /// Creates a link with `token`, unless there is one.
  void create_link(std::string_view name, const std::string& collection, const std::string& token);
  void remove_link(std::string_view name, const std::string& collection);
  /// Removes description and link.
  void remove(std::string_view name, const std::string& collection);

  /// Returns nothing if no link has this token, or if its person is being deleted.
  std::optional<SharedCollection> find_link(const std::string& token);

 private:
  sql::Store& store_;
};

}  // namespace tonearm::web
