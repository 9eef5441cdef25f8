#pragma once
// A store that knows what its database must contain: a digest of all rows, taken inside each transaction before it
// commits.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "tonearm/sql.h"

namespace tonearm::test {

/// Returns a digest of all tables and rows.
std::uint64_t digest_of(sql::Transaction& transaction);

/// What a database must contain, by its digest.
struct Witness {
  std::uint64_t committed = 0;          // after the last transaction that succeeded
  std::vector<std::uint64_t> proposed;  // by the transactions since then, which run or failed
  std::uint64_t transactions = 0;       // that succeeded
  bool is_lost = false;                 // a store opened with something else

  bool is_in_doubt(std::uint64_t digest) const {
    return std::find(proposed.begin(), proposed.end(), digest) != proposed.end();
  }
};

class WitnessedStore final : public sql::Store {
 public:
  /// `unwatched` runs the digests, so that failures can be suspended. `witness` outlives the store.
  WitnessedStore(std::unique_ptr<sql::Store> store, Witness& witness,
                 std::function<void(const std::function<void()>&)> unwatched)
      : store_(std::move(store)), witness_(witness), unwatched_(std::move(unwatched)) {}

  void transact(const std::function<void(sql::Transaction&)>& body) override {
    store_->transact([&](sql::Transaction& transaction) {
      unwatched_([&] { check_first(transaction); });
      body(transaction);
      unwatched_([&] { witness_.proposed.push_back(digest_of(transaction)); });
    });
    witness_.committed = witness_.proposed.back();
    witness_.proposed.clear();
    ++witness_.transactions;
  }

  /// Returns the digest of what is stored now.
  std::uint64_t digest() {
    std::uint64_t digest = 0;
    unwatched_([&] { store_->transact([&](sql::Transaction& transaction) { digest = digest_of(transaction); }); });
    return digest;
  }

 private:
  /// Compares what the store opened with what was committed.
  void check_first(sql::Transaction& transaction) {
    if (is_checked_) return;
    is_checked_ = true;
    const std::uint64_t digest = digest_of(transaction);
    if (witness_.transactions == 0 || digest == witness_.committed) return;
    if (!witness_.is_in_doubt(digest)) witness_.is_lost = true;
    witness_.committed = digest;
  }

  std::unique_ptr<sql::Store> store_;
  Witness& witness_;
  std::function<void(const std::function<void()>&)> unwatched_;
  bool is_checked_ = false;
};

}  // namespace tonearm::test
