#include "state/waiting_calls.h"

#include <algorithm>
#include <utility>

#include "state/call_counts.h"

namespace tonearm::state {

void WaitingCalls::add(CallRecord call) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_added_to_waiting(call)) return;
  const std::int64_t number = call.number != 0 ? call.number : next_number_++;
  fresh_.push_back({number, std::move(call)});
}

/// RECORD-8. A record that was handed out is never changed: whether it is written may already be decided.
bool WaitingCalls::is_added_to_waiting(const CallRecord& call) {
  if (call.number != 0 || !is_refused_by_limit(call)) return false;
  const std::string group =
      call.account + ' ' + call.key_id + ' ' + call.route + ' ' + std::to_string(begin_of_period(call.at_ms, kMinuteS));
  const auto [found, is_first] = shared_.try_emplace(group, fresh_.size());
  if (is_first) return false;
  fresh_[found->second].call.count += call.count;
  return true;
}

std::size_t WaitingCalls::waiting() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return fresh_.size() + gathered_count_;
}

std::optional<std::int64_t> WaitingCalls::waiting_since_ms() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (gathered_count_ > 0) return gathered_[written_count_].call.at_ms;
  if (fresh_.empty()) return std::nullopt;
  return fresh_.front().call.at_ms;
}

std::span<const NumberedCall> WaitingCalls::longest_waiting(std::size_t count_max) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (gathered_count_ == 0) {
    gathered_.clear();
    gathered_.swap(fresh_);
    shared_.clear();
    written_count_ = 0;
    gathered_count_ = gathered_.size();
  }
  return std::span<const NumberedCall>(gathered_).subspan(written_count_, std::min(count_max, gathered_count_));
}

void WaitingCalls::written(std::size_t count) {
  const std::lock_guard<std::mutex> lock(mutex_);
  written_count_ += count;
  gathered_count_ -= count;
  if (gathered_count_ > 0) return;
  gathered_ = {};
  written_count_ = 0;
}

void WaitingCalls::drop(const std::string& account) {
  const auto is_of_account = [&](const NumberedCall& numbered) { return numbered.call.account == account; };
  const std::lock_guard<std::mutex> lock(mutex_);
  fresh_.erase(std::remove_if(fresh_.begin(), fresh_.end(), is_of_account), fresh_.end());
  shared_.clear();
  const auto waiting = gathered_.begin() + static_cast<std::ptrdiff_t>(gathered_.size() - gathered_count_);
  gathered_.erase(std::remove_if(waiting, gathered_.end(), is_of_account), gathered_.end());
  gathered_count_ = gathered_.size() - written_count_;
}

}  // namespace tonearm::state
