#include "state/calls/pending_calls.h"

#include <algorithm>
#include <utility>

#include "state/calls/call_aggregates.h"

namespace tonearm::state {

void PendingCalls::add(CallRecord call) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (merge_into_pending(call)) return;
  const std::int64_t number = call.number != 0 ? call.number : next_number_++;
  incoming_.push_back({number, std::move(call)});
}

/// RECORD-8. Never changes a record of `batch_`, because it may be written already.
bool PendingCalls::merge_into_pending(const CallRecord& call) {
  if (call.number != 0 || !is_refused_by_limit(call)) return false;
  const std::string group =
      call.account + ' ' + call.key_id + ' ' + call.route + ' ' + std::to_string(period_start(call.at_ms, kMinuteS));
  const auto [found, is_first] = group_index_.try_emplace(group, incoming_.size());
  if (is_first) return false;
  incoming_[found->second].call.count += call.count;
  return true;
}

std::size_t PendingCalls::size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return incoming_.size() + unwritten_count_;
}

std::optional<std::int64_t> PendingCalls::oldest_at_ms() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (unwritten_count_ > 0) return batch_[written_count_].call.at_ms;
  if (incoming_.empty()) return std::nullopt;
  return incoming_.front().call.at_ms;
}

std::span<const NumberedCall> PendingCalls::oldest(std::size_t count_max) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (unwritten_count_ == 0) {
    batch_.clear();
    batch_.swap(incoming_);
    group_index_.clear();
    written_count_ = 0;
    unwritten_count_ = batch_.size();
  }
  return std::span<const NumberedCall>(batch_).subspan(written_count_, std::min(count_max, unwritten_count_));
}

void PendingCalls::mark_written(std::size_t count) {
  const std::lock_guard<std::mutex> lock(mutex_);
  written_count_ += count;
  unwritten_count_ -= count;
  if (unwritten_count_ > 0) return;
  batch_ = {};
  written_count_ = 0;
}

void PendingCalls::remove_account(const std::string& account) {
  const auto is_of_account = [&](const NumberedCall& numbered) { return numbered.call.account == account; };
  const std::lock_guard<std::mutex> lock(mutex_);
  incoming_.erase(std::remove_if(incoming_.begin(), incoming_.end(), is_of_account), incoming_.end());
  group_index_.clear();
  const auto unwritten = batch_.begin() + static_cast<std::ptrdiff_t>(batch_.size() - unwritten_count_);
  batch_.erase(std::remove_if(unwritten, batch_.end(), is_of_account), batch_.end());
  unwritten_count_ = batch_.size() - written_count_;
}

}  // namespace tonearm::state
