#pragma once
// The snapshot in force: opened from a path, and replaced when another one is renamed onto it. Requests that run
// continue with the snapshot they began with. Safe for concurrent calls, but `poll` is for one thread at a time.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "files/pinned_file.h"
#include "monitoring/log.h"
#include "tonearm/catalog.h"

namespace tonearm::native {

/// Why a snapshot that is signed so, or not at all, may not be served; nothing where it may.
using SignatureRule = std::function<std::optional<std::string>(const std::optional<SignatureClaim>&)>;

class CatalogHolder {
 public:
  /// `hashing` and `log` outlive the holder. `rule`: empty where it does not matter who signed (HOST-30).
  CatalogHolder(std::string path, Catalog::Options options, Hashing& hashing, Log& log, SignatureRule rule = {});

  /// Null while there is none. Every block of it was checked before it was given out (HOST-27).
  std::shared_ptr<const Catalog> current() const;

  /// Looks at the path once, and activates what is new there, after its signature and every block were checked. A
  /// snapshot that is refused, or a path without a file, leaves the one in force; a file that was changed in place ends
  /// it, because its answers can no longer be trusted.
  void poll();

  /// How often a snapshot was refused, or served no longer for what became of its file.
  std::uint64_t refusals() const { return refusals_; }

  /// Gives up the check under way, and all later ones: the end of the program is near.
  void interrupt() { interrupted_ = true; }

 private:
  /// The snapshot in force.
  struct Served {
    std::shared_ptr<const PinnedFile> file;
    FileMark checked;  // its mark before its blocks were checked last
    std::shared_ptr<const Catalog> catalog;
  };

  void activate();
  void refuse(const std::string& why);
  /// Of the file that is mapped. Its end is small, so this costs nothing beside the blocks.
  Result<void> check_signature(const PinnedFile& file) const;
  void serve(std::optional<Served> served);
  /// Ends the snapshot in force if its bytes may be others.
  void look_at_served();
  void look_at_path();
  /// Checks the snapshot in force once more if its file was given another name or lost one.
  void check_renamed();
  Interrupted when_interrupted() const {
    return [this] { return interrupted_.load(); };
  }

  std::string path_;
  Catalog::Options options_;
  Hashing& hashing_;
  Log& log_;
  SignatureRule rule_;
  std::optional<Served> served_;
  std::optional<FileMark> seen_;  // what the path held at the last poll
  bool missing_logged_ = false;
  std::atomic<bool> interrupted_ = false;
  std::atomic<std::uint64_t> refusals_ = 0;
  mutable std::mutex mutex_;
  std::shared_ptr<const Catalog> current_;
};

}  // namespace tonearm::native
