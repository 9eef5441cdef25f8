#include "feed.h"

#include <stdexcept>
#include <vector>

#include "tonearm/ascii.h"

namespace tonearm::bench {
namespace {

/// FILTER-5
LengthBucket length_of(const Track& track) {
  const auto ms = track.duration_ms;
  if (track.kind == Kind::music) {
    if (ms < 120'000) return ms < 30'000 ? LengthBucket::xs : LengthBucket::s;
    return ms <= 300'000 ? LengthBucket::m : LengthBucket::l;
  }
  if (ms < 10'000) return ms < 2'000 ? LengthBucket::xs : LengthBucket::s;
  return ms <= 30'000 ? LengthBucket::m : LengthBucket::l;
}

std::string words_of_tags(const Track& track) {
  std::string words;
  for (const auto& tags : track.tags) {
    for (const auto& tag : tags) {
      if (!words.empty()) words += ' ';
      for (const char c : tag) words += c == '-' || c == '_' ? ' ' : c;
    }
  }
  return words;
}

void visit_one(std::uint32_t number, const Track& track, std::string_view json, const Visit& visit) {
  FedTrack fed{number,
               track,
               json,
               words_of_tags(track),
               {},
               {},
               {},
               ascii::to_lower(track.artist),
               length_of(track),
               attribution(track.license, track.credit_requested),
               false};
  if (track.category) {
    const Category& category = kCategories[*track.category];
    fed.category_id = category.id;
    fed.category_label = category.label;
    fed.top_id = category.top_id;
    fed.speech = track.kind == Kind::sfx && category.top_id == "speech";
  }
  visit(fed);
}

}  // namespace

void Feed::each(const Visit& visit) const {
  constexpr std::size_t kBatch = 1'000;
  std::uint32_t number = 0;
  std::vector<Track> tracks;
  std::vector<std::uint32_t> positions;
  for (std::uint32_t i = 0; i < generator_.size(); ++i) {
    Track track = generator_.track(i);
    if (!track.taken_down) {
      const auto position = catalog_.find(track.id);
      if (!position) throw std::runtime_error("the snapshot has no track " + track.id);
      positions.push_back(*position);
      tracks.push_back(std::move(track));
    }
    if (tracks.size() < kBatch && i + 1 < generator_.size()) continue;
    const auto rendered = catalog_.render(positions);
    for (std::size_t k = 0; k < tracks.size(); ++k) visit_one(++number, tracks[k], rendered.at(k).json, visit);
    tracks.clear();
    positions.clear();
  }
}

}  // namespace tonearm::bench
