#include "api/answers/known_tracks.h"

#include <algorithm>
#include <utility>

namespace tonearm::api {

void KnownTracks::learn(std::vector<std::string> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const auto is_known = [this](const std::string& id) { return known_.count(id) != 0; };
  ids.erase(std::remove_if(ids.begin(), ids.end(), is_known), ids.end());
  const auto found = catalog_.look_up(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) known_.emplace(std::move(ids[i]), found[i]);
}

void KnownTracks::learn(const Collection& collection) {
  std::vector<std::string> ids;
  ids.reserve(collection.items.size());
  for (const CollectionItem& item : collection.items) ids.push_back(item.track_id);
  learn(std::move(ids));
}

}  // namespace tonearm::api
