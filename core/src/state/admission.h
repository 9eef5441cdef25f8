#pragma once
// The rule of admission, and admission exact in memory (LIMIT-2): for each account that called lately its plan, its
// active keys and its counts. Memory is ahead of the database by the counts that were not written yet, and by nothing
// else. Safe for concurrent calls.

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "domain/api_key.h"
#include "domain/plan.h"
#include "state/accounts.h"
#include "tonearm/ports.h"

namespace tonearm::state {

/// A key that is neither revoked nor, when it was read, expired.
struct ActiveKey {
  Sha256 hash{};
  std::string key_id;
  bool session = false;
  std::optional<std::int64_t> expires_ms;
};

/// CHECK-3, CHECK-4: what becomes of a call with `key`, which is of `account` and not revoked. A call that a limit
/// counts is counted in `counts` where it is admitted; others leave them as they are, and so does an uncounted
/// one. Unix milliseconds.
Admission decide_admission(const std::string& account, Plan plan, const ActiveKey& key, CallCounts& counts,
                           Counting counting, std::int64_t now_ms);

/// An account as the database has it.
struct StoredAccount {
  Plan plan = Plan::free;
  std::vector<ActiveKey> keys;
  CallCounts counts;
};

/// Counts that the database does not have yet.
struct UnwrittenCounts {
  Locator locator{};
  CallCounts counts;
  std::uint64_t version = 0;  // for `written`: whether more was counted since
};

class AdmissionMemory {
 public:
  /// Keeps about `accounts_max` accounts: those with unwritten counts stay even beyond.
  explicit AdmissionMemory(std::size_t accounts_max) : accounts_max_(accounts_max) {}

  /// Checks the key and counts the call in one step, at the clock's time. Empty where the account has to be read first.
  std::optional<Admission> admit(const Locator& locator, const Sha256& key_hash, Counting counting, Clock& clock);
  std::optional<Admission> admit(const Locator& locator, const Sha256& key_hash, Clock& clock) {
    return admit(locator, key_hash, Counting::counted, clock);
  }

  /// Keeps what was read. The stored counts are used only where memory has none, for its own are newer.
  void keep(const Locator& locator, const StoredAccount& stored);
  /// Plan and keys are about to change or have changed: the next call reads them again. The counts stay (LIMIT-4).
  void forget(const Locator& locator);
  /// The account is gone, and its counts with it.
  void erase(const Locator& locator);

  /// The accounts with counts to write, those that wait longest first. They stay in memory until these are.
  std::vector<Locator> unwritten(std::size_t count_max) const;
  std::size_t unwritten_count() const;
  /// Since when the longest of them waits, by the clock that counted; none: none waits.
  std::optional<std::int64_t> unwritten_since_ms() const;
  /// The counts of those of them that are still to be written, as they are now, and `written`, that they are.
  std::vector<UnwrittenCounts> counts_of(std::span<const Locator> locators) const;
  void written(const std::vector<UnwrittenCounts>& counts);

  std::size_t account_count() const;

 private:
  using LocatorNumber = std::uint64_t;

  // A digest is evenly spread, and whoever presents a key cannot choose its digest: its first bytes may pick the
  // bucket.
  struct HashOfDigest {
    std::size_t operator()(const Sha256& digest) const;
  };
  struct EqualInConstantTime {
    bool operator()(const Sha256& left, const Sha256& right) const { return equal_in_constant_time(left, right); }
  };

  struct Entry {
    LocatorNumber number = 0;
    std::string account;
    bool current = false;
    Plan plan = Plan::free;
    std::unordered_map<Sha256, ActiveKey, HashOfDigest, EqualInConstantTime> keys;
    CallCounts counts;
    std::uint64_t version = 0;      // grows with each counted call
    std::uint64_t place = 0;        // in `unwritten_`; 0: all counts are written
    std::int64_t unwritten_ms = 0;  // since when not
    std::int64_t last_counted_ms = 0;
  };
  using Entries = std::list<Entry>;  // the latest used first

  static LocatorNumber number_of(const Locator& locator);
  static Locator locator_of(LocatorNumber number);
  Admission decide(Entry& entry, const Sha256& key_hash, Counting counting, std::int64_t now_ms);
  void queue(Entry& entry, std::int64_t since_ms);
  void evict_surplus();

  const std::size_t accounts_max_;
  mutable std::mutex mutex_;
  Entries entries_;
  std::unordered_map<LocatorNumber, Entries::iterator> by_locator_;
  std::map<std::uint64_t, LocatorNumber> unwritten_;  // in the order in which they came to wait
  std::uint64_t last_place_ = 0;
};

}  // namespace tonearm::state
