#pragma once
// Decides when a known license change that the API does not list any more is forgotten (WEB-34, WEB-46). A list may be
// incomplete, and while a new catalog reaches the servers of the API one after the other, their lists differ: a change
// that was forgotten at once would be reported twice.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "tonearm/sql.h"

namespace tonearm::web {

/// License changes that the API listed.
struct ListedChanges {
  std::set<std::string> keys;
  bool is_complete = false;  // there are no others
};

void create_absent_change_table(sql::SchemaChange& change);

/// Removes from `table`, which has the columns `name_key` and `change`, each of the `known` changes of a person that
/// complete lists have lacked for a day. Forgets all that are not listed if there are too many. Throws sql::Failure.
void forget_absent_changes(sql::Transaction& transaction, const std::string& table, const std::string& name_key,
                           const std::set<std::string>& known, const ListedChanges& listed, std::int64_t now_ms);

}  // namespace tonearm::web
