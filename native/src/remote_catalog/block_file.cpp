#include "remote_catalog/block_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

namespace tonearm::native {
namespace {

constexpr mode_t kOwnerAlone = 0600;

/// An open file, for reading its end.
class ReadFile {
 public:
  explicit ReadFile(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat status {};
    if (file_ >= 0 && ::fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) {
      size_ = static_cast<std::uint64_t>(status.st_size);
    }
  }
  ~ReadFile() {
    if (file_ >= 0) ::close(file_);
  }
  ReadFile(const ReadFile&) = delete;
  ReadFile& operator=(const ReadFile&) = delete;

  std::uint64_t size() const { return size_; }
  /// Returns the bytes from `offset` to the end; empty if they cannot be read.
  std::string from(std::uint64_t offset) const { return bytes(offset, size_ - offset); }
  /// Returns `size` bytes; empty if they cannot be read.
  std::string bytes(std::uint64_t offset, std::uint64_t size) const {
    std::string result(static_cast<std::size_t>(size), '\0');
    for (std::size_t done = 0; done < result.size();) {
      const auto count = ::pread(file_, result.data() + done, result.size() - done, static_cast<off_t>(offset + done));
      if (count <= 0) return {};
      done += static_cast<std::size_t>(count);
    }
    return result;
  }

 private:
  int file_;
  std::uint64_t size_ = 0;  // 0: no regular file
};

}  // namespace

std::optional<BlockHashes> hashes_of_file(const std::string& path, Hashing& hashing) {
  const ReadFile file(path);
  if (file.size() < kSnapshotEndBytes) return std::nullopt;
  try {
    const auto offset = BlockHashes::offset_in(file.from(file.size() - kSnapshotEndBytes), file.size());
    return BlockHashes(file.from(offset), file.size(), hashing);
  } catch (const Failure&) {
    return std::nullopt;
  }
}

std::string end_of_file(const std::string& path) {
  const ReadFile file(path);
  return file.size() < kSnapshotEndBytes ? std::string() : file.from(file.size() - kSnapshotEndBytes);
}

bool has_damaged_block(const std::string& path, Hashing& hashing, const Interrupted& interrupted) {
  const auto hashes = hashes_of_file(path, hashing);
  const ReadFile file(path);
  if (!hashes || file.size() != hashes->file_size()) return true;
  for (std::uint32_t number = 0; number < hashes->count(); ++number) {
    if (interrupted && interrupted()) throw Failure("the check of " + path + " was interrupted");
    const auto block = file.bytes(std::uint64_t{number} * kBlockBytes, kBlockBytes);
    if (!hashes->matches(number, block, hashing)) return true;
  }
  return false;
}

BlockFile::BlockFile(const std::string& path, BlockHashes hashes, Hashing& hashing, const Interrupted& interrupted)
    : path_(path),
      hashes_(std::move(hashes)),
      hashing_(hashing),
      present_(hashes_.count()),
      missing_count_(hashes_.count()) {
  const bool is_same = end_of_file(path) == hashes_.end();
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (is_same ? 0 : O_TRUNC), kOwnerAlone);
  if (file_ < 0) fail("cannot be written");
  try {
    reserve();
    map();
    if (is_same) find_present(interrupted);
    // Written last, so that a file with this end has its full size.
    write(hashes_.tail(), std::uint64_t{hashes_.count()} * kBlockBytes);
  } catch (...) {
    close_file();
    if (!is_same) ::unlink(path.c_str());
    throw;
  }
}

BlockFile::~BlockFile() { close_file(); }

void BlockFile::close_file() {
  // munmap takes a non-const pointer.
  void* const mapped = const_cast<char*>(bytes_);  // NOLINT(*-const-cast)
  if (mapped != nullptr) ::munmap(mapped, static_cast<std::size_t>(hashes_.file_size()));
  ::close(file_);
}

void BlockFile::fail(const std::string& what) const { throw Failure(path_ + ' ' + what + ": " + std::strerror(errno)); }

/// Without reserved space, a full disk would be found only in the middle of a download.
void BlockFile::reserve() {
  const auto size = static_cast<off_t>(hashes_.file_size());
  if (::ftruncate(file_, size) != 0) fail("cannot be enlarged");
  if (::fallocate(file_, 0, 0, size) == 0 || errno == EOPNOTSUPP) return;
  const bool is_full = errno == ENOSPC || errno == EDQUOT;
  const auto what = " cannot have " + std::to_string((hashes_.file_size() >> 20U) + 1) + " MiB";
  if (is_full) throw DiskFull(path_ + what + ": " + std::strerror(errno));
  fail(what.substr(1));
}

void BlockFile::map() {
  void* const mapped = ::mmap(nullptr, static_cast<std::size_t>(hashes_.file_size()), PROT_READ, MAP_SHARED, file_, 0);
  if (mapped == MAP_FAILED) fail("cannot be mapped");
  bytes_ = static_cast<const char*>(mapped);
}

void BlockFile::find_present(const Interrupted& interrupted) {
  for (std::uint32_t number = 0; number < hashes_.count();) {
    // Skips what was reserved but never written.
    const auto data = ::lseek(file_, static_cast<off_t>(std::uint64_t{number} * kBlockBytes), SEEK_DATA);
    if (data < 0 && errno == ENXIO) return;
    const auto first = data < 0 ? 0 : static_cast<std::uint64_t>(data) / kBlockBytes;
    number = std::max(number, static_cast<std::uint32_t>(first));
    if (number >= hashes_.count()) return;
    if (interrupted && interrupted()) throw Failure("the check of " + path_ + " was interrupted");
    if (hashes_.matches(number, bytes().substr(std::size_t{number} * kBlockBytes, kBlockBytes), hashing_)) {
      present_[number] = true;
      --missing_count_;
    }
    ++number;
  }
}

BlockRun BlockFile::next_missing(std::uint32_t from, std::uint32_t count_max) const {
  while (from < hashes_.count() && has(from)) ++from;
  BlockRun run{from, 0};
  while (from + run.count < hashes_.count() && run.count < count_max && !has(from + run.count)) ++run.count;
  return run;
}

bool BlockFile::put(std::uint32_t number, std::string_view block) {
  if (!hashes_.matches(number, block, hashing_)) return false;
  if (has(number)) return true;
  write(block, std::uint64_t{number} * kBlockBytes);
  if (!present_[number].exchange(true, std::memory_order_acq_rel)) --missing_count_;
  return true;
}

void BlockFile::write(std::string_view bytes, std::uint64_t offset) const {
  while (!bytes.empty()) {
    const auto count = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno != EINTR) fail("cannot be written");
    if (count <= 0) continue;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void BlockFile::sync() const {
  if (::fsync(file_) != 0) fail("cannot be made durable");
}

void BlockFile::set_mode(mode_t mode) const {
  if (::fchmod(file_, mode) != 0) fail("cannot get the mode of the file that it replaces");
}

}  // namespace tonearm::native
