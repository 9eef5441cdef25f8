#include "snapshot/rendered_tracks.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "runtime/failure.h"
#include "snapshot/pinned_file.h"
#include "tonearm/catalog.h"

namespace tonearm::builder {
namespace {

constexpr std::uint32_t kTracksAtOnce = 256;

std::shared_ptr<const Catalog> open(const std::string& path) {
  try {
    const auto opened = Catalog::open(std::make_shared<const native::PinnedFile>(path), {.allow_evaluation = true});
    if (!opened) throw Failure(path + ": " + opened.error().message);
    return *opened;
  } catch (const Failure&) {
    throw;
  } catch (const std::runtime_error& failure) {
    throw Failure(failure.what());
  }
}

}  // namespace

void each_rendered_track(const std::string& path, const std::function<void(simdjson::dom::object)>& take) {
  const auto catalog = open(path);
  simdjson::dom::parser parser;
  std::vector<std::uint32_t> positions;
  for (std::uint32_t begin = 0; begin < catalog->track_count(); begin += kTracksAtOnce) {
    positions.resize(std::min(kTracksAtOnce, catalog->track_count() - begin));
    std::iota(positions.begin(), positions.end(), begin);
    for (const RenderedTrack& track : catalog->render(positions)) {
      simdjson::dom::object fields;
      if (parser.parse(track.json.data(), track.json.size()).get_object().get(fields) != simdjson::SUCCESS) {
        throw Failure(path + ": a track is damaged");
      }
      take(fields);
    }
  }
}

}  // namespace tonearm::builder
