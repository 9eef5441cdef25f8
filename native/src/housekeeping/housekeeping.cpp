#include "housekeeping/housekeeping.h"

#include <string>
#include <thread>

namespace tonearm::native {

bool Housekeeping::flush() {
  try {
    const auto report = with_.flush();
    with_.metrics.count_flush(report.counters_written, report.records_written);
    if (flush_failed_) with_.log.info("counts and call records are written again");
    flush_failed_ = false;
    return true;
  } catch (const std::exception& failure) {
    with_.metrics.count_flush_failure();
    if (!flush_failed_) with_.log.error(std::string("counts and call records wait in memory: ") + failure.what());
    flush_failed_ = true;
    return false;
  }
}

void Housekeeping::maintain() {
  if (--calls_to_search_ <= 0) remove_old_records();
  run_checkpoint();
  check_disk();
}

void Housekeeping::remove_old_records() {
  try {
    bool more = with_.retain_step();
    for (int step = 1; more && step < pace_.steps_max; ++step) {
      std::this_thread::sleep_for(pace_.pause);
      more = with_.retain_step();
    }
    calls_to_search_ = more ? 1 : pace_.calls_per_search;
  } catch (const std::exception& failure) {
    calls_to_search_ = pace_.calls_per_search;
    with_.log.error(std::string("cannot remove old call records: ") + failure.what());
  }
}

void Housekeeping::run_checkpoint() {
  if (with_.checkpoint == nullptr) return;
  try {
    with_.checkpoint->run();
    checkpoint_failed_ = false;
  } catch (const std::exception& failure) {
    if (!checkpoint_failed_) with_.log.error(failure.what());
    checkpoint_failed_ = true;
  }
}

/// RECORD-9
void Housekeeping::check_disk() {
  if (with_.reserve == nullptr) return;
  with_.reserve->allocate();
  const bool is_short = with_.reserve->is_short();
  if (is_short != was_short_) {
    const auto left = std::to_string(with_.reserve->free_bytes() >> 20U) + " MiB are free on the disk of the state: ";
    if (is_short) with_.log.error(left + "calls are counted by day and leave no records until there is more space");
    if (!is_short) with_.log.info(left + "calls leave records again");
  }
  was_short_ = is_short;
}

}  // namespace tonearm::native
