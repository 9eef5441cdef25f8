#pragma once
// The background work of a server on its state: flushes counts and call records, removes old records (RECORD-4), runs
// checkpoints and maintains the disk reserve. Logs a failure once until it ends. `flush` and `maintain` may run on two
// threads; each is for one thread at a time.

#include <chrono>
#include <functional>

#include "monitoring/log.h"
#include "monitoring/metrics.h"
#include "sqlite_state/disk_reserve.h"
#include "sqlite_state/state_file.h"
#include "tonearm/flush_report.h"

namespace tonearm::native {

class Housekeeping {
 public:
  /// All of it outlives the object.
  struct Dependencies {
    std::function<FlushReport()> flush;
    /// Removes some old call records. Returns whether more are left.
    std::function<bool()> retain_step;
    StateCheckpoint* checkpoint = nullptr;  // null: a shared state needs none
    DiskReserve* reserve = nullptr;         // null: a shared state needs none
    Metrics& metrics;
    Log& log;
  };
  /// How `maintain` removes old records.
  struct Pace {
    int calls_per_search = 120;           // calls of `maintain` between two searches, if nothing is left to remove
    int steps_max = 10;                   // in one call
    std::chrono::milliseconds pause{10};  // between two steps, for other writers
  };

  explicit Housekeeping(Dependencies with) : Housekeeping(std::move(with), Pace()) {}
  Housekeeping(Dependencies with, const Pace& pace) : with_(std::move(with)), pace_(pace) {}

  /// Writes what is in memory. Returns false if that fails.
  bool flush();
  /// Does what may take a while, so it has a thread of its own and delays no flush (LIMIT-9).
  void maintain();

 private:
  void remove_old_records();
  void run_checkpoint();
  void check_disk();

  Dependencies with_;
  Pace pace_;
  bool flush_failed_ = false;
  bool checkpoint_failed_ = false;
  bool was_short_ = false;
  int calls_to_search_ = 1;
};

}  // namespace tonearm::native
