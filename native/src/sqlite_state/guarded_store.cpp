#include "sqlite_state/guarded_store.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "sqlite_state/state_file.h"

namespace tonearm::native {
namespace {

/// Refuses to change anything while room is left only for what frees some.
class OrdinaryTransaction final : public sql::Transaction {
 public:
  OrdinaryTransaction(sql::Transaction& inner, const StateRoom& room) : inner_(inner), room_(room) {}

  sql::Rows execute(std::string_view statement, const sql::Row& parameters) override {
    check_room(statement);
    return inner_.execute(statement, parameters);
  }
  std::vector<sql::Rows> execute_each(std::string_view statement, const std::vector<sql::Row>& parameters) override {
    check_room(statement);
    return inner_.execute_each(statement, parameters);
  }
  std::string_view create_table_suffix() const override { return inner_.create_table_suffix(); }
  std::optional<std::int64_t> now_ms() override { return inner_.now_ms(); }

 private:
  void check_room(std::string_view statement) {
    if (is_checked_ || statement.starts_with("SELECT")) return;
    is_checked_ = true;
    if (room_.is_exhausted())
      throw sql::OutOfSpace("the state's disk is full but for a rest that only removals may use");
  }

  sql::Transaction& inner_;
  const StateRoom& room_;
  bool is_checked_ = false;
};

class GuardedStore final : public sql::Store {
 public:
  GuardedStore(std::unique_ptr<sql::Store> store, StateLock& lock, StateRoom& room)
      : store_(std::move(store)), lock_(lock), room_(room) {
    store_->transact([](sql::Transaction& transaction) { transaction.execute("SELECT 1"); });
    lock_.log_is_open();
    room_.keep();
  }

  void transact(const std::function<void(sql::Transaction&)>& body) override {
    in_place([&] {
      store_->transact([&](sql::Transaction& transaction) {
        OrdinaryTransaction ordinary(transaction, room_);
        body(ordinary);
      });
    });
  }

  void transact_from_reserve(const std::function<void(sql::Transaction&)>& body) override {
    in_place([&] {
      try {
        store_->transact(body);
      } catch (const sql::OutOfSpace&) {
        if (!room_.release()) throw;
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
  StateRoom& room_;
};

}  // namespace

std::unique_ptr<sql::Store> open_guarded_state(StateLock& lock, StateRoom& room, sql::Purpose purpose) {
  const auto open = [&] { return std::make_unique<GuardedStore>(open_state_file(lock.path(), purpose), lock, room); };
  try {
    return open();
  } catch (const sql::OutOfSpace&) {
    if (!room.release()) throw;
    return open();
  }
}

}  // namespace tonearm::native
