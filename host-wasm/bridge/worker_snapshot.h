#pragma once
// A snapshot whose blocks the worker fetches; identified by its number there. Single-threaded.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "tonearm/paged_file.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm::wasm {

class WorkerSnapshot final : public SqliteSnapshot, private BlockSource {
 public:
  /// `blocks_max` is passed to PagedFile.
  WorkerSnapshot(std::uint32_t number, std::uint64_t size, std::size_t blocks_max);

  const PagedFile& file() const override { return file_; }
  sql::SqliteHandle connect() const override;
  /// Returns whether blocks have been missing since the last call, even if SQLite reported that as an error.
  bool consume_missed();

 private:
  void fetch(std::span<const Request> wanted) override;

  const std::uint32_t number_;
  bool missed_ = false;
  PagedFile file_;
};

}  // namespace tonearm::wasm
