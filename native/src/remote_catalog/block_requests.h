#pragma once
// The blocks that calls wait for, from the threads of the calls to the thread that fetches. Safe for concurrent calls.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "remote_catalog/block_file.h"

namespace tonearm::native {

class BlockRequests {
 public:
  /// Requests the blocks and waits until `file` has all of them. Throws Failure at `until`, or when a fetch failed or
  /// `stop` was called.
  void wait_for(std::span<const std::uint32_t> blocks, const BlockFile& file,
                std::chrono::steady_clock::time_point until);

  /// Waits for requested blocks and returns them, ascending; none after `stop`.
  std::vector<std::uint32_t> take();
  /// Wakes the waiting calls: those whose blocks have arrived continue. `failure`: why the others fail; empty: they
  /// wait on.
  void finish(const std::string& failure);
  /// Ends all waiting, now and later.
  void stop();

 private:
  std::mutex mutex_;
  std::condition_variable requested_;
  std::condition_variable finished_;
  std::set<std::uint32_t> blocks_;
  std::uint64_t failures_ = 0;
  std::string failure_;
  bool stopped_ = false;
};

}  // namespace tonearm::native
