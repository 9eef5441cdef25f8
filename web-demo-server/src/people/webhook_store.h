#pragma once
// Stores the webhooks of people, the license changes that they were told, and the messages that are not delivered yet
// (WEB-46). Safe for concurrent calls. Every function throws sql::Failure if the store fails.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/sql.h"

namespace tonearm::web {

/// A person has at most one.
struct Webhook {
  std::string person;
  std::string account;
  std::string address;
  std::string secret;  // as the person sees it
  std::int64_t created_ms = 0;
  std::int64_t delivered_ms = 0;  // when a receiver last accepted a message; 0: never
  bool is_ended = false;          // the receiver answered 410, so nothing is sent any more
};

/// A change of a license, as a message.
struct WebhookChange {
  std::string key;         // identifies the change
  std::string message_id;  // identifies the message
  std::string body;
};

/// A message to deliver.
struct WebhookDelivery {
  std::string id;
  std::string person;
  std::string address;
  std::string secret;
  std::string body;
  std::int64_t tries = 0;  // that failed
};

/// A message as its person sees it.
struct UndeliveredMessage {
  std::string id;
  std::int64_t created_ms = 0;
  std::int64_t tries = 0;
  std::int64_t next_ms = 0;  // when it is sent again
  bool is_given_up = false;
  std::string error;  // of the last try; empty: not sent yet
};

class WebhookStore {
 public:
  /// REQUIRES: a PeopleStore has created the tables of `store`.
  explicit WebhookStore(sql::Store& store) : store_(store) {}

  std::optional<Webhook> find(std::string_view name);
  /// Replaces the person's webhook and forgets its messages. `known`: the changes that are not reported. Returns false
  /// and changes nothing if the account is no longer the person's.
  bool set(const Webhook& webhook, const std::vector<std::string>& known);
  void remove(std::string_view name);

  /// Returns webhooks whose license changes were not read for `interval_ms`, and records that they are read now.
  std::vector<Webhook> claim_checks(std::int64_t now_ms, std::int64_t interval_ms);
  /// Adds the changes that are new, and forgets those that exist no more. Changes nothing if the webhook was replaced.
  void add_changes(const Webhook& webhook, const std::vector<WebhookChange>& changes, std::int64_t now_ms);
  /// Adds a message that is no change. Returns false if there are too many undelivered messages, or no webhook.
  bool add_message(std::string_view name, const WebhookChange& message, std::int64_t now_ms);

  /// Returns messages that are due, at most one of each person, and lets no other server send them for `lease_ms`.
  std::vector<WebhookDelivery> claim_deliveries(std::int64_t now_ms, std::int64_t lease_ms);
  void set_delivered(const WebhookDelivery& delivery, std::int64_t now_ms);
  /// `next_ms`: when to try again; nothing: the message is given up.
  void set_failed(const WebhookDelivery& delivery, const std::string& error, std::optional<std::int64_t> next_ms);
  /// Ends the webhook: its messages are given up.
  void end(const WebhookDelivery& delivery, const std::string& error);

  /// The newest messages of the person that are not delivered, newest first.
  std::vector<UndeliveredMessage> undelivered(std::string_view name);
  /// Sends a message again now, as if it were new. Returns false if the person has no such message, or the webhook has
  /// ended.
  bool resend(std::string_view name, const std::string& id, std::int64_t now_ms);

 private:
  sql::Store& store_;
};

}  // namespace tonearm::web
