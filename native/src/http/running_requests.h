#pragma once
// Limits the requests in progress of each client: behind trusted proxies (HOST-20), or of each person of a web site.
// Safe for concurrent calls.

#include <mutex>
#include <unordered_map>

#include "http/client_address.h"

namespace tonearm::native {

class RunningRequests {
 public:
  explicit RunningRequests(std::size_t max) : max_(max) {}

  /// Returns false if the client is at its limit.
  bool try_acquire(ClientKey client) {
    const std::lock_guard lock(mutex_);
    auto& count = counts_[client];
    if (count >= max_) return false;
    ++count;
    return true;
  }

  void release(ClientKey client) {
    const std::lock_guard lock(mutex_);
    const auto found = counts_.find(client);
    if (--found->second == 0) counts_.erase(found);
  }

 private:
  std::size_t max_;
  std::mutex mutex_;
  std::unordered_map<ClientKey, std::size_t> counts_;
};

/// The slot of a request in progress. The destructor releases it.
class RunningRequest {
 public:
  RunningRequest(RunningRequests& requests, std::optional<ClientKey> client)
      : requests_(requests), client_(client), is_admitted_(!client || requests.try_acquire(*client)) {}
  ~RunningRequest() {
    if (client_ && is_admitted_) requests_.release(*client_);
  }
  RunningRequest(const RunningRequest&) = delete;
  RunningRequest& operator=(const RunningRequest&) = delete;

  bool is_admitted() const { return is_admitted_; }

 private:
  RunningRequests& requests_;
  std::optional<ClientKey> client_;
  bool is_admitted_;
};

}  // namespace tonearm::native
