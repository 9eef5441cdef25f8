#pragma once
// Keeps a file up to date with a catalog in object storage (HOST-49 to HOST-54), and serves the catalog while its first
// download runs. Every public function is safe for concurrent calls.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "monitoring/log.h"
#include "monitoring/log_throttle.h"
#include "remote_catalog/block_requests.h"
#include "remote_catalog/catalog_download.h"

namespace tonearm::native {

class RemoteCatalog {
 public:
  struct Options {
    DownloadOptions download;              // without `interrupted`
    std::chrono::milliseconds interval{};  // between two requests for the current version
  };

  /// The others outlive the object. Throws std::runtime_error if the folder cannot be used or the certificates cannot
  /// be read.
  RemoteCatalog(Options options, Hashing& hashing, Random& random, Log& log);
  ~RemoteCatalog() { stop(); }
  RemoteCatalog(const RemoteCatalog&) = delete;
  RemoteCatalog& operator=(const RemoteCatalog&) = delete;

  /// Starts two threads: one compares versions and downloads, one fetches the blocks that calls wait for. Call it once.
  /// `is_file_good`: false if the file was checked and is not served; if a block is damaged, it is then replaced.
  void start(bool is_file_good);
  /// The catalog that is being downloaded; null unless there was no good one before.
  std::shared_ptr<const Catalog> early() const;
  /// Releases that catalog, because the complete one is served or it is damaged.
  void end_early();
  /// Whether `early` returns a catalog. Reads no lock.
  bool is_early() const { return is_early_; }
  /// Cancels a running download, which the next process continues, and every wait of a call for blocks. Not
  /// concurrently with `start`.
  void stop();
  /// Requests a comparison of versions now, and does not wait for it.
  void check_now();

  struct Counts {
    std::uint64_t bytes = 0;
    std::uint64_t failures = 0;
    std::uint64_t missing_blocks = 0;
    std::int64_t answered_s = 0;
  };
  Counts counts() const;

 private:
  DownloadOptions interruptible(DownloadOptions options);
  void run_rounds();
  /// Returns the time to the next round.
  std::chrono::milliseconds run_round();
  void serve_early(const BegunDownload& begun, ObjectReader& reader);
  void run_fetches();
  void fetch(const BegunDownload& begun, std::span<const std::uint32_t> blocks);
  bool wait(std::chrono::milliseconds time);

  const Options options_;
  Hashing& hashing_;
  Random& random_;
  Log& log_;
  std::atomic<bool> stopping_ = false;
  LogThrottle throttle_;
  std::uint32_t failed_rounds_ = 0;  // since the last good one
  bool has_complete_ = false;        // of the thread of the rounds
  BlockRequests requests_;
  CatalogDownload download_;
  ObjectReader reader_;  // of the thread that fetches for calls
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool check_requested_ = false;
  BegunDownload begun_;                   // what calls wait for
  std::shared_ptr<const Catalog> early_;  // null: there is a complete catalog, or none has begun
  std::atomic<bool> is_early_ = false;
  std::thread rounds_;
  std::thread fetches_;
};

}  // namespace tonearm::native
