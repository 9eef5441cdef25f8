#pragma once
// The audit log of the admin interface (ADMIN-7): a line for every act. Safe for concurrent calls.

#include <mutex>
#include <string>
#include <string_view>

#include "monitoring/log.h"

namespace tonearm::native {

class AuditLog {
 public:
  /// Appends to the file at `path`, which only its owner may read and which is made where there is none; without a
  /// path the lines go to `log`, which outlives it. Throws std::runtime_error where the file cannot be opened.
  AuditLog(std::string path, Log& log);
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  /// The line is on disk when this returns. One that cannot be written goes to `log`, with the reason: revoking a key
  /// must work on a full disk.
  void write(std::string_view line);
  /// Goes on in a new file where the old one was moved away. Where that cannot be, the old one stays, and `log` says
  /// so.
  void reopen();

 private:
  const std::string path_;
  Log& log_;
  std::mutex mutex_;
  int file_ = -1;  // -1: none was asked for
};

}  // namespace tonearm::native
