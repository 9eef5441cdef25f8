#include "files/publication.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "tonearm/result.h"

namespace tonearm::native {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Failure(path + ": " + what + ": " + std::strerror(errno));
}

std::filesystem::path folder_of(const std::string& path) {
  auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

std::string partial_of(const std::string& path) {
  const auto name = std::filesystem::path(path).filename().string();
  return (folder_of(path) / std::string(".").append(name).append(".partial")).string();
}

bool is_one_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code error;  // a path that cannot be resolved names no file
  const auto whole = fs::weakly_canonical(fs::absolute(a, error), error);
  return fs::equivalent(a, b, error) ||
         (!whole.empty() && whole == fs::weakly_canonical(fs::absolute(b, error), error));
}

/// A rename may replace a regular file, but not a device, a pipe or the name of an open file (/dev/stdout).
void refuse_special(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto type = fs::status(path, error).type();
  if (type == fs::file_type::directory) throw Failure(path + ": is a folder, not a file");
  const bool is_file = type == fs::file_type::regular || type == fs::file_type::not_found || error;
  const auto folder = fs::weakly_canonical(fs::absolute(folder_of(path), error), error).string();
  if (!is_file || folder == "/dev" || folder.starts_with("/proc/")) throw Failure(path + ": is not a regular file");
}

/// Returns whether the path still names the open file: another process may have published it in the meantime.
bool is_same_file(int file, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

void sync_folder(const std::string& path) {
  const int folder = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

}  // namespace

void refuse_overlaps(const std::vector<std::string>& read, const std::vector<std::string>& written) {
  auto used = read;
  for (const auto& path : written) {
    for (const auto& name : {path, partial_of(path)}) {
      for (const auto& other : used) {
        if (!is_one_file(name, other)) continue;
        throw Failure(std::string(path).append(": is also read or written as ").append(other));
      }
    }
    used.insert(used.end(), {path, partial_of(path)});
  }
}

Publication::Publication(std::string path, Readers readers) : path_(std::move(path)), partial_(partial_of(path_)) {
  refuse_special(path_);
  lock(readers);
  if (::ftruncate(file_, 0) != 0) fail(partial_, "cannot be emptied");
  // SQLite would replay a journal that a killed build has left behind.
  for (const auto* suffix : {"-journal", "-wal", "-shm"}) ::unlink((partial_ + suffix).c_str());
}

void Publication::lock(Readers readers) {
  const mode_t mode = readers == Readers::owner ? 0600 : 0644;
  while (true) {
    file_ = ::open(partial_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode);
    if (file_ < 0) fail(partial_, "cannot be written");
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      ::close(file_);
      throw Failure(path_ + ": another process is writing this file");
    }
    if (is_same_file(file_, partial_)) break;
    ::close(file_);
  }
  // Another process may have left the file behind with other modes.
  if (readers == Readers::owner && ::fchmod(file_, mode) != 0) fail(partial_, "cannot be made private");
}

Publication::~Publication() {
  if (!published_) {
    for (const auto* suffix : {"", "-journal", "-wal", "-shm"}) ::unlink((partial_ + suffix).c_str());
  }
  ::close(file_);
}

void Publication::write(const std::string& bytes) {
  if (::ftruncate(file_, 0) != 0 || ::lseek(file_, 0, SEEK_SET) != 0) fail(partial_, "cannot be emptied");
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::write(file_, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR) fail(partial_, "cannot be written");
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

void Publication::publish() {
  if (::fsync(file_) != 0) fail(partial_, "cannot be made durable");
  replace_file(partial_, path_);
  published_ = true;
}

void replace_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) fail(to, "cannot be replaced");
  sync_folder(to);
}

void publish_file(const std::string& path, const std::string& bytes) {
  Publication file(path);
  file.write(bytes);
  file.publish();
}

void publish_private_file(const std::string& path, const std::string& bytes) {
  Publication file(path, Readers::owner);
  file.write(bytes);
  file.publish();
}

}  // namespace tonearm::native
