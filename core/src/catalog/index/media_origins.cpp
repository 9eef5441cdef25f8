#include "catalog/index/media_origins.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "catalog/storage/sections.h"
#include "text/policy_source.h"
#include "text/split.h"

namespace tonearm::catalog {
namespace {

/// Returns null if the manifest does not have the row.
const std::string* row_of(const Manifest& manifest, std::string_view key) {
  const auto found = manifest.find(std::string(key));
  return found == manifest.end() ? nullptr : &found->second;
}

std::vector<std::string> read_origins(const Manifest& manifest, std::string_view key) {
  std::vector<std::string> origins;
  const std::string* row = row_of(manifest, key);
  if (row == nullptr || row->empty()) return origins;
  for (const std::string_view origin : text::split(*row, ' ')) {
    if (text::policy_source(origin) != origin || origins.size() == kOriginsMax) {
      throw_damaged("its manifest has an invalid " + std::string(key));
    }
    origins.emplace_back(origin);
  }
  return origins;
}

void check_origins(const Manifest& manifest, std::string_view key, const OriginCounts& expected) {
  const std::string* row = row_of(manifest, key);
  if (row != nullptr && *row != expected.value()) throw_damaged("the " + std::string(key) + " differ from the tracks");
}

}  // namespace

void OriginCounts::add(std::string_view url) {
  if (auto origin = text::policy_source(url)) ++tracks_[*std::move(origin)];
}

std::string OriginCounts::value() const {
  std::vector<std::pair<std::string, std::uint64_t>> origins(tracks_.begin(), tracks_.end());
  std::stable_sort(origins.begin(), origins.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  origins.resize(std::min(origins.size(), kOriginsMax));
  std::string value;
  for (const auto& [origin, tracks] : origins) value += (value.empty() ? "" : " ") + origin;
  return value;
}

MediaOrigins read_media_origins(const Manifest& manifest) {
  return {read_origins(manifest, kAudioOrigins), read_origins(manifest, kPeaksOrigins)};
}

void check_media_origins(const Manifest& manifest, const MediaOriginCounts& expected) {
  check_origins(manifest, kAudioOrigins, expected.audio);
  check_origins(manifest, kPeaksOrigins, expected.peaks);
}

}  // namespace tonearm::catalog
