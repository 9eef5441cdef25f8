#include "remote_catalog/remote_catalog.h"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "remote_catalog/early_catalog.h"
#include "system/work_deadline.h"
#include "tonearm/read_plan.h"

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// The pause after the first failed round; it doubles with each further one.
constexpr milliseconds kFirstPause{1'000};
constexpr milliseconds kPauseMax{300'000};
/// For callers without a deadline of their own.
constexpr milliseconds kCallWait{30'000};

}  // namespace

RemoteCatalog::RemoteCatalog(Options options, Hashing& hashing, Random& random, Log& log)
    : options_(std::move(options)),
      hashing_(hashing),
      random_(random),
      log_(log),
      download_(interruptible(options_.download), hashing, random,
                [this](const BegunDownload& begun, ObjectReader& reader) { serve_early(begun, reader); }),
      reader_(options_.download.access, random, [this] { return stopping_.load(); }) {}

void RemoteCatalog::start(bool is_file_good) {
  has_complete_ = is_file_good;
  if (!is_file_good) download_.check_file();
  rounds_ = std::thread([this] { run_rounds(); });
  fetches_ = std::thread([this] { run_fetches(); });
}

void RemoteCatalog::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  requests_.stop();
  if (rounds_.joinable()) rounds_.join();
  if (fetches_.joinable()) fetches_.join();
}

DownloadOptions RemoteCatalog::interruptible(DownloadOptions options) {
  options.catalog.interrupted = [this] { return stopping_.load(); };
  return options;
}

std::shared_ptr<const Catalog> RemoteCatalog::early() const {
  const std::lock_guard lock(mutex_);
  return early_;
}

void RemoteCatalog::end_early() {
  BegunDownload begun;
  std::shared_ptr<const Catalog> early;
  const std::lock_guard lock(mutex_);
  std::swap(begun, begun_);
  early.swap(early_);
  is_early_ = false;
}

void RemoteCatalog::check_now() {
  {
    const std::lock_guard lock(mutex_);
    check_requested_ = true;
  }
  wake_.notify_all();
}

RemoteCatalog::Counts RemoteCatalog::counts() const {
  const auto& counts = download_.counts();
  return {counts.bytes, counts.failures, counts.missing_blocks, counts.answered_s};
}

void RemoteCatalog::run_rounds() {
  while (wait(run_round())) {
  }
}

/// Returns false if the object is being destroyed.
bool RemoteCatalog::wait(milliseconds time) {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, time, [this] { return stopping_ || check_requested_; });
  check_requested_ = false;
  return !stopping_;
}

milliseconds RemoteCatalog::run_round() {
  try {
    if (download_.run() == CatalogDownload::Outcome::replaced) has_complete_ = true;
    failed_rounds_ = 0;
    return options_.interval;
  } catch (const std::exception& failure) {
    if (stopping_) return milliseconds(0);
    if (dynamic_cast<const SnapshotRejected*>(&failure) != nullptr) end_early();
    ++download_.counts().failures;
    const auto now_ms = std::chrono::duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
    if (const auto more = throttle_.try_log(now_ms)) {
      log_.error("the catalog cannot be downloaded: " + std::string(failure.what()) + *more);
    }
  }
  // Servers that failed together must not all retry together.
  std::array<std::uint8_t, 1> byte{};
  random_.fill(byte);
  const auto pause = std::min(kFirstPause * (1U << std::min(failed_rounds_++, 10U)), kPauseMax);
  return pause / 2 + pause * byte[0] / 255;
}

/// On the thread of the rounds, before the background download.
void RemoteCatalog::serve_early(const BegunDownload& begun, ObjectReader& reader) {
  if (has_complete_) return;
  {
    const std::lock_guard lock(mutex_);
    if (begun_.file == begun.file && early_ != nullptr) {  // a retried round
      begun_.version = begun.version;                      // the entity tag may be another one
      return;
    }
  }
  const auto wait_to_open = [&](std::span<const std::uint32_t> blocks) {
    for (const BlockRun& run : plan_reads(blocks)) {
      fetch_run(reader, begun.version, run, *begun.file, download_.counts());
    }
  };
  const auto file = begun.file;
  const auto wait = [this, file](std::span<const std::uint32_t> blocks) {
    requests_.wait_for(blocks, *file, std::min(WorkDeadline::current(), steady_clock::now() + kCallWait));
  };
  const auto snapshot = std::make_shared<const EarlySnapshot>(file);
  const auto opened = open_early(snapshot, download_.options().catalog, wait_to_open, wait);
  if (!opened) throw StoreRefusal(options_.download.access.address.text + " is refused: " + opened.error().message);
  log_.info("catalog " + (*opened)->version() + " with " + std::to_string((*opened)->track_count()) +
            " tracks is served while it is downloaded");
  const std::lock_guard lock(mutex_);
  begun_ = begun;
  early_ = *opened;
  is_early_ = true;
}

void RemoteCatalog::run_fetches() {
  for (auto blocks = requests_.take(); !blocks.empty(); blocks = requests_.take()) {
    BegunDownload begun;
    {
      const std::lock_guard lock(mutex_);
      begun = begun_;
    }
    std::erase_if(blocks, [&](std::uint32_t block) { return begun.file == nullptr || begun.file->has(block); });
    try {
      fetch(begun, blocks);
      requests_.finish({});
    } catch (const std::exception& failure) {
      requests_.finish(failure.what());
    }
  }
}

void RemoteCatalog::fetch(const BegunDownload& begun, std::span<const std::uint32_t> blocks) {
  for (const BlockRun& run : plan_reads(blocks)) {
    fetch_run(reader_, begun.version, run, *begun.file, download_.counts());
    requests_.finish({});
  }
}

}  // namespace tonearm::native
