#include "upstream/operator_account.h"

#include <stdexcept>

#include "messages/message.h"

namespace tonearm::web {

OperatorAccount::OperatorAccount(Backend& backend, std::string path)
    : backend_(backend), accounts_(backend), file_(std::move(path)) {
  if (const auto saved = file_.read()) {
    const auto object = read_object(*saved);
    account_ = string_of(object, "account");
    key_ = string_of(object, "key");
  }
}

std::string OperatorAccount::key() const {
  const std::lock_guard lock(mutex_);
  return key_;
}

void OperatorAccount::ensure() {
  const std::lock_guard provisioning(provisioning_mutex_);
  if (key().empty()) provision();
}

/// Saves the account before it creates the key, so that a crash in between does not lead to a second account.
void OperatorAccount::provision() {
  if (account_.empty() || !accounts_.find(account_)) {
    auto account = accounts_.create("unlimited");
    const std::lock_guard lock(mutex_);
    account_ = std::move(account.id);
    key_.clear();
  }
  save();
  if (const auto keys = accounts_.active_keys(account_)) {
    for (const auto& old : *keys) accounts_.revoke(old.key_id);  // its value is lost
  }
  auto made = accounts_.create_key(account_);
  if (!made) throw std::runtime_error("cannot create a key for the site's own account");
  {
    const std::lock_guard lock(mutex_);
    key_ = std::move(made->key);
  }
  save();
}

void OperatorAccount::save() const { file_.write(R"({"account":")" + account_ + R"(","key":")" + key() + "\"}\n"); }

ClientResponse OperatorAccount::send(ClientRequest request) {
  request.token = key();
  if (request.token.empty()) throw std::runtime_error("the site has no key yet");
  auto response = backend_.send_to_api(request);
  if (response.status != 401) return response;
  {
    const std::lock_guard provisioning(provisioning_mutex_);
    if (key() == request.token) provision();
  }
  request.token = key();
  return backend_.send_to_api(request);
}

}  // namespace tonearm::web
