#pragma once
// Counts the requests in progress of each client behind trusted proxies (HOST-20). Safe for concurrent calls.

#include <mutex>
#include <unordered_map>

#include "http/client_address.h"

namespace tonearm::native {

class ForwardedClients {
 public:
  explicit ForwardedClients(std::size_t max) : max_(max) {}

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
class ForwardedRequest {
 public:
  ForwardedRequest(ForwardedClients& clients, std::optional<ClientKey> client)
      : clients_(clients), client_(client), is_admitted_(!client || clients.try_acquire(*client)) {}
  ~ForwardedRequest() {
    if (client_ && is_admitted_) clients_.release(*client_);
  }
  ForwardedRequest(const ForwardedRequest&) = delete;
  ForwardedRequest& operator=(const ForwardedRequest&) = delete;

  bool is_admitted() const { return is_admitted_; }

 private:
  ForwardedClients& clients_;
  std::optional<ClientKey> client_;
  bool is_admitted_;
};

}  // namespace tonearm::native
