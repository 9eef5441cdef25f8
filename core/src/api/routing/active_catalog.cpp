#include "api/routing/active_catalog.h"

#include "tonearm/result.h"

namespace tonearm::api {

std::shared_ptr<const Catalog> ActiveCatalog::get() {
  std::shared_ptr<const Catalog> served = served_();
  if (!has_take_downs_ || served == nullptr) return served;
  std::shared_ptr<const TrackIds> track_ids;
  std::shared_ptr<const Catalog> snapshot;
  {
    const std::scoped_lock lock(mutex_);
    if (snapshot_ == served) return reduced_;
    track_ids = track_ids_;
    snapshot = snapshot_;
  }
  // Outside the lock, because a snapshot that is being downloaded waits for blocks.
  auto reduced = served->without(*track_ids);
  const std::scoped_lock lock(mutex_);
  if (track_ids_ != track_ids) return reduced;
  if (snapshot_ == served) return reduced_;  // another call was faster
  if (snapshot_ == snapshot) {
    snapshot_ = std::move(served);
    reduced_ = reduced;
  }
  return reduced;
}

void ActiveCatalog::take_down(std::vector<std::string> track_ids) {
  std::shared_ptr<const Catalog> served = served_();
  std::shared_ptr<const Catalog> reduced;
  try {
    // Before the lock, so that no call waits for it. A remote snapshot can be read only in a call.
    if (served != nullptr && served->is_in_memory()) reduced = served->without(track_ids);
  } catch (const Failure&) {  // the next `get` throws it
  }
  if (reduced == nullptr) served = nullptr;
  const std::scoped_lock lock(mutex_);
  track_ids_ = std::make_shared<const TrackIds>(std::move(track_ids));
  snapshot_ = std::move(served);
  reduced_ = std::move(reduced);
  has_take_downs_ = !track_ids_->empty();
}

}  // namespace tonearm::api
