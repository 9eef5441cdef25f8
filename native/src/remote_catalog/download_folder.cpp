#include "remote_catalog/download_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tonearm/result.h"

namespace tonearm::native {
namespace {

constexpr mode_t kOwnerFolder = 0700;
constexpr mode_t kOwnerFile = 0600;

/// Refuses a folder in which another user could replace files.
void check_owner(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw Failure(path + " cannot be read: " + std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) throw Failure(path + " is not a folder");
  if (status.st_uid != ::geteuid()) throw Failure(path + " belongs to another user; name a folder in it instead");
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    throw Failure(path + " can be written by other users; name a folder in it instead");
  }
}

}  // namespace

DownloadFolder::DownloadFolder(const std::string& path) : path_(path) {
  const auto fail = [&](const std::string& what) { throw Failure(path + ' ' + what + ": " + std::strerror(errno)); };
  if (::mkdir(path.c_str(), kOwnerFolder) != 0 && errno != EEXIST) fail("cannot be created");
  check_owner(path);
  lock_ = ::open((path + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kOwnerFile);
  if (lock_ < 0) fail("cannot be written");
  if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(lock_);
  if (errno == EWOULDBLOCK) throw Failure("another process downloads catalogs in " + path);
  fail("cannot be locked");
}

DownloadFolder::~DownloadFolder() { ::close(lock_); }

}  // namespace tonearm::native
