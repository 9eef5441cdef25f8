#include "sqlite_state/disk_reserve.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace tonearm::native {
namespace {

constexpr std::uint64_t kFileBytesMax = std::uint64_t{16} << 20U;
constexpr mode_t kReserveMode = 0600;

}  // namespace

DiskReserve::DiskReserve(std::string state_path, std::uint64_t reserve_bytes)
    : state_path_(std::move(state_path)),
      path_(state_path_ + ".reserve"),
      reserve_bytes_(reserve_bytes),
      file_bytes_(std::min(reserve_bytes / 4, kFileBytesMax)) {}

std::uint64_t DiskReserve::free_bytes() const {
  struct statvfs status {};
  if (statvfs(state_path_.c_str(), &status) != 0) return 0;
  return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

std::uint64_t DiskReserve::allocated_bytes() const {
  struct stat status {};
  return stat(path_.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

bool DiskReserve::allocate() {
  const std::lock_guard lock(mutex_);
  if (file_bytes_ == 0 || allocated_bytes() == file_bytes_) return true;
  if (free_bytes() < 2 * file_bytes_) return false;
  const int descriptor = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kReserveMode);
  if (descriptor < 0) return false;
  // Starts from an empty file, because an earlier run may have reserved another size.
  const bool allocated =
      ftruncate(descriptor, 0) == 0 && posix_fallocate(descriptor, 0, static_cast<off_t>(file_bytes_)) == 0;
  if (!allocated) static_cast<void>(!ftruncate(descriptor, 0));
  close(descriptor);
  return allocated;
}

bool DiskReserve::release() {
  const std::lock_guard lock(mutex_);
  return allocated_bytes() > 0 && truncate(path_.c_str(), 0) == 0;
}

bool DiskReserve::is_exhausted() const {
  const std::lock_guard lock(mutex_);
  return file_bytes_ > 0 && allocated_bytes() == 0 && free_bytes() < file_bytes_ / 2;
}

}  // namespace tonearm::native
