#pragma once
// Runs the blocks of a loop on several threads. The blocks do not depend on the number of threads, so neither do the
// results, as long as no two blocks write to the same elements.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <future>
#include <thread>
#include <vector>

namespace tonearm::native {

/// Returns the number of hardware threads.
inline std::uint32_t processors() { return std::max(std::thread::hardware_concurrency(), 1U); }

/// Calls work(begin, end) for the blocks of 0..count. After an exception, no further block begins; it is rethrown after
/// all threads have ended.
template <class Work>
void in_blocks(std::size_t count, std::size_t block, std::uint32_t threads, const Work& work) {
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    try {
      for (std::size_t begin = next.fetch_add(block); begin < count; begin = next.fetch_add(block)) {
        work(begin, std::min(begin + block, count));
      }
    } catch (...) {
      next = count;
      throw;
    }
  };
  std::vector<std::future<void>> others;
  for (std::uint32_t i = 1; i < threads && i * block < count; ++i)
    others.push_back(std::async(std::launch::async, run));
  run();
  for (auto& other : others) other.get();
}

}  // namespace tonearm::native
