#include "people/absent_changes.h"

#include <map>
#include <variant>
#include <vector>

namespace tonearm::web {
namespace {

constexpr std::int64_t kAbsenceMs = 86'400'000;
constexpr std::size_t kKnownChangesMax = 10'000;  // of a person

}  // namespace

void create_absent_change_table(sql::SchemaChange& change) {
  change.execute_ddl(
      "CREATE TABLE IF NOT EXISTS site_absent_changes (name_key TEXT NOT NULL, list TEXT NOT NULL, change TEXT NOT "
      "NULL,"
      " since_ms BIGINT NOT NULL, PRIMARY KEY (name_key, list, change))");
}

void forget_absent_changes(sql::Transaction& transaction, const std::string& table, const std::string& name_key,
                           const std::set<std::string>& known, const ListedChanges& listed, std::int64_t now_ms) {
  std::map<std::string, std::int64_t> absent;
  for (const auto& row : transaction.execute(
           "SELECT change, since_ms FROM site_absent_changes WHERE name_key = ?1 AND list = ?2", {name_key, table})) {
    absent[std::get<std::string>(row[0])] = std::get<std::int64_t>(row[1]);
  }
  const bool are_too_many = known.size() > kKnownChangesMax;
  std::vector<sql::Row> begun;
  std::vector<sql::Row> forgotten;
  std::vector<sql::Row> ended;  // absences
  for (const auto& change : known) {
    const auto since = absent.find(change);
    const bool is_absent = since != absent.end();
    if (listed.keys.contains(change)) {
      if (is_absent) ended.push_back({name_key, table, change});
    } else if (are_too_many || (listed.is_complete && is_absent && since->second <= now_ms - kAbsenceMs)) {
      forgotten.push_back({name_key, change});
      if (is_absent) ended.push_back({name_key, table, change});
    } else if (listed.is_complete && !is_absent) {
      begun.push_back({name_key, table, change, now_ms});
    }
  }
  transaction.execute_each("INSERT INTO site_absent_changes (name_key, list, change, since_ms) VALUES (?1, ?2, ?3, ?4)",
                           begun);
  transaction.execute_each("DELETE FROM site_absent_changes WHERE name_key = ?1 AND list = ?2 AND change = ?3", ended);
  transaction.execute_each("DELETE FROM " + table + " WHERE name_key = ?1 AND change = ?2", forgotten);
}

}  // namespace tonearm::web
