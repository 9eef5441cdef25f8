#include "sqlite_state/state_copy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "tonearm/sqlite.h"

namespace tonearm::native {
namespace {

/// Follows the state's name and precedes six random characters, so that no other file matches.
constexpr std::string_view kCopyMark = ".tonearm-copy-";
constexpr std::size_t kCopyRandom = 6;

sql::Failure failure_of(const std::string& what) { return sql::Failure(what + ": " + std::strerror(errno)); }

/// An open file whose name is removed as soon as it is complete.
class CopiedFile final : public BodySource {
 public:
  /// Makes a new file, named `begin` and six random characters, that only its owner may open.
  explicit CopiedFile(std::string begin) : path_(std::move(begin.append(kCopyRandom, 'X'))) {
    descriptor_ = mkostemp(path_.data(), O_CLOEXEC);
    if (descriptor_ < 0) throw failure_of("cannot make " + path_);
  }
  ~CopiedFile() override {
    unlink_name();
    close(descriptor_);
  }
  CopiedFile(const CopiedFile&) = delete;
  CopiedFile& operator=(const CopiedFile&) = delete;

  const std::string& path() const { return path_; }

  /// Marks the file as complete.
  void seal() {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) throw failure_of("cannot read the status of " + path_);
    size_ = static_cast<std::uint64_t>(status.st_size);
    unlink_name();
  }

  std::uint64_t size() const override { return size_; }

  std::size_t read(std::span<char> out) override {
    const auto count = pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset_));
    if (count < 0) throw failure_of("cannot read the copy of the state");
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
  sql::Statement copy(database, "VACUUM INTO ?1");
  copy.bind_text(1, path);
  copy.run();
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
  std::error_code ignored;  // a folder that cannot be read is a failure that opening the state reports
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
