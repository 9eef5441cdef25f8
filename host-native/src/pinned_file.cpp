#include "pinned_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace tonearm::native {
namespace {

FileMark mark_of(const struct stat& status) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return {status.st_dev, status.st_ino, status.st_size,
          std::int64_t{status.st_mtim.tv_sec} * kNanoseconds + status.st_mtim.tv_nsec};
}

}  // namespace

std::optional<FileMark> mark_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return mark_of(status);
}

PinnedFile::PinnedFile(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw std::runtime_error("cannot open " + path + ": " + std::strerror(errno));
  const auto fail = [this, &path](const char* reason) {
    close(descriptor_);
    throw std::runtime_error("cannot map " + path + ": " + reason);
  };
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail(std::strerror(errno));
  if (status.st_size == 0) fail("it is empty");
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
  // What lies behind the database is no affair of SQLite.
  const auto size = static_cast<sqlite3_int64>(database_size(bytes(0, size_)));
  if (size == 0 || static_cast<std::uint64_t>(size) > size_) throw sql::Failure("the file is no whole database");
  sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  // Read-only, and neither resized nor freed by SQLite: the mapping is never written to.
  if (sqlite3_deserialize(database.get(), "main", bytes_, size, size, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
    throw sql::Failure("SQLite does not take the mapped file");
  }
  sqlite3_exec(database.get(), "PRAGMA mmap_size = 274877906944", nullptr, nullptr, nullptr);
  return database;
}

FileMark PinnedFile::mark() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) throw std::runtime_error(std::string("fstat: ") + std::strerror(errno));
  return mark_of(status);
}

}  // namespace tonearm::native
