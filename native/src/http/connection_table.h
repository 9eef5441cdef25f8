#pragma once
// The open connections of one address: how many there may be, of one client and in all, and which of them goes when a
// new one needs its place (HOST-20). Knows neither sockets nor clocks. Safe for concurrent calls.
//
//   auto* connection = table.open(client, now);       // null: close the socket
//   table.attach(*connection, session);
//   for (auto& late : table.late(now)) late->end_late();
//   table.close(*connection);                         // from the session's destructor

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "http/client_address.h"
#include "http/http_limits.h"
#include "http/phase_deadline.h"

namespace tonearm::native {

/// One connection's reading and writing, as listener and table see it. From any thread; what they ask happens
/// later, on the session's own strand.
class Session {
 public:
  virtual ~Session() = default;
  virtual void start() = 0;
  /// Closes the connection as soon as no request is under way.
  virtual void stop_soon() = 0;
  /// Ends what is late, if it still is.
  virtual void end_late() = 0;
  /// Closes the connection if no request of it was admitted yet, else behind the answer.
  virtual void make_room() = 0;
};

/// Whether a session serves its requests, or says that there are too many connections.
enum class AcceptPolicy : std::uint8_t { serve, refuse };

/// Which connections go first when there are too many: the idle ones, then those whose request nobody has seen yet.
enum class Evictable : std::uint8_t { first, second, never };

/// What a session shows of itself, at the price of plain stores: its strand writes, the sweep reads.
class ConnectionState {
 public:
  void show(Evictable evictable, Steady::time_point since) {
    since_.store(since.time_since_epoch().count(), std::memory_order_relaxed);
    evictable_.store(evictable, std::memory_order_relaxed);
  }
  void set_deadline(Steady::time_point deadline) {
    deadline_.store(deadline.time_since_epoch().count(), std::memory_order_relaxed);
  }
  Evictable evictable() const { return evictable_.load(std::memory_order_relaxed); }
  Steady::time_point since() const { return time(since_); }
  Steady::time_point deadline() const { return time(deadline_); }

 private:
  using Rep = std::atomic<Steady::rep>;

  static Steady::time_point time(const Rep& rep) {
    return Steady::time_point(Steady::duration(rep.load(std::memory_order_relaxed)));
  }

  Rep deadline_{Steady::time_point::max().time_since_epoch().count()};
  Rep since_{0};
  std::atomic<Evictable> evictable_{Evictable::never};
};

class ConnectionTable;

/// One open connection.
class Connection {
 public:
  ConnectionState state;
  AcceptPolicy policy() const { return policy_; }

 private:
  friend class ConnectionTable;

  std::optional<ClientKey> client_;  // nothing: bounded by the whole table alone
  AcceptPolicy policy_ = AcceptPolicy::serve;
  bool leaves_ = false;  // was told to make room, and counts no more
  std::weak_ptr<Session> session_;
  std::list<Connection>::iterator self_;
};

class ConnectionTable {
 public:
  explicit ConnectionTable(const HttpLimits& limits) : limits_(limits) {}

  /// False: so many of those that were told to go are still there that `open` has no place for anybody.
  bool has_room() const;
  /// A place for a new connection. It may be one that another connection is told to leave: of a client that has all its
  /// own, the one that waits longest; of a full table, likewise. Null: not even a refusal has a place.
  Connection* open(std::optional<ClientKey> client, Steady::time_point now);
  /// Who has the place: right after `open`, and again where another session takes the connection over.
  void attach(Connection& connection, std::weak_ptr<Session> session);
  void close(Connection& connection);

  /// Tells connections to make room, those first that wait longest, until so many are about to go.
  void make_room(std::size_t count, Steady::time_point now);
  /// Those whose deadline has passed.
  std::vector<std::shared_ptr<Session>> late(Steady::time_point now) const;
  std::vector<std::shared_ptr<Session>> all() const;

  bool is_empty() const;
  /// False: some connections were left when `time` was over.
  bool wait_until_empty(std::chrono::milliseconds time);

 private:
  using Members = std::vector<Connection*>;
  using Sessions = std::vector<std::shared_ptr<Session>>;
  /// May go, as long as it still waits for what it waited for.
  struct Candidate {
    Connection* connection;
    Evictable evictable;
    Steady::time_point since;
  };

  static Candidate candidate(Connection& connection);
  static Connection* longest_waiting(const Members& members);
  std::optional<AcceptPolicy> choose_policy(std::optional<ClientKey> client, Steady::time_point now, Sessions& told);
  bool free_one(Steady::time_point now, Sessions& told);
  void find_candidates(Steady::time_point now);
  void evict(Connection& connection, Sessions& told);
  void leave(Connection& connection);
  bool is_full() const { return connections_.size() >= limits_.connections_max + 2 * limits_.refusals_max; }

  const HttpLimits& limits_;
  mutable std::mutex mutex_;
  std::condition_variable emptied_;
  std::list<Connection> connections_;
  std::unordered_map<ClientKey, Members> clients_;  // of connections that are served
  Members refused_;
  std::size_t served_ = 0;
  std::deque<Candidate> candidates_;  // best first
  Steady::time_point searched_ = Steady::time_point::min();
};

}  // namespace tonearm::native
