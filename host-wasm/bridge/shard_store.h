#pragma once
// The shards' sql::Store: the storage of the Durable Object that the worker has made current for this call.

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>

#include "tonearm/sql.h"

namespace tonearm::wasm {

/// One transaction while the worker runs it, which calls back into the module.
class RunningTransaction {
 public:
  explicit RunningTransaction(const std::function<void(sql::Transaction&)>& body) : body_(body) {}

  /// False where the body threw: the worker rolls all of it back.
  bool run() noexcept;
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  const std::function<void(sql::Transaction&)>& body_;
  std::exception_ptr failure_;
};

/// Whole numbers in it are below 2^53: the platform's SQL speaks JavaScript's numbers. For one thread.
class ShardStore final : public sql::Store {
 public:
  void transact(const std::function<void(sql::Transaction&)>& body) override;
  /// An object's storage is its own, but each instance of the core may be asked about it.
  bool is_shared() const override { return true; }
  std::optional<std::int64_t> next_number() override;
};

}  // namespace tonearm::wasm
