#include "snapshot/snapshot_on_disk.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Failure(path + ": " + what + ": " + std::strerror(errno));
}

/// A mapping of the file as it is now.
class WrittenFile final : public SnapshotFile {
 public:
  WrittenFile(const std::string& path, int file) : size_(std::filesystem::file_size(path)) {
    void* const mapped = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) fail(path, "cannot be read back");
    bytes_ = static_cast<const char*>(mapped);
  }
  ~WrittenFile() override { ::munmap(const_cast<char*>(bytes_), size_); }  // NOLINT(*-const-cast): munmap wants it
  WrittenFile(const WrittenFile&) = delete;
  WrittenFile& operator=(const WrittenFile&) = delete;

  std::uint64_t size() const override { return size_; }
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override { return {bytes_ + offset, size}; }

 private:
  std::uint64_t size_;
  const char* bytes_ = nullptr;
};

}  // namespace

SnapshotFileWriter::SnapshotFileWriter(std::string path)
    : path_(std::move(path)), database_(sql::open_sqlite(path_, sql::OpenMode::read_write_create)) {}

SnapshotFileWriter::~SnapshotFileWriter() {
  if (file_ >= 0) ::close(file_);
}

std::uint64_t SnapshotFileWriter::end_database() {
  database_.reset();
  file_ = ::open(path_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
  if (file_ < 0) fail(path_, "cannot be written");
  return std::filesystem::file_size(path_);
}

std::string SnapshotFileWriter::read(std::uint64_t offset, std::uint64_t size) {
  std::string bytes(static_cast<std::size_t>(size), '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::pread(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (count == 0 || (count < 0 && errno != EINTR)) fail(path_, "cannot be read back");
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  return bytes;
}

std::unique_ptr<const SnapshotFile> SnapshotFileWriter::written() {
  // Returns freed memory to the system before the file is mapped: both together would be the peak of a build.
  ::malloc_trim(0);
  return std::make_unique<const WrittenFile>(path_, file_);
}

void SnapshotFileWriter::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) fail(path_, "cannot be written");
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace tonearm::builder
