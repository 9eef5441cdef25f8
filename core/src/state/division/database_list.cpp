#include "state/division/database_list.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tonearm::state {

namespace {

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
  return places;
}

}  // namespace tonearm::state
