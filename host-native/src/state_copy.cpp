#include "state_copy.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "tonearm/sql.h"

namespace tonearm::native {
namespace {

/// What stands behind the state's name, and before six characters: nobody would name a file of his own so.
constexpr std::string_view kCopyMark = ".tonearm-copy-";
constexpr std::size_t kCopyRandom = 6;

sql::Failure fault_of(const std::string& what) { return sql::Failure(what + ": " + std::strerror(errno)); }

/// An open file whose name is gone as soon as nobody needs it any more.
class CopiedFile final : public BodySource {
 public:
  /// Its name is `begin` and six characters that make it a new one; its owner alone may open it.
  explicit CopiedFile(std::string begin) : path_(std::move(begin.append(kCopyRandom, 'X'))) {
    descriptor_ = mkostemp(path_.data(), O_CLOEXEC);
    if (descriptor_ < 0) throw fault_of("cannot make " + path_);
  }
  ~CopiedFile() override {
    unlink_name();
    close(descriptor_);
  }
  CopiedFile(const CopiedFile&) = delete;
  CopiedFile& operator=(const CopiedFile&) = delete;

  const std::string& path() const { return path_; }

  /// The file is whole.
  void seal() {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) throw fault_of("cannot look at " + path_);
    size_ = static_cast<std::uint64_t>(status.st_size);
    unlink_name();
  }

  std::uint64_t size() const override { return size_; }

  std::size_t read(std::span<char> out) override {
    const auto count = pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset_));
    if (count < 0) throw fault_of("cannot read the copy of the state");
    offset_ += static_cast<std::uint64_t>(count);
    if (count == 0 && offset_ != size_) throw sql::Failure("the copy of the state changed its size");
    return static_cast<std::size_t>(count);
  }

 private:
  void unlink_name() {
    if (!path_.empty()) unlink(path_.c_str());
    path_.clear();
  }

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t offset_ = 0;
};

void vacuum_into(sqlite3* database, const std::string& path) {
  sqlite3_stmt* statement = nullptr;
  int status = sqlite3_prepare_v2(database, "VACUUM INTO ?1", -1, &statement, nullptr);
  if (status == SQLITE_OK) status = sqlite3_bind_text(statement, 1, path.c_str(), -1, SQLITE_STATIC);
  if (status == SQLITE_OK) status = sqlite3_step(statement);
  std::string fault = "SQLite: cannot copy the state: ";
  if (status != SQLITE_DONE) fault += sqlite3_errmsg(database);
  sqlite3_finalize(statement);
  if (status != SQLITE_DONE) throw sql::Failure(fault);
}

}  // namespace

std::shared_ptr<BodySource> copy_state(const std::string& path) {
  std::string begin = path;
  begin += kCopyMark;
  auto copy = std::make_shared<CopiedFile>(std::move(begin));
  const auto database = sql::open_sqlite(path, sql::OpenMode::read_write_create);
  vacuum_into(database.get(), copy->path());
  copy->seal();
  return copy;
}

void remove_old_copies(const std::string& path) {
  const std::filesystem::path state(path);
  std::string begin = state.filename().string();
  begin += kCopyMark;
  std::error_code ignored;  // a folder that cannot be read is a fault that opening the state names
  std::vector<std::filesystem::path> old;
  const auto folder = state.has_parent_path() ? state.parent_path() : std::filesystem::path(".");
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_copy = name.starts_with(begin) && name.size() == begin.size() + kCopyRandom;
    if (is_copy && entry.is_regular_file(ignored)) old.push_back(entry.path());
  }
  for (const auto& copy : old) std::filesystem::remove(copy, ignored);
}

}  // namespace tonearm::native
