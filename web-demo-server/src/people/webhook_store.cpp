#include "people/webhook_store.h"

#include <algorithm>
#include <set>

#include "people/people_store.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kMessagesMax = 500;  // of a person
constexpr std::int64_t kTestsMax = 400;
constexpr int kShownMax = 100;
constexpr int kChecksPerClaim = 20;
constexpr std::int64_t kClockSkewMs = 60'000;  // between servers

std::string text_of(const sql::Row& row, std::size_t column) { return std::get<std::string>(row.at(column)); }
std::int64_t number_of(const sql::Row& row, std::size_t column) { return std::get<std::int64_t>(row.at(column)); }

constexpr std::string_view kWebhooks =
    "SELECT people.name, people.account, hooks.address, hooks.secret, hooks.created_ms, hooks.delivered_ms,"
    " hooks.is_ended, hooks.name_key FROM site_webhooks hooks JOIN site_people people ON people.name_key = "
    "hooks.name_key"
    " WHERE people.is_leaving = 0 AND ";

Webhook webhook_of(const sql::Row& row) {
  return {text_of(row, 0),   text_of(row, 1),   text_of(row, 2),       text_of(row, 3),
          number_of(row, 4), number_of(row, 5), number_of(row, 6) != 0};
}

void remove_webhook(sql::Transaction& transaction, const std::string& key) {
  // The lease remains, so that a message that is being sent to the earlier address delays those to a new one.
  for (const std::string table : {"site_webhooks", "site_webhook_changes", "site_webhook_messages"}) {
    transaction.execute("DELETE FROM " + table + " WHERE name_key = ?1", {key});
  }
  transaction.execute("DELETE FROM site_absent_changes WHERE name_key = ?1 AND list = 'site_webhook_changes'", {key});
}

void insert_changes(sql::Transaction& transaction, const std::string& key, const std::set<std::string>& changes) {
  std::vector<sql::Row> rows;
  rows.reserve(changes.size());
  for (const auto& change : changes) rows.push_back({key, change});
  transaction.execute_each("INSERT INTO site_webhook_changes (name_key, change) VALUES (?1, ?2)", rows);
}

void insert_messages(sql::Transaction& transaction, const std::string& key,
                     const std::vector<NewWebhookMessage>& messages, std::int64_t now_ms) {
  std::vector<sql::Row> rows;
  rows.reserve(messages.size());
  for (const auto& message : messages) rows.push_back({message.id, key, message.body, now_ms});
  transaction.execute_each(
      "INSERT INTO site_webhook_messages (message_id, name_key, body, created_ms, tries, next_ms, is_given_up, error)"
      " VALUES (?1, ?2, ?3, ?4, 0, ?4, 0, '')",
      rows);
}

/// Ends the lease of a delivery, unless another server has it now.
void end_lease(sql::Transaction& transaction, const WebhookDelivery& delivery) {
  transaction.execute("DELETE FROM site_webhook_leases WHERE name_key = ?1 AND until_ms = ?2",
                      {delivery.name_key, delivery.lease_ms});
}

/// Returns how many messages of a person may be added. Those that are given up do not count: they are removed.
std::size_t free_slots(sql::Transaction& transaction, const std::string& key) {
  const auto counts =
      transaction.execute("SELECT COUNT(*) FROM site_webhook_messages WHERE name_key = ?1 AND is_given_up = 0", {key});
  return kMessagesMax - std::min(kMessagesMax, static_cast<std::size_t>(number_of(counts.at(0), 0)));
}

/// Removes messages above the limit: the oldest that are given up.
void remove_given_up_messages(sql::Transaction& transaction, const std::string& key) {
  transaction.execute(
      "DELETE FROM site_webhook_messages WHERE name_key = ?1 AND message_id NOT IN"
      " (SELECT message_id FROM site_webhook_messages WHERE name_key = ?1"
      " ORDER BY is_given_up, created_ms DESC, message_id LIMIT " +
          std::to_string(kMessagesMax) + ")",
      {key});
}

}  // namespace

std::optional<Webhook> WebhookStore::find(std::string_view name) {
  std::optional<Webhook> found;
  store_.transact([&](sql::Transaction& transaction) {
    const auto rows = transaction.execute(std::string(kWebhooks) + "hooks.name_key = ?1", {name_key(name)});
    found = rows.empty() ? std::nullopt : std::optional(webhook_of(rows[0]));
  });
  return found;
}

bool WebhookStore::set(const Webhook& webhook, const std::set<std::string>& known) {
  bool is_set = false;
  store_.transact([&](sql::Transaction& transaction) {
    const auto key = name_key(webhook.person);
    is_set = is_account_of(transaction, key, webhook.account);
    if (!is_set) return;
    remove_webhook(transaction, key);
    transaction.execute(
        "INSERT INTO site_webhooks (name_key, address, secret, created_ms, checked_ms, delivered_ms, is_ended)"
        " VALUES (?1, ?2, ?3, ?4, ?4, 0, 0)",
        {key, webhook.address, webhook.secret, webhook.created_ms});
    insert_changes(transaction, key, known);
  });
  return is_set;
}

void WebhookStore::remove(std::string_view name) {
  store_.transact([&](sql::Transaction& transaction) { remove_webhook(transaction, name_key(name)); });
}

std::vector<Webhook> WebhookStore::claim_checks(std::int64_t now_ms, std::int64_t interval_ms) {
  std::vector<Webhook> due;
  store_.transact([&](sql::Transaction& transaction) {
    due.clear();
    const auto rows =
        transaction.execute(std::string(kWebhooks) +
                                "hooks.is_ended = 0 AND (hooks.checked_ms <= ?1 OR hooks.checked_ms - ?2 > ?3)"
                                " ORDER BY hooks.checked_ms, hooks.name_key LIMIT " +
                                std::to_string(kChecksPerClaim),
                            {now_ms - interval_ms, now_ms, kClockSkewMs});
    std::vector<sql::Row> claimed;
    for (const auto& row : rows) {
      constexpr std::size_t kNameKey = 7;
      claimed.push_back({row.at(kNameKey), now_ms});
      due.push_back(webhook_of(row));
    }
    transaction.execute_each("UPDATE site_webhooks SET checked_ms = ?2 WHERE name_key = ?1", claimed);
  });
  return due;
}

void WebhookStore::add_changes(const Webhook& webhook, const std::vector<NewWebhookMessage>& messages,
                               const ListedChanges& listed, std::int64_t now_ms) {
  store_.transact([&](sql::Transaction& transaction) {
    const auto key = name_key(webhook.person);
    const auto same = transaction.execute(
        "SELECT 1 FROM site_webhooks WHERE name_key = ?1 AND secret = ?2 AND is_ended = 0", {key, webhook.secret});
    if (same.empty()) return;
    std::set<std::string> known;
    for (const auto& row : transaction.execute("SELECT change FROM site_webhook_changes WHERE name_key = ?1", {key})) {
      known.insert(text_of(row, 0));
    }
    // Further changes remain new, so that a later check adds them.
    const std::size_t slots = free_slots(transaction, key);
    std::vector<NewWebhookMessage> added;
    std::set<std::string> changes;
    for (const auto& message : messages) {
      if (added.size() == slots) break;
      if (known.contains(message.change) || !changes.insert(message.change).second) continue;
      added.push_back(message);
    }
    insert_changes(transaction, key, changes);
    insert_messages(transaction, key, added, now_ms);
    forget_absent_changes(transaction, "site_webhook_changes", key, known, listed, now_ms);
    if (!added.empty()) remove_given_up_messages(transaction, key);
  });
}

WebhookStore::Added WebhookStore::add_message(std::string_view name, const NewWebhookMessage& message,
                                              std::int64_t now_ms) {
  auto added = Added::yes;
  store_.transact([&](sql::Transaction& transaction) {
    const auto key = name_key(name);
    const auto rows = transaction.execute(
        "SELECT (SELECT COUNT(*) FROM site_webhook_messages WHERE name_key = ?1) FROM site_webhooks"
        " WHERE name_key = ?1 AND is_ended = 0",
        {key});
    added = rows.empty() ? Added::no_webhook : number_of(rows[0], 0) < kTestsMax ? Added::yes : Added::too_many;
    if (added == Added::yes) insert_messages(transaction, key, {message}, now_ms);
  });
  return added;
}

std::vector<WebhookDelivery> WebhookStore::claim_deliveries(std::int64_t now_ms, std::int64_t lease_ms,
                                                            std::size_t count_max) {
  std::vector<WebhookDelivery> due;
  store_.transact([&](sql::Transaction& transaction) {
    due.clear();
    const auto people = transaction.execute(
        "SELECT name_key, next_ms, address, secret FROM"
        " (SELECT hooks.name_key, hooks.address, hooks.secret, (SELECT MIN(messages.next_ms) FROM"
        " site_webhook_messages messages WHERE messages.name_key = hooks.name_key AND messages.is_given_up = 0) AS "
        "next_ms"
        " FROM site_webhooks hooks JOIN site_people people ON people.name_key = hooks.name_key"
        " LEFT JOIN site_webhook_leases leases ON leases.name_key = hooks.name_key"
        " WHERE hooks.is_ended = 0 AND people.is_leaving = 0 AND"
        " (leases.until_ms IS NULL OR leases.until_ms <= ?1 OR leases.until_ms - ?1 > ?2)) due"
        " WHERE next_ms <= ?1 ORDER BY next_ms, name_key LIMIT " +
            std::to_string(count_max),
        {now_ms, lease_ms + kClockSkewMs});
    std::vector<sql::Row> oldest;
    std::vector<sql::Row> leases;
    for (const auto& person : people) {
      oldest.push_back({person.at(0), person.at(1)});
      leases.push_back({person.at(0), now_ms + lease_ms});
    }
    transaction.execute_each(
        "INSERT INTO site_webhook_leases (name_key, until_ms) VALUES (?1, ?2)"
        " ON CONFLICT (name_key) DO UPDATE SET until_ms = excluded.until_ms",
        leases);
    const auto messages = transaction.execute_each(
        "SELECT message_id, body, tries FROM site_webhook_messages WHERE name_key = ?1 AND next_ms = ?2"
        " AND is_given_up = 0 ORDER BY message_id LIMIT 1",
        oldest);
    for (std::size_t i = 0; i < people.size(); ++i) {
      const auto& person = people[i];
      const auto& message = messages.at(i).at(0);
      due.push_back({text_of(message, 0), text_of(person, 0), text_of(person, 2), text_of(person, 3),
                     text_of(message, 1), number_of(message, 2), now_ms + lease_ms});
    }
  });
  return due;
}

void WebhookStore::set_delivered(const WebhookDelivery& delivery, std::int64_t now_ms) {
  store_.transact([&](sql::Transaction& transaction) {
    end_lease(transaction, delivery);
    const auto removed = transaction.execute(
        "DELETE FROM site_webhook_messages WHERE message_id = ?1 RETURNING name_key", {delivery.id});
    if (removed.empty()) return;
    transaction.execute("UPDATE site_webhooks SET delivered_ms = ?2 WHERE name_key = ?1", {removed[0][0], now_ms});
  });
}

void WebhookStore::set_failed(const WebhookDelivery& delivery, const std::string& error,
                              std::optional<std::int64_t> next_ms) {
  store_.transact([&](sql::Transaction& transaction) {
    end_lease(transaction, delivery);
    transaction.execute(
        "UPDATE site_webhook_messages SET tries = tries + 1, next_ms = ?2, is_given_up = ?3, error = ?4"
        " WHERE message_id = ?1 AND tries = ?5",  // else its person had it sent again meanwhile
        {delivery.id, next_ms.value_or(0), std::int64_t{next_ms ? 0 : 1}, error, delivery.tries});
  });
}

void WebhookStore::end(const WebhookDelivery& delivery, const std::string& error) {
  store_.transact([&](sql::Transaction& transaction) {
    end_lease(transaction, delivery);
    const auto ended = transaction.execute(
        "UPDATE site_webhooks SET is_ended = 1 WHERE name_key = ?1 AND secret = ?2 RETURNING name_key",
        {delivery.name_key, delivery.secret});
    if (ended.empty()) return;  // it was replaced
    transaction.execute("UPDATE site_webhook_messages SET tries = tries + 1 WHERE message_id = ?1", {delivery.id});
    transaction.execute("UPDATE site_webhook_messages SET next_ms = 0, is_given_up = 1, error = ?2 WHERE name_key = ?1",
                        {delivery.name_key, error});
  });
}

std::vector<UndeliveredMessage> WebhookStore::undelivered(std::string_view name) {
  std::vector<UndeliveredMessage> found;
  store_.transact([&](sql::Transaction& transaction) {
    found.clear();
    const auto rows = transaction.execute(
        "SELECT message_id, created_ms, tries, next_ms, is_given_up, error FROM site_webhook_messages"
        " WHERE name_key = ?1 ORDER BY created_ms DESC, message_id LIMIT " +
            std::to_string(kShownMax),
        {name_key(name)});
    for (const auto& row : rows) {
      found.push_back({text_of(row, 0), number_of(row, 1), number_of(row, 2), number_of(row, 3), number_of(row, 4) != 0,
                       text_of(row, 5)});
    }
  });
  return found;
}

bool WebhookStore::resend(std::string_view name, const std::string& id, std::int64_t now_ms) {
  bool is_found = false;
  store_.transact([&](sql::Transaction& transaction) {
    const auto rows = transaction.execute(
        "UPDATE site_webhook_messages SET tries = 0, next_ms = ?3, is_given_up = 0"
        " WHERE message_id = ?2 AND name_key = ?1 AND EXISTS"
        " (SELECT 1 FROM site_webhooks hooks WHERE hooks.name_key = ?1 AND hooks.is_ended = 0) RETURNING message_id",
        {name_key(name), id, now_ms});
    is_found = !rows.empty();
  });
  return is_found;
}

}  // namespace tonearm::web
