#include "http/connection_table.h"

#include <doctest/doctest.h>

#include <map>

#include "steady_seconds.h"

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr ClientKey kOne{1};
constexpr ClientKey kTwo{2};

/// Records evictions.
class FakeSession final : public Session {
 public:
  void start() override {}
  void close_when_idle() override {}
  void check_deadline() override {}
  void evict() override { evicted = true; }

  bool evicted = false;
};

HttpLimits small_limits() {
  HttpLimits limits;
  limits.connections_max = 4;
  limits.connections_per_client_max = 2;
  limits.refusals_max = 2;
  return limits;
}

class Table {
 public:
  /// Opens a connection that then waits for a request. Returns "served", "refused" or "closed".
  std::string open(int name, std::optional<ClientKey> client, int second) {
    auto* const connection = table.open(client, at(second));
    if (connection == nullptr) return "closed";
    auto& entry = entries_[name];
    entry = {connection, std::make_shared<FakeSession>()};
    table.attach(*connection, entry.session);
    connection->state.publish(Evictable::first, at(second));
    return connection->policy() == AcceptPolicy::serve ? "served" : "refused";
  }
  Connection* connection(int name) { return entries_.at(name).connection; }
  ConnectionState& state(int name) { return entries_.at(name).connection->state; }
  bool was_evicted(int name) const { return entries_.at(name).session->evicted; }
  void close(int name) {
    table.close(*entries_.at(name).connection);
    entries_.erase(name);
  }

  const HttpLimits limits = small_limits();
  ConnectionTable table{limits};

 private:
  struct Entry {
    Connection* connection;
    std::shared_ptr<FakeSession> session;
  };
  std::map<int, Entry> entries_;
};

}  // namespace

// HOST-20
TEST_CASE("A client at its limit loses the connection that has waited longest") {
  Table table;
  CHECK(table.open(1, kOne, 1) == "served");
  CHECK(table.open(2, kOne, 2) == "served");
  table.state(1).publish(Evictable::first, at(3));
  CHECK(table.open(3, kOne, 4) == "served");
  CHECK(table.was_evicted(2));
  CHECK_FALSE(table.was_evicted(1));
  CHECK(table.open(4, kTwo, 5) == "served");
  CHECK_FALSE(table.was_evicted(1));
}

// HOST-20
TEST_CASE("A client whose connections are all busy is refused; another client is served") {
  Table table;
  for (const int name : {1, 2}) {
    CHECK(table.open(name, kOne, name) == "served");
    table.state(name).publish(Evictable::never, {});
  }
  CHECK(table.open(3, kOne, 3) == "refused");
  CHECK(table.open(4, kTwo, 4) == "served");
  table.close(1);
  CHECK(table.open(5, kOne, 5) == "served");
}

// HOST-20
TEST_CASE("A full table evicts idle connections first, then those without a complete head, always the oldest") {
  Table table;
  for (const int name : {1, 2, 3, 4}) {
    CHECK(table.open(name, ClientKey(static_cast<std::uint64_t>(name)), name) == "served");
  }
  table.state(1).publish(Evictable::second, at(1));
  table.state(3).publish(Evictable::never, {});
  CHECK(table.open(5, ClientKey(5), 5) == "served");
  CHECK(table.was_evicted(2));
  CHECK(table.open(6, ClientKey(6), 6) == "served");
  CHECK(table.was_evicted(4));
  table.state(5).publish(Evictable::never, {});
  table.state(6).publish(Evictable::never, {});
  CHECK(table.open(7, ClientKey(7), 7) == "served");
  CHECK(table.was_evicted(1));
  table.state(7).publish(Evictable::never, {});
  CHECK(table.open(8, ClientKey(8), 8) == "refused");
  CHECK_FALSE(table.was_evicted(3));
}

TEST_CASE("A connection that was found idle but has received a request stays open") {
  Table table;
  for (const int name : {1, 2, 3, 4}) table.open(name, std::nullopt, name);
  CHECK(table.open(5, std::nullopt, 5) == "served");
  CHECK(table.was_evicted(1));
  table.state(2).publish(Evictable::never, {});
  table.state(3).publish(Evictable::first, at(6));
  CHECK(table.open(6, std::nullopt, 7) == "served");
  CHECK_FALSE(table.was_evicted(2));
  CHECK_FALSE(table.was_evicted(3));
  CHECK(table.was_evicted(4));
}

// HOST-20
TEST_CASE("Refusals have their own slots; the oldest is evicted for a new one, and none is free if all are busy") {
  Table table;
  for (const int name : {1, 2, 3, 4}) {
    table.open(name, std::nullopt, name);
    table.state(name).publish(Evictable::never, {});
  }
  CHECK(table.open(5, kOne, 5) == "refused");
  CHECK(table.open(6, kOne, 6) == "refused");
  CHECK(table.open(7, kOne, 7) == "refused");
  CHECK(table.was_evicted(5));
  table.close(5);
  table.state(6).publish(Evictable::never, {});
  table.state(7).publish(Evictable::never, {});
  CHECK(table.open(8, kOne, 8) == "closed");
}

TEST_CASE("The number of connections is limited even if evicted ones do not close") {
  Table table;
  int served = 0;
  for (int name = 1; name <= 100; ++name) served += table.open(name, std::nullopt, name) == "served" ? 1 : 0;
  CHECK(served == 8);
}

TEST_CASE("Only the total limit applies to connections without a client") {
  Table table;
  for (const int name : {1, 2, 3, 4}) CHECK(table.open(name, std::nullopt, name) == "served");
  for (const int name : {1, 2, 3, 4}) CHECK_FALSE(table.was_evicted(name));
}

TEST_CASE("An eviction of several connections spares the busy ones") {
  Table table;
  for (const int name : {1, 2, 3}) table.open(name, std::nullopt, name);
  table.state(1).publish(Evictable::never, {});
  table.table.evict(16, at(4));
  CHECK_FALSE(table.was_evicted(1));
  CHECK(table.was_evicted(2));
  CHECK(table.was_evicted(3));
}

TEST_CASE("Evicted connections that are still open are counted") {
  Table table;
  for (const int name : {1, 2, 3, 4}) table.open(name, std::nullopt, name);
  table.table.evict(2, at(5));
  table.table.evict(2, at(6));
  CHECK(table.was_evicted(2));
  CHECK_FALSE(table.was_evicted(3));
  table.close(1);
  table.table.evict(2, at(7));
  CHECK(table.was_evicted(3));
  CHECK_FALSE(table.was_evicted(4));
}

// HOST-22
TEST_CASE("A session that takes over an evicted connection is evicted too") {
  Table table;
  for (int i = 1; i <= 4; ++i) table.open(i, std::nullopt, i);
  auto* const connection = table.connection(1);
  CHECK(table.open(5, std::nullopt, 5) == "served");
  CHECK(table.was_evicted(1));
  const auto next = std::make_shared<FakeSession>();
  table.table.attach(*connection, next);
  CHECK(next->evicted);
  const auto other = std::make_shared<FakeSession>();
  table.table.attach(*table.connection(2), other);
  CHECK_FALSE(other->evicted);
}

TEST_CASE("Sessions are overdue once their deadline has passed") {
  Table table;
  for (const int name : {1, 2}) table.open(name, std::nullopt, name);
  CHECK(table.table.overdue(at(100)).empty());
  table.state(1).set_deadline(at(10));
  CHECK(table.table.overdue(at(9)).empty());
  CHECK(table.table.overdue(at(10)).size() == 1);
  table.state(1).set_deadline(Steady::time_point::max());
  CHECK(table.table.overdue(at(11)).empty());
}

TEST_CASE("The table is empty when the last connection is closed") {
  Table table;
  table.open(1, kOne, 1);
  CHECK_FALSE(table.table.wait_until_empty(milliseconds(0)));
  CHECK(table.table.all().size() == 1);
  table.close(1);
  CHECK(table.table.wait_until_empty(milliseconds(0)));
  CHECK(table.table.is_empty());
}

}  // namespace tonearm::native
