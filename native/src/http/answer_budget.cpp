#include "http/answer_budget.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tonearm::native {

std::size_t AnswerBudget::bytes_of(std::optional<ClientKey> client) const {
  const auto found = client ? clients_.find(*client) : clients_.end();
  return found == clients_.end() ? 0 : found->second;
}

std::unique_ptr<AnswerBudget::Pending> AnswerBudget::try_reserve(std::optional<ClientKey> client, std::size_t bytes,
                                                                 std::weak_ptr<Session> session) {
  std::vector<std::shared_ptr<Session>> aborted;  // released outside the lock
  auto pending = std::make_unique<Pending>(*this, client, bytes, std::move(session));
  const std::lock_guard lock(mutex_);
  const auto had = bytes_of(client);
  if (had > 0 && had + bytes > limits_.pending_bytes_per_client_max) return nullptr;
  while (bytes_ > 0 && bytes_ + bytes > limits_.pending_bytes_max) {
    auto* const victim = oldest_of_largest(client, bytes);
    if (victim == nullptr) return nullptr;
    forget(*victim);
    if (auto owner = victim->session_.lock()) {
      owner->abort();
      aborted.push_back(std::move(owner));
    }
  }
  pending->self_ = pending_.insert(pending_.end(), pending.get());
  bytes_ += bytes;
  if (client) clients_[*client] += bytes;
  return pending;
}

/// Returns null if no other client has more than this one would have.
AnswerBudget::Pending* AnswerBudget::oldest_of_largest(std::optional<ClientKey> client, std::size_t bytes) {
  const auto size = [this](const Pending* one) { return one->client_ ? bytes_of(one->client_) : one->bytes_; };
  const auto found = std::max_element(pending_.begin(), pending_.end(),
                                      [&](const Pending* a, const Pending* b) { return size(a) < size(b); });
  if (found == pending_.end() || size(*found) <= bytes_of(client) + bytes) return nullptr;
  return *found;
}

void AnswerBudget::forget(Pending& pending) {
  if (!pending.self_) return;
  pending_.erase(*pending.self_);
  pending.self_.reset();
  bytes_ -= pending.bytes_;
  if (!pending.client_) return;
  const auto found = clients_.find(*pending.client_);
  found->second -= pending.bytes_;
  if (found->second == 0) clients_.erase(found);
}

void AnswerBudget::release(Pending& pending) {
  const std::lock_guard lock(mutex_);
  forget(pending);
}

}  // namespace tonearm::native
