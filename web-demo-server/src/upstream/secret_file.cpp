#include "upstream/secret_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "files/small_file.h"

namespace tonearm::web {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

void sync_folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path().string();
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail(folder);
  const int result = fsync(descriptor);
  close(descriptor);
  if (result != 0) fail(folder);
}

}  // namespace

std::optional<std::string> SecretFile::read() const {
  if (!std::filesystem::exists(path_)) return std::nullopt;
  return native::read_secret(path_);
}

void SecretFile::write(const std::string& content) const {
  const auto next = path_ + ".next";
  constexpr mode_t kOwnerOnly = 0600;
  const int descriptor = open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, kOwnerOnly);
  if (descriptor < 0) fail(next);
  const bool is_private = fchmod(descriptor, kOwnerOnly) == 0;
  const auto written = ::write(descriptor, content.data(), content.size());
  const bool is_complete = written == static_cast<ssize_t>(content.size()) && fsync(descriptor) == 0;
  if (close(descriptor) != 0 || !is_private || !is_complete) fail(next);
  if (std::rename(next.c_str(), path_.c_str()) != 0) fail(path_);
  sync_folder_of(path_);
}

}  // namespace tonearm::web
