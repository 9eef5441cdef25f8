#include "remote_catalog/block_requests.h"

#include <algorithm>

#include "tonearm/result.h"

namespace tonearm::native {
namespace {

/// The background download delivers blocks too, without notifying waiting calls of each.
constexpr std::chrono::milliseconds kLookAgain{50};

}  // namespace

void BlockRequests::wait_for(std::span<const std::uint32_t> blocks, const BlockFile& file,
                             std::chrono::steady_clock::time_point until) {
  const auto arrived = [&] { return std::ranges::all_of(blocks, [&](std::uint32_t it) { return file.has(it); }); };
  std::unique_lock lock(mutex_);
  const auto failures = failures_;
  for (const std::uint32_t block : blocks) {
    if (!file.has(block)) blocks_.insert(block);
  }
  requested_.notify_one();
  while (!arrived()) {
    if (stopped_) throw Failure("the download of the catalog was stopped");
    if (failures_ != failures) throw Failure("the catalog is not downloaded yet: " + failure_);
    const auto now = std::chrono::steady_clock::now();
    if (now >= until) throw Failure("the catalog is not downloaded yet, and the store is slow");
    finished_.wait_until(lock, std::min(until, now + kLookAgain));
  }
}

std::vector<std::uint32_t> BlockRequests::take() {
  std::unique_lock lock(mutex_);
  requested_.wait(lock, [this] { return stopped_ || !blocks_.empty(); });
  if (stopped_) return {};
  std::vector<std::uint32_t> blocks(blocks_.begin(), blocks_.end());
  blocks_.clear();
  return blocks;
}

void BlockRequests::finish(const std::string& failure) {
  {
    const std::lock_guard lock(mutex_);
    if (!failure.empty()) {
      ++failures_;
      failure_ = failure;
    }
  }
  finished_.notify_all();
}

void BlockRequests::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  requested_.notify_all();
  finished_.notify_all();
}

}  // namespace tonearm::native
