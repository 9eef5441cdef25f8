#include "people/feed_store.h"

#include <set>

namespace tonearm::web {

std::string FeedStore::find(std::string_view name) {
  std::string token;
  store_.transact([&](sql::Transaction& transaction) {
    const auto rows = transaction.execute("SELECT token FROM site_feeds WHERE name_key = ?1", {name_key(name)});
    token = rows.empty() ? "" : std::get<std::string>(rows[0][0]);
  });
  return token;
}

void FeedStore::set_token(const Person& person, const std::string& token, std::int64_t now_ms) {
  store_.transact([&](sql::Transaction& transaction) {
    const auto key = name_key(person.name);
    if (!is_account_of(transaction, key, person.account)) return;
    transaction.execute(
        "INSERT INTO site_feeds (name_key, token, created_ms) VALUES (?1, ?2, ?3)"
        " ON CONFLICT (name_key) DO UPDATE SET token = excluded.token, created_ms = excluded.created_ms",
        {key, token, now_ms});
  });
}

void FeedStore::remove(std::string_view name) {
  store_.transact([&](sql::Transaction& transaction) {
    transaction.execute("DELETE FROM site_feeds WHERE name_key = ?1", {name_key(name)});
  });
}

std::optional<FeedOwner> FeedStore::find_owner(const std::string& token) {
  std::optional<FeedOwner> owner;
  store_.transact([&](sql::Transaction& transaction) {
    const auto rows = transaction.execute(
        "SELECT people.name, people.account, feeds.created_ms"
        " FROM site_feeds feeds JOIN site_people people ON people.name_key = feeds.name_key"
        " WHERE feeds.token = ?1 AND people.is_leaving = 0",
        {token});
    owner.reset();
    if (rows.empty()) return;
    const auto& row = rows[0];
    owner = FeedOwner{std::get<std::string>(row[0]), std::get<std::string>(row[1]), std::get<std::int64_t>(row[2])};
  });
  return owner;
}

std::map<std::string, std::int64_t> FeedStore::see(std::string_view name, const ListedChanges& listed,
                                                   std::int64_t now_ms) {
  std::map<std::string, std::int64_t> seen;
  store_.transact([&](sql::Transaction& transaction) {
    seen.clear();
    const auto key = name_key(name);
    std::set<std::string> known;
    for (const auto& row :
         transaction.execute("SELECT change, seen_ms FROM site_feed_changes WHERE name_key = ?1", {key})) {
      const auto& change = std::get<std::string>(row[0]);
      known.insert(change);
      if (listed.keys.contains(change)) seen[change] = std::get<std::int64_t>(row[1]);
    }
    std::vector<sql::Row> added;
    for (const auto& change : listed.keys) {
      if (seen.try_emplace(change, now_ms).second) added.push_back({key, change, now_ms});
    }
    // While the changes were read, the feed or its person may have been removed.
    if (transaction.execute("SELECT 1 FROM site_feeds WHERE name_key = ?1", {key}).empty()) return;
    transaction.execute_each(
        "INSERT INTO site_feed_changes (name_key, change, seen_ms) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING", added);
    forget_absent_changes(transaction, "site_feed_changes", key, known, listed, now_ms);
  });
  return seen;
}

}  // namespace tonearm::web
