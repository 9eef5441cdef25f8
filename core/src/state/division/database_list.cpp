#include "state/division/database_list.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tonearm::state {

namespace {

/// A database that was not used before may only continue the list.
void check_new(const std::vector<DatabaseFacts>& facts) {
  for (std::size_t index = 1; index < facts.size(); ++index) {
    if (facts[index].stored.number == 0 && static_cast<std::int64_t>(index) < facts[0].stored.count) {
      throw sql::Failure("the database that is given as number " + std::to_string(index + 1) +
                         " is not the one that the state had there");
    }
  }
}

/// Two addresses may be of one database.
void check_different(const std::vector<DatabaseFacts>& facts) {
  for (std::size_t second = 0; second < facts.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      if (facts[first].id != facts[second].id) continue;
      throw sql::Failure("numbers " + std::to_string(first + 1) + " and " + std::to_string(second + 1) +
                         " in the list of databases are the same one");
    }
  }
}

}  // namespace

std::vector<DatabaseOfState> check_databases(const AccountStores& stores, Random& random) {
  std::vector<DatabaseFacts> facts;
  for (std::size_t index = 0; index < stores.size(); ++index) {
    facts.push_back(prepare_database(stores.at(index), random));
  }
  check_different(facts);
  std::vector<DatabaseOfState> places;
  for (const DatabaseFacts& one : facts) {
    places.push_back(
        {static_cast<std::int64_t>(places.size()) + 1, static_cast<std::int64_t>(facts.size()), facts[0].id});
    check_database(one, places.back());
  }
  check_new(facts);
  return places;
}

}  // namespace tonearm::state
