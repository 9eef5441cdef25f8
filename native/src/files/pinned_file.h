#pragma once
// A file held and mapped: connections opened later see the same file, also after another one was renamed onto its path.
// (By path they would not: SQLite resolves links, and refuses to open one.)

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tonearm/sqlite_snapshot.h"

namespace tonearm::native {

/// What tells one file, and one state of it, from another.
struct FileMark {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  nlink_t names = 0;  // hard links
  std::int64_t written_ns = 0;
  std::int64_t changed_ns = 0;  // also by what else is kept of a file than its bytes; no program can set it

  bool same_file(const FileMark& other) const { return device == other.device && inode == other.inode; }
  friend bool operator==(const FileMark&, const FileMark&) = default;
};

enum class FileChange : std::uint8_t {
  none,
  names,  // it was given another name or lost one, as by a rename onto its path; nothing speaks for other bytes
  other,  // its bytes may be others
};
/// Both are marks of one file.
FileChange change_between(const FileMark& before, const FileMark& after);

/// Nothing where there is no such file.
std::optional<FileMark> mark_of(const std::string& path);

class PinnedFile final : public SnapshotFile, public SqliteSnapshot {
 public:
  /// Throws std::runtime_error, also for what is no regular file: it is not opened then, and nobody waits for it. After
  /// the constructor every change of the file shows in its mark.
  explicit PinnedFile(const std::string& path);
  ~PinnedFile() override;
  PinnedFile(const PinnedFile&) = delete;
  PinnedFile& operator=(const PinnedFile&) = delete;

  const SnapshotFile& file() const override { return *this; }
  /// To this very file, whose pages are read where they are mapped. The object must outlive it.
  sql::SqliteHandle connect() const override;
  std::uint64_t size() const override { return size_; }
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override;
  /// By its mark. The system sets the times of a file before its bytes: what was read before this answered true was
  /// read from unchanged bytes. (Not so where another program maps the file and writes to the mapping.)
  bool is_unchanged() const override;

  const FileMark& opened_mark() const { return opened_; }
  /// As of now; later changes show as after the constructor.
  FileMark mark() const;

 private:
  int descriptor_;
  std::size_t size_ = 0;
  unsigned char* bytes_ = nullptr;
  FileMark opened_;
};

}  // namespace tonearm::native
