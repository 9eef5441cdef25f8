#include "people/webhook_store.h"

#include <set>

#include "people/people_store.h"

namespace tonearm::web {
namespace {

constexpr int kMessagesMax = 500;  // of a person; the oldest ones are forgotten
constexpr std::int64_t kTestsMax = 400;
constexpr int kShownMax = 100;
constexpr int kChecksPerClaim = 20;
constexpr std::size_t kDeliveriesPerClaim = 20;
constexpr int kRowsPerClaim = 200;

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
  for (const std::string table : {"site_webhooks", "site_webhook_changes", "site_webhook_messages"}) {
    transaction.execute("DELETE FROM " + table + " WHERE name_key = ?1", {key});
  }
}

void insert_message(sql::Transaction& transaction, const std::string& key, const WebhookChange& message,
                    std::int64_t now_ms) {
  transaction.execute(
      "INSERT INTO site_webhook_messages (message_id, name_key, body, created_ms, tries, next_ms, is_given_up, error)"
      " VALUES (?1, ?2, ?3, ?4, 0, ?4, 0, '')",
      {message.message_id, key, message.body, now_ms});
}

void remove_oldest_messages(sql::Transaction& transaction, const std::string& key) {
  transaction.execute(
      "DELETE FROM site_webhook_messages WHERE name_key = ?1 AND message_id NOT IN"
      " (SELECT message_id FROM site_webhook_messages WHERE name_key = ?1 ORDER BY created_ms DESC, message_id LIMIT " +
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

bool WebhookStore::set(const Webhook& webhook, const std::vector<std::string>& known) {
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
    for (const auto& change : std::set<std::string>(known.begin(), known.end())) {
      transaction.execute("INSERT INTO site_webhook_changes (name_key, change) VALUES (?1, ?2)", {key, change});
    }
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
    const auto rows = transaction.execute(std::string(kWebhooks) +
                                              "hooks.is_ended = 0 AND hooks.checked_ms <= ?1"
                                              " ORDER BY hooks.checked_ms, hooks.name_key LIMIT " +
                                              std::to_string(kChecksPerClaim),
                                          {now_ms - interval_ms});
    for (const auto& row : rows) {
      constexpr std::size_t kNameKey = 7;
      transaction.execute("UPDATE site_webhooks SET checked_ms = ?2 WHERE name_key = ?1", {row.at(kNameKey), now_ms});
      due.push_back(webhook_of(row));
    }
  });
  return due;
}

void WebhookStore::add_changes(const Webhook& webhook, const std::vector<WebhookChange>& changes, std::int64_t now_ms) {
  store_.transact([&](sql::Transaction& transaction) {
    const auto key = name_key(webhook.person);
    const auto same =
        transaction.execute("SELECT 1 FROM site_webhooks WHERE name_key = ?1 AND secret = ?2", {key, webhook.secret});
    if (same.empty()) return;
    std::set<std::string> before;
    for (const auto& row : transaction.execute("SELECT change FROM site_webhook_changes WHERE name_key = ?1", {key})) {
      before.insert(text_of(row, 0));
    }
    std::set<std::string> now;
    for (const auto& change : changes) {
      const bool is_new = !before.contains(change.key) && !now.contains(change.key);
      now.insert(change.key);
      if (!is_new) continue;
      transaction.execute("INSERT INTO site_webhook_changes (name_key, change) VALUES (?1, ?2)", {key, change.key});
      insert_message(transaction, key, change, now_ms);
    }
    for (const auto& change : before) {
      if (now.contains(change)) continue;
      transaction.execute("DELETE FROM site_webhook_changes WHERE name_key = ?1 AND change = ?2", {key, change});
    }
    remove_oldest_messages(transaction, key);
  });
}

bool WebhookStore::add_message(std::string_view name, const WebhookChange& message, std::int64_t now_ms) {
  bool is_added = false;
  store_.transact([&](sql::Transaction& transaction) {
    const auto key = name_key(name);
    const auto rows = transaction.execute(
        "SELECT (SELECT COUNT(*) FROM site_webhook_messages WHERE name_key = ?1) FROM site_webhooks"
        " WHERE name_key = ?1 AND is_ended = 0",
        {key});
    is_added = !rows.empty() && number_of(rows[0], 0) < kTestsMax;
    if (is_added) insert_message(transaction, key, message, now_ms);
  });
  return is_added;
}

std::vector<WebhookDelivery> WebhookStore::claim_deliveries(std::int64_t now_ms, std::int64_t lease_ms) {
  std::vector<WebhookDelivery> due;
  store_.transact([&](sql::Transaction& transaction) {
    due.clear();
    const auto rows = transaction.execute(
        "SELECT messages.message_id, messages.name_key, hooks.address, hooks.secret, messages.body, messages.tries"
        " FROM site_webhook_messages messages JOIN site_webhooks hooks ON hooks.name_key = messages.name_key"
        " WHERE messages.is_given_up = 0 AND hooks.is_ended = 0 AND messages.next_ms <= ?1"
        " ORDER BY messages.next_ms, messages.message_id LIMIT " +
            std::to_string(kRowsPerClaim),
        {now_ms});
    std::set<std::string> people;
    for (const auto& row : rows) {
      if (due.size() == kDeliveriesPerClaim) break;
      if (!people.insert(text_of(row, 1)).second) continue;
      due.push_back(
          {text_of(row, 0), text_of(row, 1), text_of(row, 2), text_of(row, 3), text_of(row, 4), number_of(row, 5)});
      transaction.execute("UPDATE site_webhook_messages SET next_ms = ?2 WHERE message_id = ?1",
                          {row[0], now_ms + lease_ms});
    }
  });
  return due;
}

void WebhookStore::set_delivered(const WebhookDelivery& delivery, std::int64_t now_ms) {
  store_.transact([&](sql::Transaction& transaction) {
    const auto removed = transaction.execute(
        "DELETE FROM site_webhook_messages WHERE message_id = ?1 RETURNING name_key", {delivery.id});
    if (removed.empty()) return;
    transaction.execute("UPDATE site_webhooks SET delivered_ms = ?2 WHERE name_key = ?1", {removed[0][0], now_ms});
  });
}

void WebhookStore::set_failed(const WebhookDelivery& delivery, const std::string& error,
                              std::optional<std::int64_t> next_ms) {
  store_.transact([&](sql::Transaction& transaction) {
    transaction.execute(
        "UPDATE site_webhook_messages SET tries = tries + 1, next_ms = ?2, is_given_up = ?3, error = ?4"
        " WHERE message_id = ?1",
        {delivery.id, next_ms.value_or(0), std::int64_t{next_ms ? 0 : 1}, error});
  });
}

void WebhookStore::end(const WebhookDelivery& delivery, const std::string& error) {
  store_.transact([&](sql::Transaction& transaction) {
    transaction.execute("UPDATE site_webhooks SET is_ended = 1 WHERE name_key = ?1 AND secret = ?2",
                        {name_key(delivery.person), delivery.secret});
    transaction.execute(
        "UPDATE site_webhook_messages SET tries = tries + 1, next_ms = 0, is_given_up = 1, error = ?2"
        " WHERE message_id = ?1",
        {delivery.id, error});
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
