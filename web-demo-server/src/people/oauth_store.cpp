#include "people/oauth_store.h"

#include <algorithm>

#include "people/people_store.h"

namespace tonearm::web {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kUnusedClientMs = 7 * kDayMs;
constexpr std::int64_t kClientsMax = 10'000;
constexpr int kGrantsMax = 20;  // OAUTH-9

constexpr std::string_view kHasNoGrant =
    "NOT EXISTS (SELECT 1 FROM site_oauth_grants grants WHERE grants.client_id = site_oauth_clients.client_id)";

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text.append(text.empty() ? "" : "\n").append(line);
  return text;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Adds the key ids in the first column, except empty ones.
void append_keys(std::vector<std::string>& keys, const sql::Rows& rows) {
  for (const auto& row : rows) {
    if (const auto& key = std::get<std::string>(row[0]); !key.empty()) keys.push_back(key);
  }
}

/// Removes what has expired. Codes and tokens remain for another day, so that a replay is recognized (OAUTH-7).
void remove_expired(sql::Transaction& transaction, std::int64_t now_ms) {
  transaction.execute("DELETE FROM site_oauth_tokens WHERE until_ms <= ?1", {now_ms - kDayMs});
  transaction.execute("DELETE FROM site_oauth_grants WHERE until_ms <= ?1", {now_ms - kDayMs});
}

void insert_token(sql::Transaction& transaction, const std::string& hash, const std::string& grant_id,
                  OauthTokenKind kind, std::int64_t expires_ms) {
  transaction.execute(
      "INSERT INTO site_oauth_tokens (hash, grant_id, kind, until_ms, is_used) VALUES (?1, ?2, ?3, ?4, 0)",
      {hash, grant_id, static_cast<std::int64_t>(kind), expires_ms});
}

}  // namespace

bool OauthStore::add_client(const OauthClient& client, std::int64_t now_ms) {
  bool is_added = false;
  store_.transact([&](sql::Transaction& transaction) {
    const std::string condition(kHasNoGrant);
    remove_expired(transaction, now_ms);
    transaction.execute("DELETE FROM site_oauth_clients WHERE created_ms <= ?1 AND " + condition,
                        {now_ms - kUnusedClientMs});
    const auto count = [&] {
      return std::get<std::int64_t>(transaction.execute("SELECT COUNT(*) FROM site_oauth_clients")[0][0]);
    };
    if (count() >= kClientsMax) {
      transaction.execute(
          "DELETE FROM site_oauth_clients WHERE client_id = (SELECT client_id FROM site_oauth_clients WHERE " +
          condition + " ORDER BY created_ms, client_id LIMIT 1)");
    }
    is_added = count() < kClientsMax;
    if (!is_added) return;
    transaction.execute(
        "INSERT INTO site_oauth_clients (client_id, name, redirects, created_ms) VALUES (?1, ?2, ?3, ?4)",
        {client.id, client.name, joined(client.redirects), now_ms});
  });
  return is_added;
}

std::optional<OauthClient> OauthStore::find_client(const std::string& id) {
  std::optional<OauthClient> found;
  store_.transact([&](sql::Transaction& transaction) {
    found.reset();
    const auto rows = transaction.execute("SELECT name, redirects FROM site_oauth_clients WHERE client_id = ?1", {id});
    if (rows.empty()) return;
    found = OauthClient{id, std::get<std::string>(rows[0][0]), split(std::get<std::string>(rows[0][1]))};
  });
  return found;
}

std::vector<std::string> OauthStore::add_grant(const OauthGrant& grant, const std::string& code_hash,
                                               std::int64_t code_expires_ms, std::int64_t now_ms) {
  std::vector<std::string> ended;
  store_.transact([&](sql::Transaction& transaction) {
    ended.clear();
    const auto key = name_key(grant.person);
    remove_expired(transaction, now_ms);
    append_keys(ended, transaction.execute("DELETE FROM site_oauth_grants WHERE name_key = ?1 AND grant_id NOT IN"
                                           " (SELECT grant_id FROM site_oauth_grants WHERE name_key = ?1"
                                           " ORDER BY created_ms DESC, grant_id LIMIT " +
                                               std::to_string(kGrantsMax - 1) + ") RETURNING key_id",
                                           {key}));
    transaction.execute(
        "INSERT INTO site_oauth_grants (grant_id, name_key, client_id, client_name, redirect, challenge, key_id,"
        " created_ms, used_ms, until_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, '', ?7, ?7, ?8)",
        {grant.id, key, grant.client_id, grant.client_name, grant.redirect, grant.challenge, now_ms, code_expires_ms});
    insert_token(transaction, code_hash, grant.id, OauthTokenKind::code, code_expires_ms);
  });
  return ended;
}

std::optional<FoundToken> OauthStore::find_token(const std::string& hash, std::int64_t now_ms) {
  std::optional<FoundToken> found;
  store_.transact([&](sql::Transaction& transaction) {
    found.reset();
    const auto rows = transaction.execute(
        "SELECT tokens.kind, tokens.until_ms, tokens.is_used, grants.grant_id, people.name, people.account,"
        " grants.client_id, grants.client_name, grants.redirect, grants.challenge FROM site_oauth_tokens tokens"
        " JOIN site_oauth_grants grants ON grants.grant_id = tokens.grant_id"
        " JOIN site_people people ON people.name_key = grants.name_key"
        " WHERE tokens.hash = ?1 AND people.is_leaving = 0",
        {hash});
    if (rows.empty()) return;
    const auto number = [&](std::size_t column) { return std::get<std::int64_t>(rows[0][column]); };
    const auto text = [&](std::size_t column) { return std::get<std::string>(rows[0][column]); };
    FoundToken token{{text(3), text(4), text(5), text(6), text(7), text(8), text(9)},
                     static_cast<OauthTokenKind>(number(0))};
    if (number(1) <= now_ms) token.state = FoundToken::State::expired;
    if (number(2) != 0) token.state = FoundToken::State::used;
    found = std::move(token);
  });
  return found;
}

std::optional<std::vector<std::string>> OauthStore::exchange(const std::string& hash, const NextTokens& next,
                                                             std::int64_t now_ms) {
  std::optional<std::vector<std::string>> ended;
  store_.transact([&](sql::Transaction& transaction) {
    ended.reset();
    const auto before = transaction.execute(
        "SELECT grants.key_id, grants.grant_id FROM site_oauth_tokens tokens"
        " JOIN site_oauth_grants grants ON grants.grant_id = tokens.grant_id"
        " WHERE tokens.hash = ?1 AND tokens.is_used = 0 AND tokens.until_ms > ?2 AND tokens.kind <> ?3",
        {hash, now_ms, static_cast<std::int64_t>(OauthTokenKind::access)});
    if (before.empty()) return;
    const auto& grant_id = std::get<std::string>(before[0][1]);
    ended.emplace();
    append_keys(*ended, before);
    transaction.execute("UPDATE site_oauth_tokens SET is_used = 1 WHERE hash = ?1", {hash});
    transaction.execute("DELETE FROM site_oauth_tokens WHERE grant_id = ?1 AND kind = ?2",
                        {grant_id, static_cast<std::int64_t>(OauthTokenKind::access)});
    transaction.execute("UPDATE site_oauth_grants SET key_id = ?2, used_ms = ?3, until_ms = ?4 WHERE grant_id = ?1",
                        {grant_id, next.key_id, now_ms, next.refresh_expires_ms});
    insert_token(transaction, next.refresh_hash, grant_id, OauthTokenKind::refresh, next.refresh_expires_ms);
    insert_token(transaction, next.access_hash, grant_id, OauthTokenKind::access, next.access_expires_ms);
  });
  return ended;
}

std::vector<std::string> OauthStore::end_grant(const std::string& grant_id) {
  std::vector<std::string> ended;
  store_.transact([&](sql::Transaction& transaction) {
    ended.clear();
    append_keys(ended,
                transaction.execute("DELETE FROM site_oauth_grants WHERE grant_id = ?1 RETURNING key_id", {grant_id}));
    transaction.execute("DELETE FROM site_oauth_tokens WHERE grant_id = ?1", {grant_id});
  });
  return ended;
}

std::vector<Connection> OauthStore::connections(std::string_view name, std::int64_t now_ms) {
  std::vector<Connection> found;
  store_.transact([&](sql::Transaction& transaction) {
    found.clear();
    const auto rows = transaction.execute(
        "SELECT grant_id, client_name, redirect, created_ms, used_ms, key_id FROM site_oauth_grants"
        " WHERE name_key = ?1 AND key_id <> '' AND until_ms > ?2 ORDER BY created_ms DESC, grant_id",
        {name_key(name), now_ms});
    for (const auto& row : rows) {
      const auto text = [&](std::size_t column) { return std::get<std::string>(row[column]); };
      found.push_back(
          {text(0), text(1), text(2), std::get<std::int64_t>(row[3]), std::get<std::int64_t>(row[4]), text(5)});
    }
  });
  return found;
}

}  // namespace tonearm::web
