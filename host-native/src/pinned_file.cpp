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

/// Whether a database file holds as many bytes as its header says: it was neither cut nor added to.
/// https://www.sqlite.org/fileformat2.html, 1.3
bool is_whole(const unsigned char* header, std::size_t size) {
  constexpr std::size_t kHeaderSize = 100;
  if (size < kHeaderSize) return false;
  const auto number = [header](std::size_t at, std::size_t bytes) {
    std::size_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | header[at + i];
    return value;
  };
  const std::size_t page_size = number(16, 2) == 1 ? 65'536 : number(16, 2);
  return page_size * number(28, 4) == size;
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
  if (!is_whole(bytes_, size_)) {
    munmap(bytes_, size_);
    fail("it is no whole database file");
  }
}

PinnedFile::~PinnedFile() {
  munmap(bytes_, size_);
  close(descriptor_);
}

sql::SqliteHandle PinnedFile::connect() const {
  sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  const auto size = static_cast<sqlite3_int64>(size_);
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
