#include "api/routing/active_catalog.h"

namespace tonearm::api {

std::shared_ptr<const Catalog> ActiveCatalog::get() {
  std::shared_ptr<const Catalog> served = served_();
  if (!has_take_downs_ || served == nullptr) return served;
  const std::scoped_lock lock(mutex_);
  if (snapshot_ != served) {
    reduced_ = served->without(track_ids_);
    snapshot_ = std::move(served);
  }
  return reduced_;
}

void ActiveCatalog::take_down(std::vector<std::string> track_ids) {
  const std::scoped_lock lock(mutex_);
  track_ids_ = std::move(track_ids);
  snapshot_ = nullptr;
  reduced_ = nullptr;
  has_take_downs_ = !track_ids_.empty();
}

}  // namespace tonearm::api
