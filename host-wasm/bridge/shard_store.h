#pragma once
// The sql::Store of shards: the storage of the Durable Object that is current for this call.

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>

#include "tonearm/sql.h"

namespace tonearm::wasm {

/// A transaction that the worker runs by calling back into the module.
class RunningTransaction {
 public:
  explicit RunningTransaction(const std::function<void(sql::Transaction&)>& body) : body_(body) {}

  /// Returns false if the body threw; the worker then rolls back.
  bool run() noexcept;
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  const std::function<void(sql::Transaction&)>& body_;
  std::exception_ptr failure_;
};

/// Integers must be below 2^53, because the platform's SQL uses JavaScript numbers. Single-threaded.
class ShardStore final : public sql::Store {
 public:
  void transact(const std::function<void(sql::Transaction&)>& body) override;
  /// True, because several instances of the core may use the storage of an object.
  bool is_shared() const override { return true; }
  std::optional<std::int64_t> next_number() override;
};

}  // namespace tonearm::wasm
