#include "cleaning/quality.h"

#include <algorithm>

namespace tonearm::builder {
namespace {

constexpr std::uint32_t kGivenShare = 800;
constexpr std::uint32_t kBase = 100;
constexpr std::uint32_t kWhole = 1000;

}  // namespace

std::uint16_t metadata_points(const Track& track) {
  std::size_t tags = 0;
  for (const auto& ids : track.tags) tags += ids.size();
  std::size_t sum = 0;
  sum += track.preview_url.empty() && track.original_url.empty() ? 0U : 20U;
  sum += track.source_page.empty() ? 0U : 6U;
  sum += track.license_status == LicenseStatus::verified ? 6U : 0U;
  sum += track.artist.empty() ? 0U : 6U;
  sum += std::min<std::size_t>(3 * tags, 18);
  sum += track.category ? 3U : 0U;
  sum += track.bpm_hundredths != 0 ? 3U : 0U;
  sum += track.energy ? 3U : 0U;
  sum += track.tone ? 3U : 0U;
  sum += track.tags[static_cast<std::size_t>(Facet::genre)].empty() ? 0U : 3U;
  sum += std::min<std::size_t>(track.description.size() / 16, 28);
  return static_cast<std::uint16_t>(sum);
}

std::uint16_t refined_quality(const Track& track) {
  return static_cast<std::uint16_t>(kGivenShare * track.quality / kWhole + kBase + metadata_points(track));
}

}  // namespace tonearm::builder
