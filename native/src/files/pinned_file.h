#pragma once
// An open, mapped file. Connections that are opened later use the same file even if another one was renamed onto its
// path.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tonearm/sqlite_snapshot.h"

namespace tonearm::native {

/// Identifies a file and a version of its content.
struct FileMark {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  nlink_t names = 0;  // hard links
  std::int64_t written_ns = 0;
  std::int64_t changed_ns = 0;  // of bytes or metadata; no program can set it

  bool same_file(const FileMark& other) const { return device == other.device && inode == other.inode; }
  friend bool operator==(const FileMark&, const FileMark&) = default;
};

enum class FileChange : std::uint8_t {
  none,
  names,  // a name was added or removed, as by a rename onto its path; the bytes are unchanged
  other,  // the bytes may have changed
};
/// REQUIRES: both are marks of one file.
FileChange change_between(const FileMark& before, const FileMark& after);

/// Returns nothing if there is no such file.
std::optional<FileMark> mark_of(const std::string& path);

class PinnedFile final : public SnapshotFile, public SqliteSnapshot {
 public:
  /// Throws std::runtime_error, also if the path is not a regular file; it is then not opened. From then on every
  /// change of the file changes its mark.
  explicit PinnedFile(const std::string& path);
  ~PinnedFile() override;
  PinnedFile(const PinnedFile&) = delete;
  PinnedFile& operator=(const PinnedFile&) = delete;

  const SnapshotFile& file() const override { return *this; }
  /// Opens a connection that reads the mapped pages of this file. The object must outlive it.
  sql::SqliteHandle connect() const override;
  std::uint64_t size() const override { return size_; }
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override;
  /// Compares the mark. The system sets the times of a file before its bytes, so bytes that were read before this
  /// returned true were unchanged, unless another program writes through a mapping.
  bool is_unchanged() const override;

  const FileMark& opened_mark() const { return opened_; }
  /// Returns the current mark; every later change changes it.
  FileMark mark() const;

 private:
  int descriptor_;
  std::size_t size_ = 0;
  unsigned char* bytes_ = nullptr;
  FileMark opened_;
};

}  // namespace tonearm::native
