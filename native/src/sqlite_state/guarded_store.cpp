#include "sqlite_state/guarded_store.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "sqlite_state/state_file.h"

namespace tonearm::native {
namespace {

/// Rejects changes while the remaining space is for transactions that free space.
class OrdinaryTransaction final : public sql::Transaction {
 public:
  OrdinaryTransaction(sql::Transaction& inner, const DiskReserve& reserve) : inner_(inner), reserve_(reserve) {}

  sql::Rows execute(std::string_view statement, const sql::Row& parameters) override {
    check_space(statement);
    return inner_.execute(statement, parameters);
  }
  std::vector<sql::Rows> execute_each(std::string_view statement, const std::vector<sql::Row>& parameters) override {
    check_space(statement);
    return inner_.execute_each(statement, parameters);
  }
  std::string_view create_table_suffix() const override { return inner_.create_table_suffix(); }
  std::optional<std::int64_t> now_ms() override { return inner_.now_ms(); }

 private:
  void check_space(std::string_view statement) {
    if (is_checked_ || statement.starts_with("SELECT")) return;
    is_checked_ = true;
    if (reserve_.is_exhausted())
      throw sql::OutOfSpace("the disk of the state is full; the remaining space is only for removals");
  }

  sql::Transaction& inner_;
  const DiskReserve& reserve_;
  bool is_checked_ = false;
};

class GuardedStore final : public sql::Store {
 public:
  GuardedStore(std::unique_ptr<sql::Store> store, StateLock& lock, DiskReserve& reserve)
      : store_(std::move(store)), lock_(lock), reserve_(reserve) {
    store_->transact([](sql::Transaction& transaction) { transaction.execute("SELECT 1"); });
    lock_.watch_log();
    reserve_.allocate();
  }

  void transact(const std::function<void(sql::Transaction&)>& body) override {
    in_place([&] {
      store_->transact([&](sql::Transaction& transaction) {
        OrdinaryTransaction ordinary(transaction, reserve_);
        body(ordinary);
      });
    });
  }

  void transact_from_reserve(const std::function<void(sql::Transaction&)>& body) override {
    in_place([&] {
      try {
        store_->transact(body);
      } catch (const sql::OutOfSpace&) {
        if (!reserve_.release()) throw;
        store_->transact(body);
      }
    });
  }

 private:
  template <class Work>
  void in_place(const Work& work) {
    lock_.check_in_place();
    work();
    lock_.check_in_place();
  }

  std::unique_ptr<sql::Store> store_;
  StateLock& lock_;
  DiskReserve& reserve_;
};

}  // namespace

std::unique_ptr<sql::Store> open_guarded_state(StateLock& lock, DiskReserve& reserve, sql::Purpose purpose) {
  const auto open = [&] {
    return std::make_unique<GuardedStore>(open_state_file(lock.path(), purpose), lock, reserve);
  };
  try {
    return open();
  } catch (const sql::OutOfSpace&) {
    if (!reserve.release()) throw;
    return open();
  }
}

}  // namespace tonearm::native
