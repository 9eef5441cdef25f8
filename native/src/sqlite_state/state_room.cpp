#include "sqlite_state/state_room.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace tonearm::native {
namespace {

constexpr std::uint64_t kPartBytesMax = std::uint64_t{16} << 20U;
constexpr mode_t kReserveMode = 0600;

}  // namespace

StateRoom::StateRoom(std::string state_path, std::uint64_t reserve_bytes)
    : state_path_(std::move(state_path)),
      path_(state_path_ + ".reserve"),
      reserve_bytes_(reserve_bytes),
      part_bytes_(std::min(reserve_bytes / 4, kPartBytesMax)) {}

std::uint64_t StateRoom::free_bytes() const {
  struct statvfs status {};
  if (statvfs(state_path_.c_str(), &status) != 0) return 0;
  return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

std::uint64_t StateRoom::kept_bytes() const {
  struct stat status {};
  return stat(path_.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

bool StateRoom::keep() {
  const std::lock_guard lock(mutex_);
  if (part_bytes_ == 0 || kept_bytes() == part_bytes_) return true;
  if (free_bytes() < 2 * part_bytes_) return false;
  const int descriptor = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kReserveMode);
  if (descriptor < 0) return false;
  // From nothing, so that a part of another size that an earlier run kept becomes one of this size.
  const bool is_kept =
      ftruncate(descriptor, 0) == 0 && posix_fallocate(descriptor, 0, static_cast<off_t>(part_bytes_)) == 0;
  if (!is_kept) static_cast<void>(!ftruncate(descriptor, 0));
  close(descriptor);
  return is_kept;
}

bool StateRoom::release() {
  const std::lock_guard lock(mutex_);
  return kept_bytes() > 0 && truncate(path_.c_str(), 0) == 0;
}

bool StateRoom::is_exhausted() const {
  const std::lock_guard lock(mutex_);
  return part_bytes_ > 0 && kept_bytes() == 0 && free_bytes() < part_bytes_ / 2;
}

}  // namespace tonearm::native
