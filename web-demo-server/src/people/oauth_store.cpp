#include "people/oauth_store.h"

#include <algorithm>

#include "people/people_store.h"

namespace tonearm::web {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kUnusedClientMs = 7 * kDayMs;
constexpr std::int64_t kClientsMax = 10'000;
constexpr int kConnectionsMax = 20;  // OAUTH-9, and as many codes
constexpr int kUsedTokensMax = 100;  // of a grant, so that a replay is recognized (OAUTH-8)

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

/// Ends the keys in the first column, except empty ones.
void end_keys(sql::Transaction& transaction, const sql::Rows& rows) {
  for (const auto& row : rows) {
    const auto& key_id = std::get<std::string>(row[0]);
    if (key_id.empty()) continue;
    transaction.execute("INSERT INTO site_ended_keys (key_id) VALUES (?1) ON CONFLICT DO NOTHING", {key_id});
  }
}

enum class Exchanged : std::uint8_t { no, yes };

/// Ends the person's oldest grants, so that at most `most` remain of those whose code was or was not exchanged.
void end_oldest(sql::Transaction& transaction, const std::string& key, Exchanged exchanged, int most) {
  const std::string of_person =
      std::string("name_key = ?1 AND key_id ") + (exchanged == Exchanged::yes ? "<> ''" : "= ''");
  const auto ended = transaction.execute("DELETE FROM site_oauth_grants WHERE " + of_person +
                                             " AND grant_id NOT IN (SELECT grant_id FROM site_oauth_grants WHERE " +
                                             of_person + " ORDER BY created_ms DESC, grant_id LIMIT " +
                                             std::to_string(most) + ") RETURNING key_id, grant_id",
                                         {key});
  end_keys(transaction, ended);
  for (const auto& row : ended) {
    transaction.execute("DELETE FROM site_oauth_tokens WHERE grant_id = ?1", {row[1]});
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

bool OauthStore::add_grant(const OauthGrant& grant, const std::string& code_hash, std::int64_t code_expires_ms,
                           std::int64_t now_ms) {
  bool is_added = false;
  store_.transact([&](sql::Transaction& transaction) {
    const auto key = name_key(grant.person);
    is_added = is_account_of(transaction, key, grant.account);
    if (!is_added) return;
    remove_expired(transaction, now_ms);
    end_oldest(transaction, key, Exchanged::no, kConnectionsMax - 1);
    transaction.execute(
        "INSERT INTO site_oauth_grants (grant_id, name_key, client_id, client_name, redirect, challenge, key_id,"
        " created_ms, used_ms, until_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, '', ?7, ?7, ?8)",
        {grant.id, key, grant.client_id, grant.client_name, grant.redirect, grant.challenge, now_ms, code_expires_ms});
    insert_token(transaction, code_hash, grant.id, OauthTokenKind::code, code_expires_ms);
  });
  return is_added;
}

std::optional<FoundToken> OauthStore::find_token(const std::string& hash, std::int64_t now_ms) {
  std::optional<FoundToken> found;
  store_.transact([&](sql::Transaction& transaction) {
    found.reset();
    const auto rows = transaction.execute(
        "SELECT tokens.kind, tokens.until_ms, tokens.is_used, grants.grant_id, people.name, people.account,"
        " grants.client_id, grants.client_name, grants.redirect, grants.challenge, grants.key_id"
        " FROM site_oauth_tokens tokens"
        " JOIN site_oauth_grants grants ON grants.grant_id = tokens.grant_id"
        " JOIN site_people people ON people.name_key = grants.name_key"
        " WHERE tokens.hash = ?1 AND people.is_leaving = 0",
        {hash});
    if (rows.empty()) return;
    const auto number = [&](std::size_t column) { return std::get<std::int64_t>(rows[0][column]); };
    const auto text = [&](std::size_t column) { return std::get<std::string>(rows[0][column]); };
    FoundToken token{{text(3), text(4), text(5), text(6), text(7), text(8), text(9), text(10)},
                     static_cast<OauthTokenKind>(number(0))};
    if (number(1) <= now_ms) token.state = FoundToken::State::expired;
    if (number(2) != 0) token.state = FoundToken::State::used;
    found = std::move(token);
  });
  return found;
}

bool OauthStore::exchange(const std::string& hash, const NextTokens& next, std::int64_t now_ms) {
  bool is_valid = false;
  store_.transact([&](sql::Transaction& transaction) {
    const auto before = transaction.execute(
        "SELECT grants.key_id, grants.grant_id, grants.name_key FROM site_oauth_tokens tokens"
        " JOIN site_oauth_grants grants ON grants.grant_id = tokens.grant_id"
        " WHERE tokens.hash = ?1 AND tokens.is_used = 0 AND tokens.until_ms > ?2 AND tokens.kind <> ?3",
        {hash, now_ms, static_cast<std::int64_t>(OauthTokenKind::access)});
    is_valid = !before.empty();
    if (!is_valid) {
      end_keys(transaction, sql::Rows{{next.key_id}});
      return;
    }
    end_keys(transaction, before);
    const auto& grant_id = std::get<std::string>(before[0][1]);
    transaction.execute("UPDATE site_oauth_tokens SET is_used = 1 WHERE hash = ?1", {hash});
    transaction.execute(
        "DELETE FROM site_oauth_tokens WHERE grant_id = ?1 AND (kind = ?2 OR (is_used = 1 AND hash NOT IN"
        " (SELECT hash FROM site_oauth_tokens WHERE grant_id = ?1 AND is_used = 1"
        " ORDER BY until_ms DESC, hash LIMIT " +
            std::to_string(kUsedTokensMax) + ")))",
        {grant_id, static_cast<std::int64_t>(OauthTokenKind::access)});
    transaction.execute("UPDATE site_oauth_grants SET key_id = ?2, used_ms = ?3, until_ms = ?4 WHERE grant_id = ?1",
                        {grant_id, next.key_id, now_ms, next.refresh_expires_ms});
    insert_token(transaction, next.refresh_hash, grant_id, OauthTokenKind::refresh, next.refresh_expires_ms);
    insert_token(transaction, next.access_hash, grant_id, OauthTokenKind::access, next.access_expires_ms);
    end_oldest(transaction, std::get<std::string>(before[0][2]), Exchanged::yes, kConnectionsMax);
  });
  return is_valid;
}

void OauthStore::end_grant(const std::string& grant_id) {
  store_.transact([&](sql::Transaction& transaction) {
    end_keys(transaction,
             transaction.execute("DELETE FROM site_oauth_grants WHERE grant_id = ?1 RETURNING key_id", {grant_id}));
    transaction.execute("DELETE FROM site_oauth_tokens WHERE grant_id = ?1", {grant_id});
  });
}

std::vector<std::string> OauthStore::ended_keys(std::size_t count_max) {
  std::vector<std::string> key_ids;
  store_.transact([&](sql::Transaction& transaction) {
    key_ids.clear();
    const auto statement = "SELECT key_id FROM site_ended_keys ORDER BY key_id LIMIT " + std::to_string(count_max);
    for (const auto& row : transaction.execute(statement)) key_ids.push_back(std::get<std::string>(row[0]));
  });
  return key_ids;
}

void OauthStore::remove_ended_key(const std::string& key_id) {
  store_.transact([&](sql::Transaction& transaction) {
    transaction.execute("DELETE FROM site_ended_keys WHERE key_id = ?1", {key_id});
  });
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
