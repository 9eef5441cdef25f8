#pragma once
// Limits the memory of answers that wait for their clients to read them, per client and in total (HOST-47). If the
// total is exhausted, closes the oldest answer of the client that has most. Uses no sockets. Safe for concurrent calls.
//
//   const auto pending = budget.try_reserve(client, bytes, session);   // null: answer 503 instead
//   ... write the answer ...                                           // the destructor releases the bytes

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "http/client_address.h"
#include "http/connection_table.h"
#include "http/http_limits.h"

namespace tonearm::native {

class AnswerBudget {
 public:
  explicit AnswerBudget(const HttpLimits& limits) : limits_(limits) {}
  AnswerBudget(const AnswerBudget&) = delete;
  AnswerBudget& operator=(const AnswerBudget&) = delete;

  /// An answer that is being written.
  class Pending {
   public:
    Pending(AnswerBudget& budget, std::optional<ClientKey> client, std::size_t bytes, std::weak_ptr<Session> session)
        : budget_(budget), client_(client), bytes_(bytes), session_(std::move(session)) {}
    ~Pending() { budget_.release(*this); }
    Pending(const Pending&) = delete;
    Pending& operator=(const Pending&) = delete;

   private:
    friend class AnswerBudget;

    AnswerBudget& budget_;
    std::optional<ClientKey> client_;  // nothing: only the total limit applies
    std::size_t bytes_;
    std::weak_ptr<Session> session_;
    std::optional<std::list<Pending*>::iterator> self_;  // nothing: counted no longer
  };

  /// Returns null if the client has too much pending, or if no other client has more. A client's only answer is never
  /// too much for it. REQUIRES: the budget outlives the result.
  std::unique_ptr<Pending> try_reserve(std::optional<ClientKey> client, std::size_t bytes,
                                       std::weak_ptr<Session> session);

 private:
  Pending* oldest_of_largest(std::optional<ClientKey> client, std::size_t bytes);
  std::size_t bytes_of(std::optional<ClientKey> client) const;
  void forget(Pending& pending);
  void release(Pending& pending);

  const HttpLimits& limits_;
  std::mutex mutex_;
  std::size_t bytes_ = 0;
  std::list<Pending*> pending_;  // oldest first
  std::unordered_map<ClientKey, std::size_t> clients_;
};

}  // namespace tonearm::native
