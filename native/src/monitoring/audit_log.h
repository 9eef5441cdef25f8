#pragma once
// The audit log of the admin interface (ADMIN-7), with a line for every act. Safe for concurrent calls.

#include <mutex>
#include <string>
#include <string_view>

#include "monitoring/log.h"

namespace tonearm::native {

class AuditLog {
 public:
  /// Appends to the file at `path`, which is created if it is missing and which only its owner may read. Without a
  /// path, writes to `log`, which outlives the object. Throws std::runtime_error if the file cannot be opened.
  AuditLog(std::string path, Log& log);
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  /// Returns when the line is on disk. If it cannot be written, it goes to `log` with the reason, because revoking a
  /// key must work on a full disk.
  void write(std::string_view line);
  /// Reopens the path after the old file was moved away. If that fails, keeps the old file and logs the failure to
  /// `log`.
  void reopen();

 private:
  const std::string path_;
  Log& log_;
  std::mutex mutex_;
  int file_ = -1;  // -1: no path was given
};

}  // namespace tonearm::native
