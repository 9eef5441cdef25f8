#include "state/admission.h"

#include <algorithm>
#include <cstring>

namespace tonearm::state {

namespace {

/// How many of the longest unused accounts are looked at to make room for one.
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
  // KEY-9, LIMIT-8: calls of sessions and of unlimited accounts are neither counted nor refused.
  if (key.session || !limits.any() || counting == Counting::uncounted) return admission;
  admission.rate = count_call(counts, limits, now_ms);
  if (admission.rate->exceeded) admission.outcome = Admission::Outcome::refused;
  return admission;
}

std::size_t AdmissionMemory::HashOfDigest::operator()(const Sha256& digest) const {
  std::size_t value = 0;
  std::memcpy(&value, digest.data(), sizeof value);
  return value;
}

AdmissionMemory::LocatorNumber AdmissionMemory::number_of(const Locator& locator) {
  LocatorNumber number = 0;
  for (const std::uint8_t byte : locator) number = (number << 8U) | byte;
  return number;
}

Locator AdmissionMemory::locator_of(LocatorNumber number) {
  Locator locator;
  for (auto byte = locator.rbegin(); byte != locator.rend(); ++byte, number >>= 8U) {
    *byte = static_cast<std::uint8_t>(number & 0xffU);
  }
  return locator;
}

std::optional<Admission> AdmissionMemory::admit(const Locator& locator, const Sha256& key_hash, Counting counting,
                                                Clock& clock) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = by_locator_.find(number_of(locator));
  if (found == by_locator_.end() || !found->second->current) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, found->second);
  return decide(*found->second, key_hash, counting, clock.now_ms());
}

Admission AdmissionMemory::decide(Entry& entry, const Sha256& key_hash, Counting counting, std::int64_t now_ms) {
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
    if (entry.place == 0) queue(entry, now_ms);
  }
  return admission;
}

void AdmissionMemory::queue(Entry& entry, std::int64_t since_ms) {
  entry.place = ++last_place_;
  entry.unwritten_ms = since_ms;
  unwritten_.emplace(entry.place, entry.number);
}

void AdmissionMemory::keep(const Locator& locator, const StoredAccount& stored) {
  const LocatorNumber number = number_of(locator);
  const std::lock_guard<std::mutex> lock(mutex_);
  auto found = by_locator_.find(number);
  if (found == by_locator_.end()) {
    Entry& made = entries_.emplace_front();
    made.number = number;
    made.account = make_account_id(locator);
    made.counts = stored.counts;
    found = by_locator_.emplace(number, entries_.begin()).first;
  }
  Entry& entry = *found->second;
  entry.plan = stored.plan;
  entry.keys.clear();
  for (const ActiveKey& key : stored.keys) entry.keys.emplace(key.hash, key);
  entry.current = true;
  evict_surplus();
}

void AdmissionMemory::forget(const Locator& locator) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = by_locator_.find(number_of(locator));
  if (found != by_locator_.end()) found->second->current = false;
}

void AdmissionMemory::erase(const Locator& locator) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = by_locator_.find(number_of(locator));
  if (found == by_locator_.end()) return;
  unwritten_.erase(found->second->place);
  entries_.erase(found->second);
  by_locator_.erase(found);
}

void AdmissionMemory::evict_surplus() {
  auto candidate = entries_.end();
  // The first is the one that was just kept.
  for (int tries = 0; by_locator_.size() > accounts_max_ && tries < kEvictionTries; ++tries) {
    if (--candidate == entries_.begin()) return;
    if (candidate->place != 0) continue;
    by_locator_.erase(candidate->number);
    candidate = entries_.erase(candidate);
  }
}

std::vector<Locator> AdmissionMemory::unwritten(std::size_t count_max) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Locator> locators;
  locators.reserve(std::min(count_max, unwritten_.size()));
  for (auto next = unwritten_.begin(); next != unwritten_.end() && locators.size() < count_max; ++next) {
    locators.push_back(locator_of(next->second));
  }
  return locators;
}

std::size_t AdmissionMemory::unwritten_count() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return unwritten_.size();
}

std::optional<std::int64_t> AdmissionMemory::unwritten_since_ms() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (unwritten_.empty()) return std::nullopt;
  return by_locator_.at(unwritten_.begin()->second)->unwritten_ms;
}

std::vector<UnwrittenCounts> AdmissionMemory::counts_of(std::span<const Locator> locators) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<UnwrittenCounts> counts;
  counts.reserve(locators.size());
  for (const Locator& locator : locators) {
    const LocatorNumber number = number_of(locator);
    const auto found = by_locator_.find(number);
    if (found == by_locator_.end() || found->second->place == 0) continue;
    const Entry& entry = *found->second;
    counts.push_back({locator, entry.counts, entry.version});
  }
  return counts;
}

void AdmissionMemory::written(const std::vector<UnwrittenCounts>& counts) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const UnwrittenCounts& count : counts) {
    const auto found = by_locator_.find(number_of(count.locator));
    if (found == by_locator_.end() || found->second->place == 0) continue;
    Entry& entry = *found->second;
    unwritten_.erase(entry.place);
    entry.place = 0;
    // What was counted since then waits from now on, behind the others.
    if (entry.version != count.version) queue(entry, entry.last_counted_ms);
  }
}

std::size_t AdmissionMemory::account_count() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return by_locator_.size();
}

}  // namespace tonearm::state
