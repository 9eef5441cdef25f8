#include "upstream/operator_account.h"

#include <stdexcept>

#include "messages/message.h"

namespace tonearm::web {

OperatorAccount::OperatorAccount(Backend& backend, std::string path)
    : backend_(backend), accounts_(backend), file_(std::move(path)) {
  if (const auto kept = file_.read()) {
    const auto object = read_object(*kept);
    account_ = string_of(object, "account");
    key_ = string_of(object, "key");
  }
}

std::string OperatorAccount::key() const {
  const std::lock_guard lock(mutex_);
  return key_;
}

void OperatorAccount::ensure() {
  const std::lock_guard making(provisioning_mutex_);
  if (key().empty()) make();
}

/// The account is kept before its key is made, so that a crash between the two leaves no second account.
void OperatorAccount::make() {
  if (account_.empty() || !accounts_.find(account_)) {
    auto account = accounts_.create("unlimited");
    const std::lock_guard lock(mutex_);
    account_ = std::move(account.id);
    key_.clear();
  }
  keep();
  if (const auto keys = accounts_.active_keys(account_)) {
    for (const auto& old : *keys) accounts_.revoke(old.key_id);  // nobody has it any more
  }
  auto made = accounts_.create_key(account_);
  if (!made) throw std::runtime_error("the site's own account gets no key");
  {
    const std::lock_guard lock(mutex_);
    key_ = std::move(made->key);
  }
  keep();
}

void OperatorAccount::keep() const { file_.write(R"({"account":")" + account_ + R"(","key":")" + key() + "\"}\n"); }

ClientResponse OperatorAccount::send(ClientRequest request) {
  request.token = key();
  if (request.token.empty()) throw std::runtime_error("the site has no key yet");
  auto response = backend_.send_to_api(request);
  if (response.status != 401) return response;
  {
    const std::lock_guard making(provisioning_mutex_);
    if (key() == request.token) make();
  }
  request.token = key();
  return backend_.send_to_api(request);
}

}  // namespace tonearm::web
