#include "sqlite_state/state_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "tonearm/sql.h"

namespace tonearm::native {
namespace {

constexpr mode_t kOwnerOnly = 0600;

std::string lock_name(const std::string& path) { return path + ".lock"; }
std::string log_name(const std::string& path) { return path + "-wal"; }

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

std::string holder_of(const std::string& path) {
  std::array<char, 32> text{};
  const int descriptor = open(lock_name(path).c_str(), O_RDONLY | O_CLOEXEC);
  const auto size = descriptor < 0 ? 0 : pread(descriptor, text.data(), text.size(), 0);
  if (descriptor >= 0) close(descriptor);
  const std::string_view digits(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const auto end = digits.find_first_not_of("0123456789");
  return end == 0 || digits.empty() ? "another process" : "process " + std::string(digits.substr(0, end));
}

void lock_or_fail(int descriptor, const std::string& locked, const std::string& state) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) fail("cannot lock " + locked);
  throw std::runtime_error("the state " + state + " is in use by " + holder_of(state) +
                           "; an embedded state belongs to one server process");
}

}  // namespace

StateLock::StateLock(const std::string& state_path) {
  try {
    lock_state(state_path);
    lock_lock_file();
  } catch (...) {
    if (lock_file_ >= 0) close(lock_file_);
    if (descriptor_ >= 0) close(descriptor_);
    throw;
  }
}

StateLock::~StateLock() {
  close(lock_file_);
  close(descriptor_);
}

std::optional<StateLock::Identity> StateLock::identity_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

/// Uses flock, which belongs to the open file, not to the process like SQLite's own locks, so they do not interfere.
void StateLock::lock_state(const std::string& given_path) {
  descriptor_ = open(given_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly);
  if (descriptor_ < 0) fail("cannot open " + given_path);
  path_ = std::filesystem::canonical(given_path).string();
  lock_or_fail(descriptor_, given_path, path_);
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail("cannot read the status of " + given_path);
  if (!S_ISREG(status.st_mode)) throw std::runtime_error("the state " + given_path + " is not a regular file");
  if (status.st_nlink > 1) {
    // SQLite finds the log by the name of its database: under another name, the content of the log would be missing.
    throw std::runtime_error("the state " + given_path + " has " + std::to_string(status.st_nlink) +
                             " names (hard links); remove all but one");
  }
  file_ = {status.st_dev, status.st_ino};
  if (identity_of(path_) != file_) throw std::runtime_error("the state " + given_path + " was just replaced");
}

void StateLock::lock_lock_file() {
  const std::string name = lock_name(path_);
  lock_file_ = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly);
  if (lock_file_ < 0) fail("cannot open " + name);
  lock_or_fail(lock_file_, name, path_);
  // The file only names the holder, so failures are ignored: the state must be usable on a full disk.
  const auto process = std::to_string(getpid()) + '\n';
  if (pwrite(lock_file_, process.data(), process.size(), 0) != static_cast<ssize_t>(process.size())) return;
  static_cast<void>(!ftruncate(lock_file_, static_cast<off_t>(process.size())));
}

void StateLock::watch_log() { log_ = identity_of(log_name(path_)); }

void StateLock::check_in_place() const {
  if (identity_of(path_) != file_) {
    throw sql::Failure("the state " + path_ + " was removed or replaced; stop the server and put it back");
  }
  if (log_ && identity_of(log_name(path_)) != *log_) {
    throw sql::Failure("the log " + log_name(path_) + " of the state was removed or replaced; restart the server");
  }
}

}  // namespace tonearm::native
