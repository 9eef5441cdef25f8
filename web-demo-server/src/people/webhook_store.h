#pragma once
// Stores the webhooks of people, the license changes that they were told, and the messages that are not delivered yet
// (WEB-46). Safe for concurrent calls. Every function throws sql::Failure if the store fails.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "people/absent_changes.h"
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

/// A message that is not stored yet.
struct NewWebhookMessage {
  std::string id;
  std::string body;
  std::string change;  // identifies the license change that it reports; empty: it reports none
};

/// A message to deliver.
struct WebhookDelivery {
  std::string id;
  std::string name_key;  // of the person
  std::string address;
  std::string secret;
  std::string body;
  std::int64_t tries = 0;     // that failed
  std::int64_t lease_ms = 0;  // when another server may send to this address
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
  bool set(const Webhook& webhook, const std::set<std::string>& known);
  void remove(std::string_view name);

  /// Returns webhooks whose license changes were not read for `interval_ms`, or were read in the future by a wrong
  /// clock, and records that they are read now.
  std::vector<Webhook> claim_checks(std::int64_t now_ms, std::int64_t interval_ms);
  /// Adds the messages whose changes are new, as long as at most 500 of the person wait, and forgets changes that are
  /// not `listed` any more (see forget_absent_changes). Changes nothing if the webhook was replaced or has ended.
  void add_changes(const Webhook& webhook, const std::vector<NewWebhookMessage>& messages, const ListedChanges& listed,
                   std::int64_t now_ms);
  enum class Added : std::uint8_t { yes, no_webhook, too_many };
  /// Adds a message that reports no change, unless too many of the person are not delivered.
  Added add_message(std::string_view name, const NewWebhookMessage& message, std::int64_t now_ms);

  /// Returns messages that are due, of at most `count_max` people and one of each. No server sends another one of these
  /// people until the result is recorded, or for `lease_ms`.
  std::vector<WebhookDelivery> claim_deliveries(std::int64_t now_ms, std::int64_t lease_ms, std::size_t count_max);
  void set_delivered(const WebhookDelivery& delivery, std::int64_t now_ms);
  /// `next_ms`: when to try again; nothing: the message is given up. Does not change a message that was sent again
  /// meanwhile (see `resend`).
  void set_failed(const WebhookDelivery& delivery, const std::string& error, std::optional<std::int64_t> next_ms);
  /// Ends the webhook and gives up all its messages.
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
