#pragma once
// Locks an embedded state for one server process (LIMIT-10), and detects that its file was removed or replaced.

#include <sys/types.h>

#include <optional>
#include <string>

namespace tonearm::native {

/// Locks the state's file itself, so that neither another name of it nor a missing lock file admits a second server.
/// `PATH.lock` beside it names the process and is locked too, because older versions check nothing else. Outlives every
/// connection to the state, because closing a descriptor of a file drops SQLite's locks on it.
class StateLock {
 public:
  /// Creates the file if it is missing; only its owner may read it. Throws std::runtime_error that names the process
  /// that has the lock, or the problem with the file.
  explicit StateLock(const std::string& state_path);
  ~StateLock();
  StateLock(const StateLock&) = delete;
  StateLock& operator=(const StateLock&) = delete;

  /// The file's name with all symbolic links resolved.
  const std::string& path() const { return path_; }

  /// Call it after opening the state: from now on `check_in_place` checks the log too. REQUIRES: no other thread uses
  /// the lock yet.
  void watch_log();
  /// Throws sql::Failure if the file or its log was removed or replaced (HOST-26), because writes to them are lost.
  /// Thread-safe; costs two file lookups.
  void check_in_place() const;

 private:
  struct Identity {
    dev_t device = 0;
    ino_t number = 0;
    bool operator==(const Identity&) const = default;
  };
  static std::optional<Identity> identity_of(const std::string& path);
  void lock_state(const std::string& given_path);
  void lock_lock_file();

  std::string path_;
  int descriptor_ = -1;
  int lock_file_ = -1;
  Identity file_;
  std::optional<Identity> log_;
};

}  // namespace tonearm::native
