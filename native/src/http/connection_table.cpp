#include "http/connection_table.h"

#include <algorithm>
#include <tuple>

namespace tonearm::native {
namespace {

// A search for connections to evict reads the whole table. It finds several, and after one that finds none there is a
// pause.
constexpr std::size_t kCandidatesMax = 64;
constexpr std::chrono::milliseconds kSearchPause{100};

}  // namespace

ConnectionTable::Candidate ConnectionTable::candidate(Connection& connection) {
  return {&connection, connection.state.evictable(), connection.state.since()};
}

Connection* ConnectionTable::longest_waiting(const Members& members) {
  Connection* found = nullptr;
  for (auto* member : members) {
    if (member->state.evictable() == Evictable::never) continue;
    const auto order = [](const Connection& one) { return std::tuple(one.state.evictable(), one.state.since()); };
    if (found == nullptr || order(*member) < order(*found)) found = member;
  }
  return found;
}

bool ConnectionTable::has_slot() const {
  const std::lock_guard lock(mutex_);
  return !is_full();
}

Connection* ConnectionTable::open(std::optional<ClientKey> client, Steady::time_point now) {
  Sessions evicted;  // released outside the lock: the last reference ends a session, which calls `close`
  const std::lock_guard lock(mutex_);
  if (is_full()) return nullptr;
  const auto policy = choose_policy(client, now, evicted);
  if (!policy) return nullptr;
  auto& connection = connections_.emplace_back();
  connection.self_ = std::prev(connections_.end());
  connection.client_ = client;
  connection.policy_ = *policy;
  connection.state.publish(Evictable::never, now);
  if (*policy == AcceptPolicy::refuse) {
    refused_.push_back(&connection);
  } else {
    ++served_;
    if (client) clients_[*client].push_back(&connection);
  }
  return &connection;
}

std::optional<AcceptPolicy> ConnectionTable::choose_policy(std::optional<ClientKey> client, Steady::time_point now,
                                                           Sessions& evicted) {
  bool serve = true;
  const auto found = client ? clients_.find(*client) : clients_.end();
  if (found != clients_.end() && found->second.size() >= limits_.connections_per_client_max) {
    auto* const oldest = longest_waiting(found->second);
    serve = oldest != nullptr;
    if (serve) evict(*oldest, evicted);
  }
  if (serve && (served_ < limits_.connections_max || evict_one(now, evicted))) return AcceptPolicy::serve;
  if (refused_.size() >= limits_.refusals_max) {
    auto* const oldest = longest_waiting(refused_);
    if (oldest == nullptr) return std::nullopt;
    evict(*oldest, evicted);
  }
  return AcceptPolicy::refuse;
}

bool ConnectionTable::evict_one(Steady::time_point now, Sessions& evicted) {
  for (bool searched = false;; searched = true) {
    while (!candidates_.empty()) {
      const auto [connection, evictable, since] = candidates_.front();
      candidates_.pop_front();
      const bool unchanged = connection->state.evictable() == evictable && connection->state.since() == since;
      if (connection->evicting_ || !unchanged) continue;
      evict(*connection, evicted);
      return true;
    }
    if (searched) return false;
    find_candidates(now);
  }
}

void ConnectionTable::find_candidates(Steady::time_point now) {
  if (last_search_ != Steady::time_point::min() && now - last_search_ < kSearchPause) return;
  std::vector<Candidate> found;
  for (auto& connection : connections_) {
    if (connection.evicting_ || connection.policy_ == AcceptPolicy::refuse) continue;
    const auto one = candidate(connection);
    if (one.evictable != Evictable::never) found.push_back(one);
  }
  last_search_ = found.empty() ? now : Steady::time_point::min();
  const auto count = std::min(found.size(), kCandidatesMax);
  const auto middle = found.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(found.begin(), middle, found.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.evictable, a.since) < std::tie(b.evictable, b.since);
  });
  candidates_.assign(found.begin(), middle);
}

void ConnectionTable::evict(Connection& connection, Sessions& evicted) {
  release_slot(connection);
  if (auto session = connection.session_.lock()) {
    session->evict();
    evicted.push_back(std::move(session));
  }
}

void ConnectionTable::release_slot(Connection& connection) {
  connection.evicting_ = true;
  if (connection.policy_ == AcceptPolicy::refuse) {
    std::erase(refused_, &connection);
    return;
  }
  --served_;
  if (!connection.client_) return;
  const auto found = clients_.find(*connection.client_);
  std::erase(found->second, &connection);
  if (found->second.empty()) clients_.erase(found);
}

void ConnectionTable::attach(Connection& connection, std::weak_ptr<Session> session) {
  const auto attached = session.lock();  // released outside the lock
  const std::lock_guard lock(mutex_);
  connection.session_ = std::move(session);
  if (connection.evicting_ && attached) attached->evict();  // the eviction reached the previous session
}

void ConnectionTable::close(Connection& connection) {
  const std::lock_guard lock(mutex_);
  if (!connection.evicting_) release_slot(connection);
  std::erase_if(candidates_, [&connection](const Candidate& one) { return one.connection == &connection; });
  connections_.erase(connection.self_);
  if (connections_.empty()) emptied_.notify_all();
}

void ConnectionTable::evict(std::size_t count, Steady::time_point now) {
  Sessions evicted;
  const std::lock_guard lock(mutex_);
  const auto evicting = connections_.size() - served_ - refused_.size();
  for (auto i = evicting; i < count && evict_one(now, evicted); ++i) continue;
}

std::vector<std::shared_ptr<Session>> ConnectionTable::overdue(Steady::time_point now) const {
  Sessions found;
  const std::lock_guard lock(mutex_);
  for (const auto& connection : connections_) {
    if (connection.state.deadline() > now) continue;
    if (auto session = connection.session_.lock()) found.push_back(std::move(session));
  }
  return found;
}

std::vector<std::shared_ptr<Session>> ConnectionTable::all() const {
  Sessions found;
  const std::lock_guard lock(mutex_);
  for (const auto& connection : connections_) {
    if (auto session = connection.session_.lock()) found.push_back(std::move(session));
  }
  return found;
}

bool ConnectionTable::is_empty() const {
  const std::lock_guard lock(mutex_);
  return connections_.empty();
}

bool ConnectionTable::wait_until_empty(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return emptied_.wait_for(lock, time, [this] { return connections_.empty(); });
}

}  // namespace tonearm::native
