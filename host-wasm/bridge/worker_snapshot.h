#pragma once
// A snapshot whose blocks the worker fetches; identified by its number there. Single-threaded.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/paged_file.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm::wasm {

class WorkerPartialResults final : public PartialResults {
 public:
  /// `snapshot`: the number of the file. A replay may use another one, to which its results do not apply.
  explicit WorkerPartialResults(std::uint32_t snapshot) : snapshot_(snapshot) {}

  std::optional<std::string> find(std::string_view key) override;
  void store(std::string_view key, std::string_view result) override;

 private:
  std::string key_of(std::string_view key) const;

  const std::uint32_t snapshot_;
};

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
  PartialResults* partial_results() override { return &partial_results_; }

  const std::uint32_t number_;
  bool missed_ = false;
  WorkerPartialResults partial_results_;
  PagedFile file_;
};

}  // namespace tonearm::wasm
