#include "snapshot_on_disk.h"

#include <fcntl.h>
#include <unistd.h>

#include <boost/interprocess/exceptions.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "failure.h"

namespace tonearm::builder {
namespace {

namespace ipc = boost::interprocess;

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Failure(path + ": " + what + ": " + std::strerror(errno));
}

}  // namespace

std::shared_ptr<const MappedSnapshot> MappedSnapshot::open(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) throw Failure(path + ": cannot be opened: there is no such file");
  try {
    return std::make_shared<const MappedSnapshot>(path);
  } catch (const ipc::interprocess_exception& fault) {
    throw Failure(path + ": cannot be read: " + fault.what());
  }
}

MappedSnapshot::MappedSnapshot(const std::string& path)
    : path_(path), region_(ipc::file_mapping(path.c_str(), ipc::read_only), ipc::read_only) {}

sql::SqliteHandle MappedSnapshot::connect() const {
  return sql::open_sqlite(path_, sql::OpenMode::read_only_immutable);
}

std::string_view MappedSnapshot::bytes(std::uint64_t offset, std::uint64_t size) const {
  return {static_cast<const char*>(region_.get_address()) + offset, static_cast<std::size_t>(size)};
}

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

void SnapshotFileWriter::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) fail(path_, "cannot be written");
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace tonearm::builder
