// Makes a track for the snapshot writer. It owns its texts; the texts of a category have static lifetime.
#include <tonearm/track.h>

int main() {
  tonearm::Track track;
  track.id = "my-1";
  track.kind = tonearm::Kind::sfx;
  track.title = "Rain";
  track.duration_ms = 2'000;
  track.tags.at(static_cast<std::size_t>(tonearm::Facet::sfx)) = {"rain"};
  track.category = tonearm::find_category("fx-a");
  return track.category && tonearm::kCategories.at(*track.category).top_id == "sound-effects" ? 0 : 1;
}
