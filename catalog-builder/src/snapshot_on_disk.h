#pragma once
// Snapshots as files: read where they are mapped, and written from their beginning to their end.

#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <memory>
#include <string>

#include "tonearm/snapshot_file.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm::builder {

class MappedSnapshot final : public SnapshotFile {
 public:
  /// Throws Failure where there is no file, or an empty one.
  static std::shared_ptr<const MappedSnapshot> open(const std::string& path);
  explicit MappedSnapshot(const std::string& path);

  sql::SqliteHandle connect() const override;
  std::uint64_t size() const override { return region_.get_size(); }
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override;

 private:
  std::string path_;
  boost::interprocess::mapped_region region_;
};

class SnapshotFileWriter final : public SnapshotOutput {
 public:
  /// `path`: an empty file. Throws sql::Failure.
  explicit SnapshotFileWriter(std::string path);
  ~SnapshotFileWriter() override;
  SnapshotFileWriter(const SnapshotFileWriter&) = delete;
  SnapshotFileWriter& operator=(const SnapshotFileWriter&) = delete;

  sqlite3* database() override { return database_.get(); }
  std::uint64_t end_database() override;
  std::string read(std::uint64_t offset, std::uint64_t size) override;
  void append(std::string_view bytes) override;

 private:
  std::string path_;
  sql::SqliteHandle database_;
  int file_ = -1;
};

}  // namespace tonearm::builder
