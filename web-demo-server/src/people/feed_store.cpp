#include "people/feed_store.h"

#include <algorithm>

#include "people/people_store.h"

namespace tonearm::web {

std::string FeedStore::find(std::string_view name) {
  std::string token;
  store_.transact([&](sql::Transaction& transaction) {
    const auto rows = transaction.execute("SELECT token FROM site_feeds WHERE name_key = ?1", {name_key(name)});
    token = rows.empty() ? "" : std::get<std::string>(rows[0][0]);
  });
  return token;
}

void FeedStore::set_token(std::string_view name, const std::string& token, std::int64_t now_ms) {
  store_.transact([&](sql::Transaction& transaction) {
    transaction.execute(
        "INSERT INTO site_feeds (name_key, token, created_ms) VALUES (?1, ?2, ?3)"
        " ON CONFLICT (name_key) DO UPDATE SET token = excluded.token, created_ms = excluded.created_ms",
        {name_key(name), token, now_ms});
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

std::map<std::string, std::int64_t> FeedStore::see(std::string_view name, const std::vector<std::string>& changes,
                                                   std::int64_t now_ms) {
  std::map<std::string, std::int64_t> seen;
  store_.transact([&](sql::Transaction& transaction) {
    seen.clear();
    const auto key = name_key(name);
    std::map<std::string, std::int64_t> before;
    for (const auto& row :
         transaction.execute("SELECT change, seen_ms FROM site_feed_changes WHERE name_key = ?1", {key})) {
      before[std::get<std::string>(row[0])] = std::get<std::int64_t>(row[1]);
    }
    for (const auto& change : changes) {
      const auto found = before.find(change);
      const bool is_new = found == before.end() && !seen.contains(change);
      if (found != before.end()) seen[change] = found->second;
      if (!is_new) continue;
      seen[change] = now_ms;
      transaction.execute(
          "INSERT INTO site_feed_changes (name_key, change, seen_ms) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
          {key, change, now_ms});
    }
    for (const auto& [change, seen_ms] : before) {
      if (seen.contains(change)) continue;
      transaction.execute("DELETE FROM site_feed_changes WHERE name_key = ?1 AND change = ?2", {key, change});
    }
  });
  return seen;
}

}  // namespace tonearm::web
