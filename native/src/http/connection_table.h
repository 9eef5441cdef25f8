#pragma once
// The open connections of one listening address: limits them per client and in total, and selects the one to evict when
// a new connection needs a slot (HOST-20). Uses neither sockets nor clocks. Safe for concurrent calls.
//
//   auto* connection = table.open(client, now);       // null: close the socket
//   table.attach(*connection, session);
//   for (auto& session : table.overdue(now)) session->check_deadline();
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

/// The session of a connection, as listener and table see it. Safe for concurrent calls; every call takes effect later,
/// on the session's thread.
class Session {
 public:
  virtual ~Session() = default;
  virtual void start() = 0;
  /// Closes the connection as soon as no request is in progress.
  virtual void close_when_idle() = 0;
  /// Ends the current phase if its deadline has passed.
  virtual void check_deadline() = 0;
  /// Evicts this connection to free its slot. Closes at once if no request has been admitted, otherwise after the
  /// response is sent.
  virtual void evict() = 0;
  /// Closes the connection without waiting for the client. Sessions that write no answers ignore it.
  virtual void abort() {}
};

/// Whether a session serves its requests or answers that there are too many connections.
enum class AcceptPolicy : std::uint8_t { serve, refuse };

/// The order of eviction: first idle connections, then those without an admitted request.
enum class Evictable : std::uint8_t { first, second, never };

/// The state that a session publishes for the sweep. Written by the session's thread and read by the listener's without
/// locks.
class ConnectionState {
 public:
  void publish(Evictable evictable, Steady::time_point since) {
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
  /// Nothing: only the total limits apply.
  std::optional<ClientKey> client() const { return client_; }

 private:
  friend class ConnectionTable;

  std::optional<ClientKey> client_;
  AcceptPolicy policy_ = AcceptPolicy::serve;
  bool evicting_ = false;  // and no longer counted as served
  std::weak_ptr<Session> session_;
  std::list<Connection>::iterator self_;
};

class ConnectionTable {
 public:
  explicit ConnectionTable(const HttpLimits& limits) : limits_(limits) {}

  /// Returns false if evicted connections that are still open use all slots.
  bool has_slot() const;
  /// Opens a slot for a new connection. If the client or the table is at its limit, evicts the connection that has
  /// waited longest. Returns null if there is no free slot and nothing to evict; the caller must close the socket.
  Connection* open(std::optional<ClientKey> client, Steady::time_point now);
  /// Sets the session of a connection: right after `open`, and again when another session takes the connection over.
  void attach(Connection& connection, std::weak_ptr<Session> session);
  void close(Connection& connection);

  /// Evicts the connections that have waited longest until `count` evictions are in progress.
  void evict(std::size_t count, Steady::time_point now);
  /// Returns the sessions whose deadline has passed.
  std::vector<std::shared_ptr<Session>> overdue(Steady::time_point now) const;
  std::vector<std::shared_ptr<Session>> all() const;

  bool is_empty() const;
  /// Returns false if connections are still open after `time`.
  bool wait_until_empty(std::chrono::milliseconds time);

 private:
  using Members = std::vector<Connection*>;
  using Sessions = std::vector<std::shared_ptr<Session>>;
  /// A connection to evict, unless its state has changed since it was found.
  struct Candidate {
    Connection* connection;
    Evictable evictable;
    Steady::time_point since;
  };

  static Candidate candidate(Connection& connection);
  static Connection* longest_waiting(const Members& members);
  std::optional<AcceptPolicy> choose_policy(std::optional<ClientKey> client, Steady::time_point now, Sessions& evicted);
  bool evict_one(Steady::time_point now, Sessions& evicted);
  void find_candidates(Steady::time_point now);
  void evict(Connection& connection, Sessions& evicted);
  void release_slot(Connection& connection);
  bool is_full() const { return connections_.size() >= limits_.connections_max + 2 * limits_.refusals_max; }

  const HttpLimits& limits_;
  mutable std::mutex mutex_;
  std::condition_variable emptied_;
  std::list<Connection> connections_;
  std::unordered_map<ClientKey, Members> clients_;  // of served connections
  Members refused_;
  std::size_t served_ = 0;
  std::deque<Candidate> candidates_;  // best first
  Steady::time_point last_search_ = Steady::time_point::min();
};

}  // namespace tonearm::native
