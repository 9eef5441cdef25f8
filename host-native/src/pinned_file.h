#pragma once
// A file held and mapped for SQLite: connections opened later see the same file, also after another one was renamed
// onto its path. (By path they would not: SQLite resolves links, and refuses to open one.)

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tonearm/snapshot_file.h"

namespace tonearm::native {

/// What tells one file, and one state of it, from another.
struct FileMark {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t changed_ns = 0;

  bool same_file(const FileMark& other) const { return device == other.device && inode == other.inode; }
  friend bool operator==(const FileMark&, const FileMark&) = default;
};

/// Nothing where there is no such file.
std::optional<FileMark> mark_of(const std::string& path);

class PinnedFile final : public SnapshotFile {
 public:
  /// Throws std::runtime_error.
  explicit PinnedFile(const std::string& path);
  ~PinnedFile() override;
  PinnedFile(const PinnedFile&) = delete;
  PinnedFile& operator=(const PinnedFile&) = delete;

  /// To this very file, whose pages are read where they are mapped. The object must outlive it.
  sql::SqliteHandle connect() const override;
  std::uint64_t size() const override { return size_; }
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override;
  FileMark mark() const;

 private:
  int descriptor_;
  std::size_t size_ = 0;
  unsigned char* bytes_ = nullptr;
};

}  // namespace tonearm::native
