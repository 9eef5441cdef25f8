#pragma once
// Measures the free space on the disk of an embedded state, and reserves some for transactions that must work on a full
// disk (RECORD-9, RECORD-10). Thread-safe.

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::native {

class DiskReserve {
 public:
  /// With less than `reserve_bytes` free, calls leave no records. A quarter of it, at most 16 MiB, is allocated in
  /// `PATH.reserve`. 0 turns both off.
  DiskReserve(std::string state_path, std::uint64_t reserve_bytes);

  /// Returns the space that unprivileged users may use, or 0 if it is unknown.
  std::uint64_t free_bytes() const;
  bool is_short() const { return reserve_bytes_ > 0 && free_bytes() < reserve_bytes_; }

  /// Allocates the file if it is missing and twice its size is free. Returns whether it is allocated.
  bool allocate();
  /// Frees the file for a transaction that found the disk full. Returns false if it was not allocated.
  bool release();
  /// Returns whether ordinary writes must leave the remaining space to transactions that free space: the file was freed
  /// and half of it is used.
  bool is_exhausted() const;

 private:
  std::uint64_t allocated_bytes() const;

  const std::string state_path_;
  const std::string path_;
  const std::uint64_t reserve_bytes_;
  const std::uint64_t file_bytes_;
  mutable std::mutex mutex_;
};

}  // namespace tonearm::native
