#pragma once
// A snapshot by its number at the worker, which fetches its blocks. Of one thread.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "tonearm/paged_file.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm::wasm {

class WorkerSnapshot final : public SqliteSnapshot, private BlockSource {
 public:
  /// `blocks_max`: as of PagedFile.
  WorkerSnapshot(std::uint32_t number, std::uint64_t size, std::size_t blocks_max);

  const PagedFile& file() const override { return file_; }
  sql::SqliteHandle connect() const override;
  /// Whether blocks were missing since this was asked last, also where SQLite reported that as an error.
  bool take_missed();

 private:
  void fetch(std::span<const Request> wanted) override;

  const std::uint32_t number_;
  bool missed_ = false;
  PagedFile file_;
};

}  // namespace tonearm::wasm
