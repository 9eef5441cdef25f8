#pragma once
// The room on the disk of an embedded state: how much there is, and a part that is kept for what must work on a full
// disk (RECORD-9, RECORD-10). Thread-safe.

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::native {

class StateRoom {
 public:
  /// `reserve_bytes`: with less room than that calls leave no records; a quarter of it, at most 16 MiB, is kept in
  /// `PATH.reserve`. 0: nothing is kept, and nothing ever short.
  StateRoom(std::string state_path, std::uint64_t reserve_bytes);

  /// As an ordinary user sees it. 0 where it cannot be told.
  std::uint64_t free_bytes() const;
  bool is_short() const { return reserve_bytes_ > 0 && free_bytes() < reserve_bytes_; }

  /// Keeps the part in reserve, where it is not kept already and there is twice as much room. True: it is kept.
  bool keep();
  /// Gives it up, for a transaction that finds the disk full. False: there was none.
  bool release();
  /// Whether ordinary writes have to leave what is left to those that free room: the part was given up, and half of it
  /// is used.
  bool is_exhausted() const;

 private:
  std::uint64_t kept_bytes() const;

  const std::string state_path_;
  const std::string path_;
  const std::uint64_t reserve_bytes_;
  const std::uint64_t part_bytes_;
  mutable std::mutex mutex_;
};

}  // namespace tonearm::native
