#pragma once
// The catalog that answers calls: the served snapshot without the tracks that the operator took down (TAKEDOWN-2).

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tonearm/catalog.h"

namespace tonearm::api {

/// Safe for concurrent calls.
class ActiveCatalog {
 public:
  using Source = std::function<std::shared_ptr<const Catalog>()>;

  /// `served` returns the active snapshot, or null if there is none yet.
  explicit ActiveCatalog(Source served) : served_(std::move(served)) {}

  /// Returns null if there is no snapshot. The first calls with another snapshot read the positions of the tracks; none
  /// waits for another's reads. Throws Failure if the snapshot cannot be read.
  std::shared_ptr<const Catalog> get();
  /// Applies to the next `get`.
  void take_down(std::vector<std::string> track_ids);

 private:
  using TrackIds = std::vector<std::string>;

  const Source served_;
  std::atomic<bool> has_take_downs_ = false;
  std::mutex mutex_;
  std::shared_ptr<const TrackIds> track_ids_ = std::make_shared<const TrackIds>();
  std::shared_ptr<const Catalog> snapshot_;  // of `reduced_`
  std::shared_ptr<const Catalog> reduced_;
};

}  // namespace tonearm::api
