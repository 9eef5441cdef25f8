#include "monitoring/audit_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace tonearm::native {
namespace {

/// Throws std::runtime_error.
int open_to_append(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) throw std::runtime_error("cannot open the audit log " + path + ": " + std::strerror(errno));
  return file;
}

/// Returns false with `errno` set if it fails.
bool append(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  // A pipe or a terminal cannot be synchronized.
  return ::fdatasync(file) == 0 || errno == EINVAL || errno == EROFS;
}

}  // namespace

AuditLog::AuditLog(std::string path, Log& log) : path_(std::move(path)), log_(log) {
  if (!path_.empty()) file_ = open_to_append(path_);
}

AuditLog::~AuditLog() {
  if (file_ >= 0) ::close(file_);
}

void AuditLog::write(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (file_ < 0) return log_.info("audit " + std::string(line));
  if (append(file_, std::string(line) + '\n')) return;
  log_.error("cannot write the audit log " + path_ + ": " + std::strerror(errno) + "; audit " + std::string(line));
}

void AuditLog::reopen() {
  if (path_.empty()) return;
  try {
    const int fresh = open_to_append(path_);
    const std::lock_guard lock(mutex_);
    ::close(std::exchange(file_, fresh));
  } catch (const std::exception& failure) {
    log_.error(failure.what());
  }
}

}  // namespace tonearm::native
