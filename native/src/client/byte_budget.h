#pragma once
// A limit of bytes that many parts share. Safe for concurrent calls.

#include <atomic>
#include <cstddef>

namespace tonearm::native {

class ByteBudget {
 public:
  explicit ByteBudget(std::size_t max) : max_(max) {}

  /// Returns false, without effect, if fewer bytes are left.
  bool try_reserve(std::size_t bytes) {
    auto used = used_.load(std::memory_order_relaxed);
    do {
      if (bytes > max_ - used) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
  }
  void release(std::size_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  const std::size_t max_;
  std::atomic<std::size_t> used_{0};
};

}  // namespace tonearm::native
