#pragma once
// That an embedded state belongs to one server process (LIMIT-10), and lies where it lay when that process opened it.

#include <sys/types.h>

#include <optional>
#include <string>

namespace tonearm::native {

/// Holds the state's file locked for as long as it lives: the file itself, so that no other name of it and no missing
/// lock file lets a second server in. Beside it `PATH.lock` says which process that is; it is locked too, because older
/// versions look at nothing else. Outlives every connection to the state: closing a descriptor of a file drops the
/// locks that SQLite holds on it.
class StateLock {
 public:
  /// Makes the file where there is none; others than its owner may not read it. Throws std::runtime_error that says who
  /// holds the state, or what is wrong with its file.
  explicit StateLock(const std::string& state_path);
  ~StateLock();
  StateLock(const StateLock&) = delete;
  StateLock& operator=(const StateLock&) = delete;

  /// The file's own name, behind all symbolic links.
  const std::string& path() const { return path_; }

  /// The state was opened: from now on its log has to stay too. REQUIRES: no other thread uses the lock yet.
  void log_is_open();
  /// Throws sql::Failure where the file or its log was removed or replaced (HOST-26): what is written to them is lost.
  /// Thread-safe; costs two look-ups of a name.
  void check_in_place() const;

 private:
  struct Identity {
    dev_t device = 0;
    ino_t number = 0;
    bool operator==(const Identity&) const = default;
  };
  static std::optional<Identity> identity_of(const std::string& path);
  void lock_file(const std::string& given_path);
  void lock_beside();

  std::string path_;
  int descriptor_ = -1;
  int beside_ = -1;
  Identity file_;
  std::optional<Identity> log_;
};

}  // namespace tonearm::native
