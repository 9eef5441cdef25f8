#include "files/pinned_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <stdexcept>

namespace tonearm::native {
namespace {

std::int64_t nanoseconds(const timespec& time) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return std::int64_t{time.tv_sec} * kNanoseconds + time.tv_nsec;
}

FileMark mark_of(const struct stat& status) {
  return {status.st_dev,
          status.st_ino,
          status.st_size,
          status.st_nlink,
          nanoseconds(status.st_mtim),
          nanoseconds(status.st_ctim)};
}

std::string_view name_of_type(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "something else";
}

void refuse_special(const std::string& path, mode_t mode) {
  if (S_ISREG(mode)) return;
  throw std::runtime_error(path + " is not a regular file but " + std::string(name_of_type(mode)));
}

/// Checks the type before opening, because opening a FIFO or a device can block or have side effects.
int open_regular(const std::string& path) {
  struct stat status {};
  int descriptor = -1;
  if (stat(path.c_str(), &status) == 0) {
    refuse_special(path, status.st_mode);
    descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  }
  if (descriptor < 0) throw std::runtime_error("cannot open " + path + ": " + std::strerror(errno));
  return descriptor;
}

/// File times advance every few milliseconds, and two changes within a tick look like one. A mark is reliable only
/// after the tick of the file's last change.
void wait_for_next_tick(const FileMark& mark) {
  constexpr int kTriesMax = 50;
  constexpr timespec kPause{0, 1'000'000};
  for (int tries = 0; tries < kTriesMax; ++tries) {  // also ends for a time in the future
    timespec now{};
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    if (nanoseconds(now) > mark.changed_ns) return;
    nanosleep(&kPause, nullptr);
  }
}

}  // namespace

FileChange change_between(const FileMark& before, const FileMark& after) {
  if (before == after) return FileChange::none;
  FileMark renamed = after;
  renamed.names = before.names;
  renamed.changed_ns = before.changed_ns;
  return renamed == before && after.names != before.names ? FileChange::names : FileChange::other;
}

std::optional<FileMark> mark_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return mark_of(status);
}

PinnedFile::PinnedFile(const std::string& path) : descriptor_(open_regular(path)) {
  const auto fail = [this, &path](const std::string& reason) {
    close(descriptor_);
    throw std::runtime_error("cannot map " + path + ": " + reason);
  };
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail(std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail("it is not a regular file");
  if (status.st_size == 0) fail("it is empty");
  opened_ = mark_of(status);
  wait_for_next_tick(opened_);
  size_ = static_cast<std::size_t>(status.st_size);
  void* mapped = mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (mapped == MAP_FAILED) fail(std::strerror(errno));
  bytes_ = static_cast<unsigned char*>(mapped);
}

PinnedFile::~PinnedFile() {
  munmap(bytes_, size_);
  close(descriptor_);
}

std::string_view PinnedFile::bytes(std::uint64_t offset, std::uint64_t size) const {
  const char* all = static_cast<const char*>(static_cast<const void*>(bytes_));
  return {all + offset, static_cast<std::size_t>(size)};
}

sql::SqliteHandle PinnedFile::connect() const {
  // SQLite must not see what follows the database.
  const std::uint64_t size = database_size(bytes(0, size_));
  if (size == 0 || size > size_) throw sql::Failure("the file is not a complete database");
  return sql::open_sqlite_image(bytes(0, size));
}

bool PinnedFile::is_unchanged() const {
  struct stat status {};
  return fstat(descriptor_, &status) == 0 && change_between(opened_, mark_of(status)) != FileChange::other;
}

FileMark PinnedFile::mark() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) throw std::runtime_error(std::string("fstat: ") + std::strerror(errno));
  const FileMark mark = mark_of(status);
  wait_for_next_tick(mark);
  return mark;
}

}  // namespace tonearm::native
