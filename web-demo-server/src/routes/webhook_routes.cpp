#include "routes/webhook_routes.h"

#include <array>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cstddef>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include "json/writer.h"
#include "messages/webhook_message.h"
#include "routes/license_changes.h"
#include "routes/password_checks.h"
#include "routes/proxy_routes.h"
#include "tonearm/ascii.h"
#include "tonearm/dates.h"

namespace tonearm::web {
namespace {

constexpr std::int64_t kCheckIntervalMs = 300'000;
constexpr std::size_t kChangesMax = 2'000;
constexpr std::size_t kMessageIdLength = 32;

std::string new_message_id(Site& site) { return "msg_" + site.sessions.new_token().substr(0, kMessageIdLength); }

Response no_webhook() { return error_answer(404, "not_found", "There is no webhook, or it has ended."); }

void write_message(json::Writer& out, const UndeliveredMessage& message) {
  out.begin_object();
  out.string("id", message.id);
  out.string("created", rfc3339(message.created_ms));
  out.integer("tries", message.tries);
  out.key("next_try");
  message.is_given_up ? out.null() : out.string(rfc3339(message.next_ms));
  out.key("error");
  message.error.empty() ? out.null() : out.string(message.error);
  out.end_object();
}

/// `secret`: null unless it was created now.
Response webhook_answer(Site& site, const SiteCall& call, int status, const std::string* secret = nullptr) {
  const auto& name = call.signed_in->person.name;
  const auto webhook = site.webhooks.find(name);
  json::Writer out;
  out.begin_object();
  out.key("address");
  webhook ? out.string(webhook->address) : out.null();
  if (webhook) {
    out.string("created", rfc3339(webhook->created_ms));
    out.key("last_delivered");
    webhook->delivered_ms == 0 ? out.null() : out.string(rfc3339(webhook->delivered_ms));
    out.boolean("ended", webhook->is_ended);
    if (secret != nullptr) out.string("secret", *secret);
    out.key("undelivered");
    out.begin_array();
    for (const auto& message : site.webhooks.undelivered(name)) write_message(out, message);
    out.end_array();
  }
  out.end_object();
  return json_answer(status, out.take());
}

NewWebhookMessage message_of(Site& site, std::string_view type, boost::json::object data, std::string change = {}) {
  const boost::json::object event{{"type", type},
                                  {"timestamp", rfc3339(site.clock.now_ms())},
                                  {"data", std::move(data)},
                                  {"untrusted_fields", {"data"}}};
  return {new_message_id(site), boost::json::serialize(event), std::move(change)};
}

/// Returns the answer to a person who asks for too many messages: the site sends them to an address of the person's
/// choice.
std::optional<Response> too_many_messages(Site& site, const SiteCall& call) {
  const auto wait_s = site.webhook_throttle.acquire(name_key(call.signed_in->person.name), site.clock.now_ms());
  if (wait_s == 0) return std::nullopt;
  return error_answer(429, "rate_limited", "Too many messages to the webhook. Try again later.", wait_s);
}

void add_license_changes(Site& site, const Webhook& webhook) {
  const auto [changes, keys, is_complete] = read_license_changes(site, webhook.account, kChangesMax);
  std::vector<NewWebhookMessage> messages;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    messages.push_back(message_of(site, "license.changed", changes[i].as_object(), keys[i]));
  }
  site.webhooks.add_changes(webhook, messages, {{keys.begin(), keys.end()}, is_complete}, site.clock.now_ms());
}

}  // namespace

Response get_webhook(Site& site, const SiteCall& call) { return webhook_answer(site, call, 200); }

Response set_webhook(Site& site, const SiteCall& call) {
  const auto body = read_strings(call.context.request.body, {"address"});
  if (!body) return error_answer(400, "invalid_request", "The body must be {\"address\": string}.");
  const auto address = string_of(*body, "address");
  if (const auto error = webhook_address_error(address, site.allows_private_webhooks); !error.empty()) {
    return error_answer(400, "invalid_request", error);
  }
  auto person = call.signed_in->person;
  ensure_account(site, person);
  const auto known = read_license_changes(site, person.account, kChangesMax);
  if (!known.is_complete && known.keys.size() < kChangesMax) {
    return error_answer(503, "unavailable", "Your collections are being compared with the catalog. Try again.", 1);
  }
  std::array<std::uint8_t, 32> random{};
  site.random.fill(random);
  const auto secret = webhook_secret(random);
  const Webhook webhook{person.name, person.account, address, secret, site.clock.now_ms()};
  if (!site.webhooks.set(webhook, {known.keys.begin(), known.keys.end()})) return not_signed_in();
  return webhook_answer(site, call, 201, &secret);
}

Response remove_webhook(Site& site, const SiteCall& call) {
  site.webhooks.remove(call.signed_in->person.name);
  return webhook_answer(site, call, 200);
}

Response test_webhook(Site& site, const SiteCall& call) {
  if (auto refusal = too_many_messages(site, call)) return *std::move(refusal);
  const auto message = message_of(site, "webhook.test", {});
  switch (site.webhooks.add_message(call.signed_in->person.name, message, site.clock.now_ms())) {
    case WebhookStore::Added::no_webhook:
      return no_webhook();
    case WebhookStore::Added::too_many:
      return error_answer(409, "too_many_undelivered", "Too many messages are not delivered yet.");
    case WebhookStore::Added::yes:
      break;
  }
  return webhook_answer(site, call, 202);
}

Response resend_message(Site& site, const SiteCall& call) {
  if (auto refusal = too_many_messages(site, call)) return *std::move(refusal);
  const std::string id(call.context.path.substr(call.context.path.rfind('/') + 1));
  if (!site.webhooks.resend(call.signed_in->person.name, id, site.clock.now_ms())) {
    return error_answer(404, "not_found", "This message does not exist, or the webhook has ended.");
  }
  return webhook_answer(site, call, 202);
}

void find_license_changes(Site& site, const std::atomic<bool>& is_stopping) {
  std::exception_ptr failure;
  for (const auto& webhook : site.webhooks.claim_checks(site.clock.now_ms(), kCheckIntervalMs)) {
    if (is_stopping) return;  // the others are read after the next interval
    try {
      add_license_changes(site, webhook);
    } catch (const std::runtime_error&) {  // does not keep the changes of other people
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tonearm::web
