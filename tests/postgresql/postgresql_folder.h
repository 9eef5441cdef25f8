#pragma once
// A temporary folder that the user of a PostgreSQL server can enter. The destructor removes it.

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace tonearm::test {

class PostgresqlFolder {
 public:
  PostgresqlFolder() : path_((std::filesystem::temp_directory_path() / "tonearm-state-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error(path_ + " cannot be made");
    using std::filesystem::perms;
    std::filesystem::permissions(path_, perms::owner_all | perms::others_exec | perms::group_exec);
  }
  ~PostgresqlFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  PostgresqlFolder(const PostgresqlFolder&) = delete;
  PostgresqlFolder& operator=(const PostgresqlFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace tonearm::test
