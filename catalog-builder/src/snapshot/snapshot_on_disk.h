#pragma once
// Writes a snapshot file sequentially.

#include <string>

#include "tonearm/sqlite_snapshot.h"

namespace tonearm::builder {

class SnapshotFileWriter final : public SqliteSnapshotOutput {
 public:
  /// `path` is an empty file. Throws Failure.
  explicit SnapshotFileWriter(std::string path);
  ~SnapshotFileWriter() override;
  SnapshotFileWriter(const SnapshotFileWriter&) = delete;
  SnapshotFileWriter& operator=(const SnapshotFileWriter&) = delete;

  sqlite3* database() override { return database_.get(); }
  std::uint64_t end_database() override;
  std::string read(std::uint64_t offset, std::uint64_t size) override;
  void append(std::string_view bytes) override;
  std::unique_ptr<const SnapshotFile> written() override;

 private:
  std::string path_;
  sql::SqliteHandle database_;
  int file_ = -1;
};

}  // namespace tonearm::builder
