#pragma once
// The rule of admission, and a write-back cache that applies it exactly in memory (LIMIT-2). The cache contains the
// plan, active keys and counts of each account that called recently. It is ahead of the database only by counts that
// were not written yet. Safe for concurrent calls; `dirty_count` and `oldest_dirty_ms` do not lock.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "domain/api_key.h"
#include "domain/plan.h"
#include "state/accounts/key_admission.h"
#include "tonearm/ports.h"

namespace tonearm::state {

/// A key that was neither revoked nor expired when it was read.
struct ActiveKey {
  Sha256 hash{};
  std::string key_id;
  bool session = false;
  std::optional<std::int64_t> expires_ms;
};

/// CHECK-3, CHECK-4: decides about a call with `key`, which belongs to `account` and is not revoked. Counts the call in
/// `counts` if it is admitted, a limit applies to it, and `counting` is counted. Times are Unix milliseconds.
Admission decide_admission(const std::string& account, Plan plan, const ActiveKey& key, CallCounts& counts,
                           Counting counting, std::int64_t now_ms);

/// An account as it is in the database.
struct StoredAccount {
  Plan plan = Plan::free;
  std::vector<ActiveKey> keys;
  CallCounts counts;
};

/// Counts that are not in the database yet.
struct DirtyCounts {
  Locator locator{};
  CallCounts counts;
  std::uint64_t version = 0;  // tells `mark_written` whether more calls were counted since
};

class AdmissionCache {
 public:
  /// Caches about `accounts_max` accounts. Accounts with dirty counts are not evicted, even beyond that number.
  explicit AdmissionCache(std::size_t accounts_max) : accounts_max_(accounts_max) {}

  /// Checks the key and counts the call in one step, at the clock's time. Empty: the account must be read first.
  std::optional<Admission> admit(const Locator& locator, const Sha256& key_hash, Counting counting, Clock& clock);
  std::optional<Admission> admit(const Locator& locator, const Sha256& key_hash, Clock& clock) {
    return admit(locator, key_hash, Counting::counted, clock);
  }

  /// Inserts or refreshes an account. If its counts are cached already, they stay, because they are newer.
  void insert(const Locator& locator, const StoredAccount& stored);
  /// Makes the next call read the account's plan and keys again. The counts stay (LIMIT-4).
  void invalidate(const Locator& locator);
  /// Removes the account and its counts.
  void erase(const Locator& locator);

  /// Returns the current counts of at most `count_max` accounts with dirty counts, oldest first. The accounts stay
  /// dirty until `mark_written`.
  std::vector<DirtyCounts> dirty_counts(std::size_t count_max) const;
  std::size_t dirty_count() const { return dirty_count_.load(std::memory_order_relaxed); }
  /// Since when the oldest dirty counts have not been written, by the clock that counted them; none: none are dirty.
  std::optional<std::int64_t> oldest_dirty_ms() const;
  void mark_written(const std::vector<DirtyCounts>& counts);

  std::size_t account_count() const;

 private:
  using LocatorNumber = std::uint64_t;

  // The first bytes of a digest select the bucket. Digests are uniformly distributed, and a client cannot choose one.
  struct HashOfDigest {
    std::size_t operator()(const Sha256& digest) const;
  };
  struct EqualInConstantTime {
    bool operator()(const Sha256& left, const Sha256& right) const { return equal_in_constant_time(left, right); }
  };

  struct Entry {
    LocatorNumber number = 0;
    std::string account;
    bool is_valid = false;  // false: plan and keys must be read again
    Plan plan = Plan::free;
    std::unordered_map<Sha256, ActiveKey, HashOfDigest, EqualInConstantTime> keys;
    CallCounts counts;
    std::uint64_t version = 0;         // grows with each counted call
    std::uint64_t queue_position = 0;  // in `dirty_`; 0: all counts are written
    std::int64_t dirty_since_ms = 0;
    std::int64_t last_counted_ms = 0;
  };
  using Entries = std::list<Entry>;  // most recently used first

  static LocatorNumber number_of(const Locator& locator);
  static Locator locator_of(LocatorNumber number);
  Admission decide(Entry& entry, const Sha256& key_hash, Counting counting, std::int64_t now_ms);
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  void mark_dirty(Entry& entry, std::int64_t since_ms);
  /// Updates what `dirty_count` and `oldest_dirty_ms` return.
  void publish_dirty();
  void evict_surplus();

  const std::size_t accounts_max_;
  mutable std::mutex mutex_;
  Entries entries_;
  std::unordered_map<LocatorNumber, Entries::iterator> by_locator_;
  std::map<std::uint64_t, LocatorNumber> dirty_;  // by queue position, oldest first
  std::uint64_t last_queue_position_ = 0;
  std::atomic<std::size_t> dirty_count_{0};
  std::atomic<std::int64_t> oldest_dirty_ms_{kNever};
};

}  // namespace tonearm::state
