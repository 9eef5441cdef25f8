#include "people/people_store.h"

#include <algorithm>

#include "people/absent_changes.h"
#include "tonearm/ascii.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kNameLengthMin = 3;
constexpr std::size_t kNameLengthMax = 32;
constexpr std::string_view kColumns = "name, password, account, is_leaving";

Person person_of(const sql::Row& row) {
  return {std::get<std::string>(row[0]), std::get<std::string>(row[1]), std::get<std::string>(row[2]),
          std::get<std::int64_t>(row[3]) != 0};
}

std::vector<std::string> first_column(const sql::Rows& rows) {
  std::vector<std::string> values;
  values.reserve(rows.size());
  for (const auto& row : rows) values.push_back(std::get<std::string>(row[0]));
  return values;
}

/// Removes the oldest tokens of a person, except `newest`, so that kSessionsMax remain. Returns the removed ones.
std::vector<std::string> remove_oldest(sql::Transaction& transaction, const std::string& table, const std::string& key,
                                       const std::string& newest) {
  return first_column(transaction.execute(
      "DELETE FROM " + table + " WHERE name_key = ?1 AND token <> ?2 AND token NOT IN (SELECT token FROM " + table +
          " WHERE name_key = ?1 AND token <> ?2 ORDER BY until_ms DESC, token LIMIT " +
          std::to_string(kSessionsMax - 1) + ") RETURNING token",
      {key, newest}));
}

void create_oauth_tables(sql::SchemaChange& change) {
  change.execute_ddl(
      "CREATE TABLE IF NOT EXISTS site_oauth_clients (client_id TEXT PRIMARY KEY, name TEXT NOT NULL,"
      " redirects TEXT NOT NULL, created_ms BIGINT NOT NULL)");
  change.execute_ddl(
      "CREATE TABLE IF NOT EXISTS site_oauth_grants (grant_id TEXT PRIMARY KEY, name_key TEXT NOT NULL,"
      " client_id TEXT NOT NULL, client_name TEXT NOT NULL, redirect TEXT NOT NULL, challenge TEXT NOT NULL,"
      " key_id TEXT NOT NULL, created_ms BIGINT NOT NULL, used_ms BIGINT NOT NULL, until_ms BIGINT NOT NULL)");
  change.execute_ddl("CREATE INDEX IF NOT EXISTS site_oauth_grants_of ON site_oauth_grants (name_key)");
  change.execute_ddl("CREATE INDEX IF NOT EXISTS site_oauth_grants_for ON site_oauth_grants (client_id)");
  change.execute_ddl(
      "CREATE TABLE IF NOT EXISTS site_oauth_tokens (hash TEXT PRIMARY KEY, grant_id TEXT NOT NULL,"
      " kind BIGINT NOT NULL, until_ms BIGINT NOT NULL, is_used BIGINT NOT NULL)");
  change.execute_ddl("CREATE INDEX IF NOT EXISTS site_oauth_tokens_of ON site_oauth_tokens (grant_id)");
  change.execute_ddl("CREATE INDEX IF NOT EXISTS site_oauth_tokens_until ON site_oauth_tokens (until_ms)");
  change.execute_ddl("CREATE INDEX IF NOT EXISTS site_oauth_grants_until ON site_oauth_grants (until_ms)");
  change.execute_ddl("CREATE TABLE IF NOT EXISTS site_ended_keys (key_id TEXT PRIMARY KEY)");
}

void create_webhook_tables(sql::SchemaChange& change) {
  change.execute_ddl(
      "CREATE TABLE IF NOT EXISTS site_webhooks (name_key TEXT PRIMARY KEY, address TEXT NOT NULL, secret TEXT NOT "
      "NULL,"
      " created_ms BIGINT NOT NULL, checked_ms BIGINT NOT NULL, delivered_ms BIGINT NOT NULL, is_ended BIGINT NOT "
      "NULL)");
  change.execute_ddl(
      "CREATE TABLE IF NOT EXISTS site_webhook_changes (name_key TEXT NOT NULL, change TEXT NOT NULL,"
      " PRIMARY KEY (name_key, change))");
  change.execute_ddl(
      "CREATE TABLE IF NOT EXISTS site_webhook_messages (message_id TEXT PRIMARY KEY, name_key TEXT NOT NULL,"
      " body TEXT NOT NULL, created_ms BIGINT NOT NULL, tries BIGINT NOT NULL, next_ms BIGINT NOT NULL,"
      " is_given_up BIGINT NOT NULL, error TEXT NOT NULL)");
  change.execute_ddl(
      "CREATE TABLE IF NOT EXISTS site_webhook_leases (name_key TEXT PRIMARY KEY, until_ms BIGINT NOT NULL)");
  for (const std::string earlier : {"site_webhook_messages_of", "site_webhook_messages_due"}) {
    change.execute_ddl("DROP INDEX IF EXISTS " + earlier);
  }
  change.execute_ddl(
      "CREATE INDEX IF NOT EXISTS site_webhook_messages_next ON site_webhook_messages (name_key, is_given_up, "
      "next_ms)");
}

}  // namespace

std::string name_key(std::string_view name) { return ascii::to_lower(name); }

std::string_view name_error(std::string_view name) {
  if (name.size() < kNameLengthMin || name.size() > kNameLengthMax) return "The name must have 3 to 32 characters.";
  const auto is_allowed = [](char c) { return ascii::is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; };
  if (!std::all_of(name.begin(), name.end(), is_allowed)) {
    return "The name may contain only the letters a to z, digits, and the characters - _ and .";
  }
  if (!ascii::is_alphanumeric(name.front())) return "The name must begin with a letter or a digit.";
  return {};
}

std::vector<std::string> end_sessions(sql::Transaction& transaction, const std::string& key) {
  transaction.execute("DELETE FROM site_devices WHERE name_key = ?1", {key});
  return first_column(transaction.execute("DELETE FROM site_sessions WHERE name_key = ?1 RETURNING token", {key}));
}

bool is_account_of(sql::Transaction& transaction, const std::string& key, const std::string& account) {
  const auto people = transaction.execute(
      "SELECT 1 FROM site_people WHERE name_key = ?1 AND account = ?2 AND is_leaving = 0", {key, account});
  return !people.empty();
}

PeopleStore::PeopleStore(sql::Store& store) : store_(store) {
  store_.change_schema(sql::DiskSpace::ordinary, [](sql::SchemaChange& change) {
    change.execute_ddl(
        "CREATE TABLE IF NOT EXISTS site_people (name_key TEXT PRIMARY KEY, name TEXT NOT NULL, password TEXT NOT NULL,"
        " account TEXT NOT NULL, is_leaving BIGINT NOT NULL, created_ms BIGINT NOT NULL)");
    change.execute_ddl(
        "CREATE TABLE IF NOT EXISTS site_sessions (token TEXT PRIMARY KEY, name_key TEXT NOT NULL,"
        " until_ms BIGINT NOT NULL)");
    change.execute_ddl("CREATE INDEX IF NOT EXISTS site_sessions_of ON site_sessions (name_key)");
    change.execute_ddl(
        "CREATE TABLE IF NOT EXISTS site_devices (token TEXT PRIMARY KEY, name_key TEXT NOT NULL,"
        " until_ms BIGINT NOT NULL)");
    change.execute_ddl(
        "CREATE TABLE IF NOT EXISTS site_shares (name_key TEXT NOT NULL, collection TEXT NOT NULL,"
        " description TEXT NOT NULL, token TEXT NOT NULL, PRIMARY KEY (name_key, collection))");
    change.execute_ddl(
        "CREATE TABLE IF NOT EXISTS site_recovery (name_key TEXT NOT NULL, issuer BIGINT NOT NULL, hash TEXT NOT NULL,"
        " until_ms BIGINT NOT NULL, PRIMARY KEY (name_key, issuer))");
    change.execute_ddl(
        "CREATE TABLE IF NOT EXISTS site_feeds (name_key TEXT PRIMARY KEY, token TEXT NOT NULL,"
        " created_ms BIGINT NOT NULL)");
    change.execute_ddl("CREATE UNIQUE INDEX IF NOT EXISTS site_feeds_token ON site_feeds (token)");
    change.execute_ddl(
        "CREATE TABLE IF NOT EXISTS site_feed_changes (name_key TEXT NOT NULL, change TEXT NOT NULL,"
        " seen_ms BIGINT NOT NULL, PRIMARY KEY (name_key, change))");
    change.execute_ddl("CREATE INDEX IF NOT EXISTS site_shares_token ON site_shares (token)");
    create_oauth_tables(change);
    create_webhook_tables(change);
    create_absent_change_table(change);
  });
}

PeopleStore::Added PeopleStore::add(const Person& person, std::int64_t now_ms) {
  auto added = Added::yes;
  store_.transact([&](sql::Transaction& transaction) {
    const auto key = name_key(person.name);
    const auto taken = transaction.execute("SELECT 1 FROM site_people WHERE name_key = ?1", {key});
    added = taken.empty() ? Added::yes : Added::name_is_taken;
    if (added == Added::name_is_taken) return;
    transaction.execute(
        "INSERT INTO site_people (name_key, name, password, account, is_leaving, created_ms)"
        " VALUES (?1, ?2, ?3, ?4, 0, ?5)",
        {key, person.name, person.password, person.account, now_ms});
  });
  return added;
}

std::optional<Person> PeopleStore::find(std::string_view name) {
  std::optional<Person> found;
  store_.transact([&](sql::Transaction& transaction) {
    const auto rows = transaction.execute("SELECT " + std::string(kColumns) + " FROM site_people WHERE name_key = ?1",
                                          {name_key(name)});
    found = rows.empty() ? std::nullopt : std::optional(person_of(rows.front()));
  });
  return found;
}

void PeopleStore::set_account(std::string_view name, const std::string& account) {
  store_.transact([&](sql::Transaction& transaction) {
    transaction.execute("UPDATE site_people SET account = ?2 WHERE name_key = ?1", {name_key(name), account});
  });
}

std::optional<std::vector<std::string>> PeopleStore::set_password(std::string_view name, const std::string& before,
                                                                  const std::string& password) {
  std::optional<std::vector<std::string>> ended;
  store_.transact([&](sql::Transaction& transaction) {
    ended.reset();
    const auto key = name_key(name);
    const auto changed = transaction.execute(
        "UPDATE site_people SET password = ?3 WHERE name_key = ?1 AND password = ?2 AND is_leaving = 0 RETURNING name",
        {key, before, password});
    if (changed.empty()) return;
    ended = end_sessions(transaction, key);
  });
  return ended;
}

void PeopleStore::begin_deletion(std::string_view name) {
  store_.transact([&](sql::Transaction& transaction) {
    transaction.execute("UPDATE site_people SET is_leaving = 1 WHERE name_key = ?1", {name_key(name)});
    transaction.execute("DELETE FROM site_sessions WHERE name_key = ?1", {name_key(name)});
  });
}

void PeopleStore::remove(const Person& person) {
  store_.transact([&](sql::Transaction& transaction) {
    const auto key = name_key(person.name);
    const auto same =
        transaction.execute("SELECT 1 FROM site_people WHERE name_key = ?1 AND password = ?2", {key, person.password});
    if (same.empty()) return;
    transaction.execute(
        "DELETE FROM site_oauth_tokens WHERE grant_id IN (SELECT grant_id FROM site_oauth_grants WHERE name_key = ?1)",
        {key});
    for (const std::string table :
         {"site_sessions", "site_devices", "site_shares", "site_recovery", "site_feeds", "site_feed_changes",
          "site_webhooks", "site_webhook_changes", "site_webhook_messages", "site_webhook_leases",
          "site_absent_changes", "site_oauth_grants", "site_people"}) {
      transaction.execute("DELETE FROM " + table + " WHERE name_key = ?1", {key});
    }
  });
}

std::vector<Person> PeopleStore::pending_deletions() {
  std::vector<Person> people;
  store_.transact([&](sql::Transaction& transaction) {
    people.clear();
    const auto statement = "SELECT " + std::string(kColumns) + " FROM site_people WHERE is_leaving = 1 LIMIT 100";
    for (const auto& row : transaction.execute(statement)) people.push_back(person_of(row));
  });
  return people;
}

std::optional<std::vector<std::string>> PeopleStore::add_session(const Person& person, const NewSession& session,
                                                                 std::int64_t now_ms) {
  std::optional<std::vector<std::string>> ended;
  store_.transact([&](sql::Transaction& transaction) {
    ended.reset();
    const auto key = name_key(person.name);
    transaction.execute("DELETE FROM site_sessions WHERE until_ms <= ?1", {now_ms});
    const auto same = transaction.execute(
        "SELECT 1 FROM site_people WHERE name_key = ?1 AND password = ?2 AND is_leaving = 0", {key, person.password});
    if (same.empty()) return;
    transaction.execute("INSERT INTO site_sessions (token, name_key, until_ms) VALUES (?1, ?2, ?3)",
                        {session.token_hash, key, session.expires_ms});
    ended = remove_oldest(transaction, "site_sessions", key, session.token_hash);
    if (session.device_hash.empty()) return;
    transaction.execute("DELETE FROM site_devices WHERE until_ms <= ?1", {now_ms});
    transaction.execute("INSERT INTO site_devices (token, name_key, until_ms) VALUES (?1, ?2, ?3)",
                        {session.device_hash, key, session.device_expires_ms});
    remove_oldest(transaction, "site_devices", key, session.device_hash);
  });
  return ended;
}

std::optional<Person> PeopleStore::find_session(const std::string& token_hash, std::int64_t now_ms) {
  std::optional<Person> found;
  store_.transact([&](sql::Transaction& transaction) {
    const auto rows =
        transaction.execute("SELECT " + std::string(kColumns) +
                                " FROM site_people WHERE is_leaving = 0 AND name_key ="
                                " (SELECT name_key FROM site_sessions WHERE token = ?1 AND until_ms > ?2)",
                            {token_hash, now_ms});
    found = rows.empty() ? std::nullopt : std::optional(person_of(rows.front()));
  });
  return found;
}

void PeopleStore::remove_session(const std::string& token_hash) {
  store_.transact([&](sql::Transaction& transaction) {
    transaction.execute("DELETE FROM site_sessions WHERE token = ?1", {token_hash});
  });
}

bool PeopleStore::is_device_of(const std::string& device_hash, std::string_view name, std::int64_t now_ms) {
  bool is_known = false;
  store_.transact([&](sql::Transaction& transaction) {
    const auto rows =
        transaction.execute("SELECT 1 FROM site_devices WHERE token = ?1 AND name_key = ?2 AND until_ms > ?3",
                            {device_hash, name_key(name), now_ms});
    is_known = !rows.empty();
  });
  return is_known;
}

}  // namespace tonearm::web
