#pragma once
// The served snapshot: opened from a path, and replaced when another one is renamed onto it. Running requests continue
// with the snapshot that they began with. Safe for concurrent calls, except that `poll` is for one thread at a time.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "files/pinned_file.h"
#include "monitoring/log.h"
#include "snapshot/checked_catalog.h"
#include "tonearm/catalog.h"

namespace tonearm::native {

class CatalogHolder {
 public:
  /// `hashing` and `log` outlive the holder. `rule`: empty if signatures are not required (HOST-30).
  CatalogHolder(std::string path, Catalog::Options options, Hashing& hashing, Log& log, SignatureRule rule = {});

  /// Returns null while there is none. Every block of the catalog has been verified (HOST-27).
  std::shared_ptr<const Catalog> current() const;

  /// Checks the path once, and activates a new file after its signature and every block are verified. If the file is
  /// rejected or missing, the old snapshot stays. If the served file was changed in place, it is no longer served.
  void poll();

  /// Returns how often a snapshot was rejected, or dropped because its file was changed.
  std::uint64_t refusals() const { return refusals_; }

  /// Cancels the running check and all later ones, because the program is about to end.
  void interrupt() { interrupted_ = true; }

 private:
  /// The served snapshot.
  struct Served {
    std::shared_ptr<const PinnedFile> file;
    FileMark checked;  // its mark before its blocks were last verified
    std::shared_ptr<const Catalog> catalog;
  };

  void activate();
  void refuse(const std::string& why);
  void serve(std::optional<Served> served);
  /// Stops serving the snapshot if its bytes may have changed.
  void check_served();
  void check_path();
  /// Verifies the served snapshot again if a name of its file was added or removed.
  void recheck_renamed();
  Interrupted when_interrupted() const {
    return [this] { return interrupted_.load(); };
  }

  std::string path_;
  Catalog::Options options_;
  Hashing& hashing_;
  Log& log_;
  SignatureRule rule_;
  std::optional<Served> served_;
  std::optional<FileMark> seen_;  // the file at the path at the last poll
  bool missing_logged_ = false;
  std::atomic<bool> interrupted_ = false;
  std::atomic<std::uint64_t> refusals_ = 0;
  mutable std::mutex mutex_;
  std::shared_ptr<const Catalog> current_;
};

}  // namespace tonearm::native
