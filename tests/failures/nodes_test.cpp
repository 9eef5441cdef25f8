#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign.h"
#include "fakes.h"
#include "state/accounts/accounts.h"
#include "system/system_ports.h"
#include "tonearm/sqlite.h"

using namespace tonearm;
using namespace tonearm::test;
using state::Accounts;
using state::Admission;
using state::Counting;

namespace {

/// A database that several nodes share: it has a clock, and may lose a transaction or the answer to its COMMIT.
class SharedStore final : public sql::Store {
 public:
  enum class Loss : std::uint8_t { nothing, transaction, answer };

  FakeClock clock;
  Loss next_loss = Loss::nothing;

  void transact(const std::function<void(sql::Transaction&)>& body) override {
    const Loss loss = std::exchange(next_loss, Loss::nothing);
    store_->transact([&](sql::Transaction& transaction) {
      Timed timed(transaction, clock);
      body(timed);
      if (loss == Loss::transaction) throw sql::Failure("the connection was lost");
    });
    if (loss == Loss::answer) throw sql::Failure("the answer was lost");
  }
  bool is_shared() const override { return true; }
  std::optional<std::int64_t> next_number() override { return ++last_number_; }

 private:
  class Timed final : public sql::Transaction {
   public:
    Timed(sql::Transaction& transaction, FakeClock& clock) : transaction_(transaction), clock_(clock) {}
    sql::Rows execute(std::string_view statement, const sql::Row& parameters) override {
      return transaction_.execute(statement, parameters);
    }
    std::string_view create_table_suffix() const override { return transaction_.create_table_suffix(); }
    std::optional<std::int64_t> now_ms() override { return clock_.now_ms(); }

   private:
    sql::Transaction& transaction_;
    FakeClock& clock_;
  };

  std::unique_ptr<sql::Store> store_ =
      sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create));
  std::int64_t last_number_ = 0;
};

/// The windows of a time, numbered, by a calendar of its own.
std::array<std::int64_t, 3> window_numbers(std::int64_t now_ms) {
  const std::chrono::sys_days day{std::chrono::days(now_ms / 86'400'000)};
  const std::chrono::year_month_day date(day);
  return {now_ms / 60'000, now_ms / 86'400'000,
          static_cast<int>(date.year()) * 12 + static_cast<int>(static_cast<unsigned>(date.month()))};
}

struct ModelKey {
  std::string account;
  std::string key_id;
  bool is_session = false;
  bool is_revoked = false;
  std::optional<std::int64_t> expires_ms;
};
struct ModelAccount {
  Plan plan = Plan::free;
  std::array<std::int64_t, 3> windows{};
  std::array<std::uint32_t, 3> calls{};
  bool has_counts = false;  // whether the database has a row for them
};

/// Runs operations on several nodes of one store and on a model with exact counts.
class Simulation {
 public:
  explicit Simulation(std::uint64_t seed) : random_(seed), ids_(seed + 1) {
    for (std::size_t i = 0; i < 2 + random_.below(3); ++i) {
      nodes_.push_back(std::make_unique<Node>(store_, ids_));
    }
    store_.clock.advance_ms(static_cast<std::int64_t>(random_.below(365)) * 86'400'000);
  }

  void step() {
    const std::uint64_t choice = random_.below(1'000);
    if (choice < 5 || keys_.empty()) return create_account();
    if (choice < 10) return set_plan();
    if (choice < 13) return create_key();
    if (choice < 16) return revoke_key();
    if (choice < 18) return delete_account();
    if (choice < 20) return reset_limits();
    if (choice < 25) return advance();
    call();
  }

  std::size_t nodes() const { return nodes_.size(); }
  std::uint64_t calls = 0;
  std::uint64_t refused = 0;
  std::uint64_t lost = 0;
  std::uint64_t over = 0;   // admitted, but the model refuses
  std::uint64_t under = 0;  // refused, but the model admits
  std::uint64_t wrong_keys = 0;

 private:
  struct Node {
    Node(SharedStore& store, SeededRandom& random)
        : accounts(Accounts::open({clock, random, hashing, store}, "the secret")) {}

    FakeClock clock;  // differs from the store's
    native::OpensslHashing hashing;
    std::unique_ptr<Accounts> accounts;
  };

  Accounts& node() {
    Node& chosen = *nodes_[random_.below(nodes_.size())];
    chosen.clock.set_ms(store_.clock.now_ms() + static_cast<std::int64_t>(random_.below(7'200'000)) - 3'600'000);
    return *chosen.accounts;
  }
  std::pair<const std::string, ModelKey>& some_key() {
    return *std::next(keys_.begin(), static_cast<std::ptrdiff_t>(random_.below(keys_.size())));
  }

  void create_account() {
    if (accounts_.size() >= 8) return delete_account();
    const auto plan = static_cast<Plan>(random_.below(2));
    const std::string account = node().create_account(plan)->account;
    accounts_[account].plan = plan;
    add_key(account, node().create_key(account).value(), false);
  }
  void add_key(const std::string& account, const state::NewKey& key, bool is_session) {
    keys_[key.key] = {account, key.key_id, is_session, false, key.expires_ms};
  }
  void set_plan() {
    const std::string account = some_key().second.account;
    const auto plan = static_cast<Plan>(random_.below(3));
    if (node().set_plan(account, plan)) accounts_[account].plan = plan;
  }
  void create_key() {
    const std::string account = some_key().second.account;
    if (random_.below(2) == 0) {
      add_key(account, node().create_session_key(account, 60).value(), true);
    } else if (const auto key = node().create_key(account)) {
      add_key(account, *key, false);
    }
  }
  void revoke_key() {
    ModelKey& key = some_key().second;
    if (node().revoke_key(key.key_id)) key.is_revoked = true;
  }
  void delete_account() {
    if (accounts_.size() < 4) return;
    const std::string account = some_key().second.account;
    REQUIRE(node().delete_account(account).has_value());
    accounts_.erase(account);
    for (auto key = keys_.begin(); key != keys_.end();) key = key->second.account == account ? keys_.erase(key) : ++key;
  }
  void reset_limits() {
    const std::string account = some_key().second.account;
    REQUIRE(node().reset_limits(account).has_value());
    accounts_[account].calls = {};
    accounts_[account].has_counts = false;
  }
  /// Often to the edge of a window.
  void advance() {
    const std::int64_t now_ms = store_.clock.now_ms();
    if (random_.below(3) == 0) return store_.clock.advance_ms(static_cast<std::int64_t>(random_.below(20'000)));
    const std::int64_t length_ms = random_.below(40) == 0 ? 86'400'000 : 60'000;
    const std::int64_t edge_ms = (now_ms / length_ms + 1) * length_ms - 1 + static_cast<std::int64_t>(random_.below(3));
    store_.clock.set_ms(std::max(now_ms, edge_ms));
  }

  Admission::Outcome expected(const ModelKey& key, bool is_counted) {
    const std::int64_t now_ms = store_.clock.now_ms();
    if (key.is_revoked || (key.expires_ms && *key.expires_ms <= now_ms)) return Admission::Outcome::invalid_key;
    ModelAccount& account = accounts_.at(key.account);
    if (key.is_session || account.plan == Plan::unlimited || !is_counted) return Admission::Outcome::admitted;
    constexpr std::array<std::array<std::uint32_t, 3>, 2> kQuotas{{{20, 300, 0}, {60, 0, 20'000}}};
    const auto windows = window_numbers(now_ms);
    for (std::size_t i = 0; i < windows.size(); ++i) {
      if (account.windows.at(i) != windows.at(i)) account.calls.at(i) = 0;
      account.windows.at(i) = windows.at(i);
    }
    const auto& quotas = kQuotas.at(static_cast<std::size_t>(account.plan));
    for (std::size_t i = 0; i < windows.size(); ++i) {
      if (quotas.at(i) != 0 && account.calls.at(i) >= quotas.at(i)) return Admission::Outcome::refused;
    }
    // An account's first call takes two transactions; if the answer to the first is lost, it is not counted.
    using Loss = SharedStore::Loss;
    if (store_.next_loss == Loss::nothing || (store_.next_loss == Loss::answer && account.has_counts)) {
      for (std::uint32_t& count : account.calls) ++count;
      account.has_counts = true;
    }
    return Admission::Outcome::admitted;
  }

  /// A call over HTTP, or a call of a tool over MCP, which checks the key before it counts.
  void call() {
    const auto& [text, key] = some_key();
    if (random_.below(3) == 0) compare(text, key, Counting::uncounted);
    if (random_.below(50) == 0) {
      store_.next_loss = random_.below(2) == 0 ? SharedStore::Loss::transaction : SharedStore::Loss::answer;
    }
    compare(text, key, Counting::counted);
  }

  void compare(const std::string& text, const ModelKey& key, Counting counting) {
    ++calls;
    const Admission::Outcome wanted = expected(key, counting == Counting::counted);
    Admission::Outcome found{};
    try {
      found = node().admit(text, counting).outcome;
    } catch (const sql::Failure&) {
      ++lost;
      return;
    }
    using Outcome = Admission::Outcome;
    refused += found == Outcome::refused ? 1U : 0U;
    if (found == wanted) return;
    if (found == Outcome::invalid_key || wanted == Outcome::invalid_key) {
      ++wrong_keys;
    } else {
      ++(found == Outcome::admitted ? over : under);
    }
  }

  SharedStore store_;
  SeededRandom random_;
  SeededRandom ids_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::map<std::string, ModelAccount> accounts_;
  std::map<std::string, ModelKey> keys_;  // by key
};

}  // namespace

// LIMIT-2, LIMIT-3, KEY-7. TONEARM_OPERATIONS: how many.
TEST_CASE("several nodes with wrong clocks and lost answers admit exactly what the plans allow") {
  const std::uint64_t goal = environment_number("TONEARM_OPERATIONS", 20'000);
  const std::uint64_t seed = campaign_seed();
  CAPTURE(seed);
  Simulation simulation(seed);
  for (std::uint64_t operation = 0; operation < goal; ++operation) {
    CAPTURE(operation);
    simulation.step();
    REQUIRE(simulation.over == 0);
    REQUIRE(simulation.under == 0);
    REQUIRE(simulation.wrong_keys == 0);
  }
  MESSAGE("TONEARM_SEED=", seed, ": ", goal, " operations on ", simulation.nodes(), " nodes, ", simulation.calls,
          " calls, ", simulation.refused, " refused, ", simulation.lost, " lost: ", simulation.over, " over, ",
          simulation.under, " under");
}
