#pragma once
// A snapshot by its number at the worker, which fetches its blocks. Of one thread.

#include <cstdint>
#include <memory>

#include "tonearm/paged_file.h"

namespace tonearm::wasm {

class WorkerSnapshot final : private BlockSource {
 public:
  WorkerSnapshot(std::uint32_t number, std::uint64_t size);

  std::uint32_t number() const { return number_; }
  const PagedFile& file() const { return file_; }
  /// Whether blocks were missing since this was asked last, also where SQLite took that for a fault.
  bool take_missed();

 private:
  void fetch(std::span<const Wanted> wanted) override;

  const std::uint32_t number_;
  bool missed_ = false;
  PagedFile file_;
};

}  // namespace tonearm::wasm
