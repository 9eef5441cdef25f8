#include "state/calls/pending_calls.h"

#include <algorithm>
#include <utility>

#include "state/calls/call_aggregates.h"

namespace tonearm::state {

namespace {

/// Names the shared record of a call: its account, key, route, status and minute.
std::string group_name(const CallRecord& call) {
  std::string name = call.account;
  name.append(1, ' ').append(call.key_id).append(1, ' ').append(call.route);
  for (const std::int64_t part : {std::int64_t{call.status}, period_start(call.at_ms, kMinuteS)}) {
    name.append(1, ' ').append(std::to_string(part));
  }
  return name;
}

}  // namespace

/// RECORD-8. Never changes a record of `batch_`, because it may be written already.
void PendingCalls::add(CallRecord call) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::string group;
  if (call.number == 0 && will_share_record(call)) {
    group = group_name(call);
    if (const auto found = group_index_.find(group); found != group_index_.end()) {
      incoming_[found->second].call.count += call.count;
      return;
    }
  }
  const std::int64_t number = call.number != 0 ? call.number : next_number_++;
  incoming_.push_back({number, std::move(call)});
  publish();
  if (!group.empty()) group_index_.emplace(std::move(group), incoming_.size() - 1);
}

void PendingCalls::add_full_days(std::span<const FullDay> days) {
  if (days.empty()) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  std::int64_t latest_ms = 0;
  for (const FullDay& day : days) {
    std::int64_t& latest_of_account = full_days_[day.account];
    latest_of_account = std::max(latest_of_account, day.day_begin_ms);
    latest_ms = std::max(latest_ms, day.day_begin_ms);
  }
  std::erase_if(full_days_, [&](const auto& day) { return day.second < latest_ms; });
}

void PendingCalls::publish() {
  size_.store(incoming_.size() + unwritten_count_, std::memory_order_relaxed);
  std::int64_t oldest_at_ms = kNever;
  if (unwritten_count_ > 0) {
    oldest_at_ms = batch_[written_count_].call.at_ms;
  } else if (!incoming_.empty()) {
    oldest_at_ms = incoming_.front().call.at_ms;
  }
  oldest_at_ms_.store(oldest_at_ms, std::memory_order_relaxed);
}

bool PendingCalls::will_share_record(const CallRecord& call) const {
  if (is_refused_by_limit(call)) return true;
  const auto found = full_days_.find(call.account);
  return found != full_days_.end() && found->second == period_start(call.at_ms, kDayS);
}

std::optional<std::int64_t> PendingCalls::oldest_at_ms() const {
  const std::int64_t at_ms = oldest_at_ms_.load(std::memory_order_relaxed);
  return at_ms == kNever ? std::nullopt : std::optional(at_ms);
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
  if (unwritten_count_ == 0) {
    batch_ = {};
    written_count_ = 0;
  }
  publish();
}

void PendingCalls::remove_account(const std::string& account) {
  const auto is_of_account = [&](const NumberedCall& numbered) { return numbered.call.account == account; };
  const std::lock_guard<std::mutex> lock(mutex_);
  incoming_.erase(std::remove_if(incoming_.begin(), incoming_.end(), is_of_account), incoming_.end());
  group_index_.clear();
  full_days_.erase(account);
  const auto unwritten = batch_.begin() + static_cast<std::ptrdiff_t>(batch_.size() - unwritten_count_);
  batch_.erase(std::remove_if(unwritten, batch_.end(), is_of_account), batch_.end());
  unwritten_count_ = batch_.size() - written_count_;
  publish();
}

}  // namespace tonearm::state
