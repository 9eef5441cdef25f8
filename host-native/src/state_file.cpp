#include "state_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace tonearm::native {
namespace {

constexpr mode_t kOwnerOnly = 0600;

std::string holder_of(int descriptor) {
  std::array<char, 32> text{};
  const auto size = pread(descriptor, text.data(), text.size(), 0);
  const std::string_view digits(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const auto end = digits.find_first_not_of("0123456789");
  return end == 0 || digits.empty() ? "another process" : "process " + std::string(digits.substr(0, end));
}

}  // namespace

StateLock::StateLock(const std::string& state_path) {
  const auto path = state_path + ".lock";
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly);
  if (descriptor_ < 0) throw std::runtime_error("cannot open " + path + ": " + std::strerror(errno));
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const auto reason = errno == EWOULDBLOCK ? "the state " + state_path + " is in use by " + holder_of(descriptor_) +
                                                   "; an embedded state belongs to one server process"
                                             : "cannot lock " + path + ": " + std::strerror(errno);
    close(descriptor_);
    throw std::runtime_error(reason);
  }
  const auto process = std::to_string(getpid()) + '\n';
  const bool written = ftruncate(descriptor_, 0) == 0 &&
                       pwrite(descriptor_, process.data(), process.size(), 0) == static_cast<ssize_t>(process.size());
  if (!written) {
    close(descriptor_);
    throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
  }
}

StateLock::~StateLock() { close(descriptor_); }

std::unique_ptr<sql::Store> open_state(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly);
  if (descriptor < 0) throw std::runtime_error("cannot open " + path + ": " + std::strerror(errno));
  close(descriptor);
  return sql::make_sqlite_store(sql::open_sqlite(path, sql::OpenMode::read_write_create));
}

}  // namespace tonearm::native
