#include "api/answers/track_lookup.h"

#include <utility>

namespace tonearm::api {

void TrackLookup::load(std::vector<std::string> ids) {
  tracks_.reserve(tracks_.size() + ids.size());
  std::erase_if(ids, [this](const std::string& id) { return !tracks_.try_emplace(id).second; });
  const auto found = catalog_.look_up(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (found[i]) tracks_.at(ids[i]) = found[i];
  }
}

}  // namespace tonearm::api
