#pragma once
// A disk in memory, as a VFS of SQLite. It knows which bytes were synced, so it can lose power; a caller can make any
// call fail. Shared memory works, so SQLite uses its WAL. One connection at a time.

#include <sqlite3.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fakes.h"

namespace tonearm::test {

class Disk {
 public:
  /// The kinds of calls. `shared_memory` includes its locks.
  enum class Call : std::uint8_t { open, read, write, sync, truncate, size, remove, access, lock, shared_memory };
  static constexpr std::size_t kCallKinds = 10;

  Disk();
  ~Disk();
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  /// The name of the VFS, for sql::open_sqlite. Connections must end before the disk.
  const std::string& vfs() const { return name_; }
  /// Called before each call: returns SQLITE_OK, or the error with which the call fails. A write that fails has
  /// written half of its bytes. May be empty.
  std::function<int(Call)> before_call;

  /// Returns the disk as another process finds it after this one was killed.
  std::unique_ptr<Disk> after_kill() const;
  /// Returns the disk as it may be after a power loss: of what was not synced, any bytes may be there or not, in any
  /// order; a file that was created or removed may have been there or not.
  std::unique_ptr<Disk> after_power_loss(SeededRandom& random) const;

  struct Change {
    std::uint64_t offset = 0;  // of a truncation: the new size
    std::string bytes;         // empty: a truncation
  };
  struct File {
    std::string now;
    std::string synced;
    std::vector<Change> unsynced;
    bool is_entry_synced = false;  // whether the folder's entry is on the disk
    std::vector<std::unique_ptr<char[]>> shared_memory;
  };

 private:
  friend struct DiskCalls;

  static void lose_power(File& file, SeededRandom& random);

  std::string name_;
  std::unique_ptr<sqlite3_vfs> vfs_;
  std::map<std::string, std::shared_ptr<File>> files_;
  std::map<std::string, std::shared_ptr<File>> removed_;  // whose removal is not on the disk yet
};

}  // namespace tonearm::test
