#include "state_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

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

namespace {

/// A database that holds something, and no state of ours, is somebody else's: a snapshot, or another program's.
void refuse_foreign_database(const std::string& path, sqlite3* database) {
  bool holds_something = false;
  bool is_ours = false;
  const auto look = [](void* context, int /*columns*/, char** values, char** /*names*/) {
    auto& [something, ours] = *static_cast<std::pair<bool&, bool&>*>(context);
    something = true;
    ours = ours || std::string_view(values[0]) == "state_meta";
    return 0;
  };
  std::pair<bool&, bool&> found{holds_something, is_ours};
  if (sqlite3_exec(database, "SELECT name FROM sqlite_master", look, &found, nullptr) != SQLITE_OK) {
    throw std::runtime_error(path + " is no database: " + sqlite3_errmsg(database));
  }
  if (holds_something && !is_ours) throw std::runtime_error(path + " is a database, but not a state of accounts");
}

}  // namespace

std::unique_ptr<sql::Store> open_state_file(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly);
  if (descriptor < 0) throw std::runtime_error("cannot open " + path + ": " + std::strerror(errno));
  close(descriptor);
  auto database = sql::open_sqlite(path, sql::OpenMode::read_write_create);
  refuse_foreign_database(path, database.get());
  return sql::make_sqlite_store(std::move(database));
}

StateCheckpoint::StateCheckpoint(const std::string& path)
    : database_(sql::open_sqlite(path, sql::OpenMode::read_write_create)) {
  // C8, C9: what is removed does not stay behind the log's end either, whichever connection begins it anew.
  if (sqlite3_exec(database_.get(), "PRAGMA journal_size_limit = 0", nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw sql::Failure(std::string("SQLite: ") + sqlite3_errmsg(database_.get()));
  }
}

void StateCheckpoint::run() {
  const int status = sqlite3_wal_checkpoint_v2(database_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  constexpr int kPrimaryCode = 0xff;
  // Busy: another checkpoint is at work.
  if (status != SQLITE_OK && (status & kPrimaryCode) != SQLITE_BUSY) {
    throw sql::Failure(std::string("SQLite: cannot move the log: ") + sqlite3_errmsg(database_.get()));
  }
}

}  // namespace tonearm::native
