#include "links/findings.h"

#include <algorithm>

#include "tonearm/license.h"

namespace tonearm::builder {
namespace {

/// A URL is dead after so many consecutive failed checks over so long a time.
constexpr std::uint32_t kFailuresMin = 3;
constexpr std::int64_t kFailingSecondsMin = 7 * 86'400;
/// The quality that a track loses with its page, in thousandths.
constexpr std::uint16_t kPageQuality = 100;

const LinkRecord* find(const LinkRecords& records, const std::string& url) {
  const auto found = records.find(url);
  return found == records.end() ? nullptr : &found->second;
}

bool is_dead(const LinkRecord* record) {
  if (record == nullptr) return false;
  if (record->state == LinkState::gone) return true;
  return record->state == LinkState::unreachable && record->failures >= kFailuresMin &&
         record->checked_s - record->failing_since_s >= kFailingSecondsMin;
}

void drop_dead_url(const LinkRecords& records, std::string& url, std::uint64_t& count) {
  if (url.empty() || !is_dead(find(records, url))) return;
  url.clear();
  ++count;
}

void apply_page(const LinkRecord& page, Track& track, LinkEffects& effects) {
  if (is_dead(&page)) {
    ++effects.pages_gone;
    track.quality = static_cast<std::uint16_t>(std::max<int>(track.quality - kPageQuality, 0));
    return;
  }
  if (page.state != LinkState::ok || page.licenses.empty()) return;
  const std::string url(license(track.license).url);
  if (page.licenses.size() == 1 && *page.licenses.begin() == url) {
    if (track.license_status == LicenseStatus::listed) ++effects.verified;
    track.license_status = LicenseStatus::verified;
  } else if (!page.licenses.contains(url)) {
    std::string named;
    for (const std::string& other : page.licenses) named += (named.empty() ? "" : " ") + other;
    effects.differences.push_back({track.id, url, std::move(named)});
  }
}

}  // namespace

void apply_findings(const LinkRecords& records, Track& track, LinkEffects& effects) {
  drop_dead_url(records, track.preview_url, effects.previews_dropped);
  drop_dead_url(records, track.original_url, effects.originals_dropped);
  if (const LinkRecord* const page = find(records, track.source_page)) apply_page(*page, track, effects);
}

}  // namespace tonearm::builder
