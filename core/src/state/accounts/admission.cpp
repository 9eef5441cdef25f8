#include "state/accounts/admission.h"

#include <algorithm>
#include <cstring>

namespace tonearm::state {

namespace {

/// How many of the least recently used accounts an eviction examines.
constexpr int kEvictionTries = 64;

}  // namespace

Admission decide_admission(const std::string& account, Plan plan, const ActiveKey& key, CallCounts& counts,
                           Counting counting, std::int64_t now_ms) {
  Admission admission;
  admission.now_ms = now_ms;
  if (key.expires_ms && *key.expires_ms <= now_ms) return admission;
  admission.outcome = Admission::Outcome::admitted;
  admission.account = account;
  admission.key_id = key.key_id;
  admission.plan = plan;
  admission.first_party = key.session;
  const RateLimits limits = rate_limits(plan);
  // KEY-9, LIMIT-8: calls with session keys and of unlimited accounts are neither counted nor refused.
  if (key.session || !limits.any() || counting == Counting::uncounted) return admission;
  admission.rate = count_call(counts, limits, now_ms);
  if (admission.rate->exceeded) admission.outcome = Admission::Outcome::refused;
  return admission;
}

std::size_t AdmissionCache::HashOfDigest::operator()(const Sha256& digest) const {
  std::size_t value = 0;
  std::memcpy(&value, digest.data(), sizeof value);
  return value;
}

AdmissionCache::LocatorNumber AdmissionCache::number_of(const Locator& locator) {
  LocatorNumber number = 0;
  for (const std::uint8_t byte : locator) number = (number << 8U) | byte;
  return number;
}

Locator AdmissionCache::locator_of(LocatorNumber number) {
  Locator locator;
  for (auto byte = locator.rbegin(); byte != locator.rend(); ++byte, number >>= 8U) {
    *byte = static_cast<std::uint8_t>(number & 0xffU);
  }
  return locator;
}

std::optional<Admission> AdmissionCache::admit(const Locator& locator, const Sha256& key_hash, Counting counting,
                                               Clock& clock) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = by_locator_.find(number_of(locator));
  if (found == by_locator_.end() || !found->second->is_valid) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, found->second);
  return decide(*found->second, key_hash, counting, clock.now_ms());
}

Admission AdmissionCache::decide(Entry& entry, const Sha256& key_hash, Counting counting, std::int64_t now_ms) {
  const auto found = entry.keys.find(key_hash);
  if (found == entry.keys.end()) {
    Admission invalid;
    invalid.now_ms = now_ms;
    return invalid;
  }
  Admission admission = decide_admission(entry.account, entry.plan, found->second, entry.counts, counting, now_ms);
  if (admission.outcome == Admission::Outcome::admitted && admission.rate) {
    ++entry.version;
    entry.last_counted_ms = now_ms;
    if (entry.queue_position == 0) mark_dirty(entry, now_ms);
  }
  return admission;
}

void AdmissionCache::mark_dirty(Entry& entry, std::int64_t since_ms) {
  dirty_.emplace(last_queue_position_ + 1, entry.number);  // may throw; then the next call tries again
  entry.queue_position = ++last_queue_position_;
  entry.dirty_since_ms = since_ms;
  publish_dirty();
}

void AdmissionCache::publish_dirty() {
  dirty_count_.store(dirty_.size(), std::memory_order_relaxed);
  const std::int64_t oldest_ms = dirty_.empty() ? kNever : by_locator_.at(dirty_.begin()->second)->dirty_since_ms;
  oldest_dirty_ms_.store(oldest_ms, std::memory_order_relaxed);
}

void AdmissionCache::insert(const Locator& locator, const StoredAccount& stored) {
  const LocatorNumber number = number_of(locator);
  const std::lock_guard<std::mutex> lock(mutex_);
  auto found = by_locator_.find(number);
  if (found == by_locator_.end()) {
    Entry& inserted = entries_.emplace_front();
    inserted.number = number;
    inserted.account = make_account_id(locator);
    inserted.counts = stored.counts;
    found = by_locator_.emplace(number, entries_.begin()).first;
  }
  Entry& entry = *found->second;
  entry.plan = stored.plan;
  entry.keys.clear();
  for (const ActiveKey& key : stored.keys) entry.keys.emplace(key.hash, key);
  entry.is_valid = true;
  evict_surplus();
}

void AdmissionCache::invalidate(const Locator& locator) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = by_locator_.find(number_of(locator));
  if (found != by_locator_.end()) found->second->is_valid = false;
}

void AdmissionCache::erase(const Locator& locator) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = by_locator_.find(number_of(locator));
  if (found == by_locator_.end()) return;
  dirty_.erase(found->second->queue_position);
  entries_.erase(found->second);
  by_locator_.erase(found);
  publish_dirty();
}

void AdmissionCache::evict_surplus() {
  auto candidate = entries_.end();
  // The first entry is the one that was just inserted.
  for (int tries = 0; by_locator_.size() > accounts_max_ && tries < kEvictionTries; ++tries) {
    if (--candidate == entries_.begin()) return;
    if (candidate->queue_position != 0) continue;
    by_locator_.erase(candidate->number);
    candidate = entries_.erase(candidate);
  }
}

std::optional<std::int64_t> AdmissionCache::oldest_dirty_ms() const {
  const std::int64_t oldest_ms = oldest_dirty_ms_.load(std::memory_order_relaxed);
  return oldest_ms == kNever ? std::nullopt : std::optional(oldest_ms);
}

std::vector<DirtyCounts> AdmissionCache::dirty_counts(std::size_t count_max) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<DirtyCounts> counts;
  counts.reserve(std::min(count_max, dirty_.size()));
  for (auto next = dirty_.begin(); next != dirty_.end() && counts.size() < count_max; ++next) {
    const Entry& entry = *by_locator_.at(next->second);
    counts.push_back({locator_of(next->second), entry.counts, entry.version});
  }
  return counts;
}

void AdmissionCache::mark_written(const std::vector<DirtyCounts>& counts) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const DirtyCounts& count : counts) {
    const auto found = by_locator_.find(number_of(count.locator));
    if (found == by_locator_.end() || found->second->queue_position == 0) continue;
    Entry& entry = *found->second;
    dirty_.erase(entry.queue_position);
    entry.queue_position = 0;
    // If calls were counted since then, the account moves to the end of the queue.
    if (entry.version != count.version) mark_dirty(entry, entry.last_counted_ms);
  }
  publish_dirty();
}

std::size_t AdmissionCache::account_count() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return by_locator_.size();
}

}  // namespace tonearm::state
