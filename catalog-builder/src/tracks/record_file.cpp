#include "tracks/record_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

using Size = std::uint32_t;  // precedes each record

constexpr std::size_t kBufferBytes = 1U << 20U;
/// How much is read before the size of the record is known: more than most tracks have.
constexpr std::size_t kFirstReadBytes = 1536;
constexpr std::size_t kSizeBytes = sizeof(Size);
constexpr mode_t kOwnerOnly = 0600;

/// REQUIRES: at least kSizeBytes bytes.
std::size_t size_in(std::string_view record) {
  Size size = 0;
  std::memcpy(&size, record.data(), sizeof size);
  return size;
}

int create_nameless(const std::string& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kOwnerOnly);
  if (file >= 0) return file;
  auto path = folder + "/.tonearm-tracks-XXXXXX";  // some file systems do not support nameless files
  const int named = ::mkostemp(path.data(), O_CLOEXEC);
  if (named < 0 || ::unlink(path.c_str()) == 0) return named;
  ::close(named);
  return -1;
}

}  // namespace

RecordFile::RecordFile(std::string folder) : folder_(std::move(folder)), file_(create_nameless(folder_)) {
  if (file_ < 0) fail("cannot be created");
}

RecordFile::~RecordFile() {
  if (file_ >= 0) ::close(file_);
}

RecordFile::RecordFile(RecordFile&& other) noexcept
    : folder_(std::move(other.folder_)),
      file_(std::exchange(other.file_, -1)),
      written_(std::exchange(other.written_, 0)),
      buffer_(std::exchange(other.buffer_, {})) {}

void RecordFile::fail(const std::string& what) const {
  throw Failure(folder_ + ": a temporary file in this folder " + what + ": " + std::strerror(errno));
}

void RecordFile::fail_short() const {
  throw Failure(folder_ + ": a temporary file in this folder is shorter than what was written to it");
}

std::uint64_t RecordFile::append(std::string_view bytes) {
  const auto position = written_ + buffer_.size();
  if (bytes.size() > std::numeric_limits<Size>::max()) throw Failure("a track takes more than 4 GiB");
  const auto size = static_cast<Size>(bytes.size());
  buffer_.append(reinterpret_cast<const char*>(&size), sizeof size);  // NOLINT(*-reinterpret-cast)
  buffer_ += bytes;
  if (buffer_.size() >= kBufferBytes) flush();
  return position;
}

void RecordFile::flush() {
  for (std::size_t done = 0; done < buffer_.size();) {
    const auto offset = static_cast<off_t>(written_ + done);
    const auto count = ::pwrite(file_, buffer_.data() + done, buffer_.size() - done, offset);
    if (count < 0 && errno != EINTR) fail("cannot be written");
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  written_ += buffer_.size();
  buffer_.clear();
}

/// Returns how many bytes were read: less than `size` only at the end of the file.
std::size_t RecordFile::read_at(std::uint64_t position, char* into, std::size_t size) const {
  std::size_t done = 0;
  while (done < size) {
    const auto count = ::pread(file_, into + done, size - done, static_cast<off_t>(position + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot be read");
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

std::string RecordFile::read(std::uint64_t position) const {
  if (position >= written_) {
    const auto bytes = std::string_view(buffer_).substr(position - written_);
    return std::string(bytes.substr(kSizeBytes, size_in(bytes)));
  }
  std::string record(kFirstReadBytes, '\0');
  const auto present = read_at(position, record.data(), record.size());
  if (present < kSizeBytes) fail_short();
  const std::size_t end = kSizeBytes + size_in(record);
  record.resize(end);
  if (end > present) {
    const auto rest = end - present;
    if (read_at(position + present, record.data() + present, rest) != rest) fail_short();
  }
  record.erase(0, kSizeBytes);
  return record;
}

}  // namespace tonearm::builder
