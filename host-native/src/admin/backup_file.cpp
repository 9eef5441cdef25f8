#include "admin/backup_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace tonearm::native {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

/// Makes a new file name in a folder durable.
void sync_folder_of(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail("cannot open " + folder);
  const bool good = fsync(descriptor) == 0;
  close(descriptor);
  if (!good) fail("cannot make the name durable in " + folder);
}

}  // namespace

BackupFile::BackupFile(std::string path)
    : path_(std::move(path)), partial_path_(path_ + ".partial-" + std::to_string(getpid())) {
  refuse_existing();
  constexpr mode_t kOwnerOnly = 0600;
  descriptor_ = open(partial_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly);
  if (descriptor_ < 0) fail("cannot make " + partial_path_);
}

BackupFile::~BackupFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!partial_path_.empty()) unlink(partial_path_.c_str());
}

void BackupFile::refuse_existing() const {
  struct stat status {};
  if (lstat(path_.c_str(), &status) == 0) {
    throw std::runtime_error(path_ + " already exists; choose another name");
  }
}

void BackupFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot write " + partial_path_);
    size_ += static_cast<std::uint64_t>(count);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void BackupFile::publish() {
  if (fsync(descriptor_) != 0) fail("cannot make " + partial_path_ + " durable");
  const int written = std::exchange(descriptor_, -1);
  if (close(written) != 0) fail("cannot close " + partial_path_);
  // A link, because a rename would replace a file that was created in the meantime.
  if (link(partial_path_.c_str(), path_.c_str()) != 0) {
    if (errno == EEXIST) refuse_existing();
    fail("cannot put the backup at " + path_);
  }
  unlink(std::exchange(partial_path_, {}).c_str());
  sync_folder_of(path_);
}

}  // namespace tonearm::native
