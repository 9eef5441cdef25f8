#pragma once
// The snapshot in force: opened from a path, and exchanged when another one is renamed onto it. Requests that run
// go on with the snapshot they began with. Safe for concurrent calls, but `look` is for one thread at a time.

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "log.h"
#include "pinned_file.h"
#include "tonearm/catalog.h"

namespace tonearm::native {

class CatalogHolder {
 public:
  /// All but the path outlives the holder.
  CatalogHolder(std::string path, Catalog::Options options, Hashing& hashing, Log& log);

  /// Null while there is none.
  std::shared_ptr<const Catalog> current() const;

  /// Looks at the path once, and takes up what is new there. A snapshot that is refused, or a path without a
  /// file, leaves the one in force; a file that was changed in place ends it, because its answers can no longer
  /// be trusted. Where none is in force, a snapshot is served at once, and every block of it is checked at the next
  /// look; else it is checked before it is served.
  void look();

 private:
  void take_up();
  void put(std::shared_ptr<const Catalog> catalog);
  void check_unchanged(const FileMark& found);
  void check_served();

  std::string path_;
  Catalog::Options options_;
  Hashing& hashing_;
  Log& log_;
  std::shared_ptr<const PinnedFile> file_;  // of the snapshot in force
  std::optional<FileMark> opened_;          // and its mark when it was opened
  std::optional<FileMark> seen_;            // what the path held when it was last looked into
  bool missing_logged_ = false;
  bool unchecked_ = false;  // the snapshot in force was not read whole yet
  mutable std::mutex mutex_;
  std::shared_ptr<const Catalog> current_;
};

}  // namespace tonearm::native
