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

/// Notes what it was told.
class FakeSession final : public Session {
 public:
  void start() override {}
  void stop_soon() override {}
  void end_late() override {}
  void make_room() override { left = true; }

  bool left = false;
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
  /// What became of a connection that now waits for a request: "served", "refused" or "closed".
  std::string open(int name, std::optional<ClientKey> client, int second) {
    auto* const connection = table.open(client, at(second));
    if (connection == nullptr) return "closed";
    auto& entry = entries_[name];
    entry = {connection, std::make_shared<FakeSession>()};
    table.attach(*connection, entry.session);
    connection->state.show(Evictable::first, at(second));
    return connection->policy() == AcceptPolicy::serve ? "served" : "refused";
  }
  Connection* connection(int name) { return entries_.at(name).connection; }
  ConnectionState& state(int name) { return entries_.at(name).connection->state; }
  bool was_told_to_leave(int name) const { return entries_.at(name).session->left; }
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
TEST_CASE("A client that has all its connections loses the one that waits longest") {
  Table table;
  CHECK(table.open(1, kOne, 1) == "served");
  CHECK(table.open(2, kOne, 2) == "served");
  table.state(1).show(Evictable::first, at(3));
  CHECK(table.open(3, kOne, 4) == "served");
  CHECK(table.was_told_to_leave(2));
  CHECK_FALSE(table.was_told_to_leave(1));
  CHECK(table.open(4, kTwo, 5) == "served");
  CHECK_FALSE(table.was_told_to_leave(1));
}

// HOST-20
TEST_CASE("A client all of whose connections are busy is refused; another one is served") {
  Table table;
  for (const int name : {1, 2}) {
    CHECK(table.open(name, kOne, name) == "served");
    table.state(name).show(Evictable::never, {});
  }
  CHECK(table.open(3, kOne, 3) == "refused");
  CHECK(table.open(4, kTwo, 4) == "served");
  table.close(1);
  CHECK(table.open(5, kOne, 5) == "served");
}

// HOST-20
TEST_CASE("In a full table idle connections go first, then those without a whole head, each time the oldest") {
  Table table;
  for (const int name : {1, 2, 3, 4}) {
    CHECK(table.open(name, ClientKey(static_cast<std::uint64_t>(name)), name) == "served");
  }
  table.state(1).show(Evictable::second, at(1));
  table.state(3).show(Evictable::never, {});
  CHECK(table.open(5, ClientKey(5), 5) == "served");
  CHECK(table.was_told_to_leave(2));
  CHECK(table.open(6, ClientKey(6), 6) == "served");
  CHECK(table.was_told_to_leave(4));
  table.state(5).show(Evictable::never, {});
  table.state(6).show(Evictable::never, {});
  CHECK(table.open(7, ClientKey(7), 7) == "served");
  CHECK(table.was_told_to_leave(1));
  table.state(7).show(Evictable::never, {});
  CHECK(table.open(8, ClientKey(8), 8) == "refused");
  CHECK_FALSE(table.was_told_to_leave(3));
}

TEST_CASE("A connection that was found idle and has a request by now stays") {
  Table table;
  for (const int name : {1, 2, 3, 4}) table.open(name, std::nullopt, name);
  CHECK(table.open(5, std::nullopt, 5) == "served");
  CHECK(table.was_told_to_leave(1));
  table.state(2).show(Evictable::never, {});
  table.state(3).show(Evictable::first, at(6));
  CHECK(table.open(6, std::nullopt, 7) == "served");
  CHECK_FALSE(table.was_told_to_leave(2));
  CHECK_FALSE(table.was_told_to_leave(3));
  CHECK(table.was_told_to_leave(4));
}

// HOST-20
TEST_CASE("Refusals have places of their own, whose oldest goes for a new one, and none is left where all are busy") {
  Table table;
  for (const int name : {1, 2, 3, 4}) {
    table.open(name, std::nullopt, name);
    table.state(name).show(Evictable::never, {});
  }
  CHECK(table.open(5, kOne, 5) == "refused");
  CHECK(table.open(6, kOne, 6) == "refused");
  CHECK(table.open(7, kOne, 7) == "refused");
  CHECK(table.was_told_to_leave(5));
  table.close(5);
  table.state(6).show(Evictable::never, {});
  table.state(7).show(Evictable::never, {});
  CHECK(table.open(8, kOne, 8) == "closed");
}

TEST_CASE("Connections that do not leave when they are told do not let any number in") {
  Table table;
  int served = 0;
  for (int name = 1; name <= 100; ++name) served += table.open(name, std::nullopt, name) == "served" ? 1 : 0;
  CHECK(served == 8);
}

TEST_CASE("Connections without a client are bounded by the table alone") {
  Table table;
  for (const int name : {1, 2, 3, 4}) CHECK(table.open(name, std::nullopt, name) == "served");
  for (const int name : {1, 2, 3, 4}) CHECK_FALSE(table.was_told_to_leave(name));
}

TEST_CASE("Making room tells as many as are asked for, and no busy one") {
  Table table;
  for (const int name : {1, 2, 3}) table.open(name, std::nullopt, name);
  table.state(1).show(Evictable::never, {});
  table.table.make_room(16, at(4));
  CHECK_FALSE(table.was_told_to_leave(1));
  CHECK(table.was_told_to_leave(2));
  CHECK(table.was_told_to_leave(3));
}

TEST_CASE("Who was told to make room and is not gone yet is counted") {
  Table table;
  for (const int name : {1, 2, 3, 4}) table.open(name, std::nullopt, name);
  table.table.make_room(2, at(5));
  table.table.make_room(2, at(6));
  CHECK(table.was_told_to_leave(2));
  CHECK_FALSE(table.was_told_to_leave(3));
  table.close(1);
  table.table.make_room(2, at(7));
  CHECK(table.was_told_to_leave(3));
  CHECK_FALSE(table.was_told_to_leave(4));
}

// HOST-22
TEST_CASE("A connection that was told to leave while another session took it over tells that one too") {
  Table table;
  for (int i = 1; i <= 4; ++i) table.open(i, std::nullopt, i);
  auto* const connection = table.connection(1);
  CHECK(table.open(5, std::nullopt, 5) == "served");
  CHECK(table.was_told_to_leave(1));
  const auto next = std::make_shared<FakeSession>();
  table.table.attach(*connection, next);
  CHECK(next->left);
  const auto other = std::make_shared<FakeSession>();
  table.table.attach(*table.connection(2), other);
  CHECK_FALSE(other->left);
}

TEST_CASE("Late are those whose deadline has passed") {
  Table table;
  for (const int name : {1, 2}) table.open(name, std::nullopt, name);
  CHECK(table.table.late(at(100)).empty());
  table.state(1).set_deadline(at(10));
  CHECK(table.table.late(at(9)).empty());
  CHECK(table.table.late(at(10)).size() == 1);
  table.state(1).set_deadline(Steady::time_point::max());
  CHECK(table.table.late(at(11)).empty());
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
