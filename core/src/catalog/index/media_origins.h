#pragma once
// The origins of a catalog's audio and waveforms, which the manifest lists for hosts that must allow them (MCP-22).
// Pure.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "catalog/index/layout.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

/// Rows of the manifest: origins, separated by spaces.
inline constexpr std::string_view kAudioOrigins = "audio_origins";
inline constexpr std::string_view kPeaksOrigins = "peaks_origins";
/// The longest list.
inline constexpr std::size_t kOriginsMax = 50;

/// Counts the tracks of each origin.
class OriginCounts {
 public:
  /// Ignores an empty text, and hosts that no policy can name.
  void add(std::string_view url);
  /// Returns the row's value: most tracks first, then by bytes.
  std::string value() const;

 private:
  std::map<std::string, std::uint64_t> tracks_;
};

/// The origins of all tracks that searches find.
class MediaOriginCounts {
 public:
  /// A track is played from its preview, else from the original (WEB-24). Empty texts: none.
  void add(const std::string& preview_url, const std::string& original_url, const std::string& peaks_url) {
    audio.add(preview_url.empty() ? original_url : preview_url);
    peaks.add(peaks_url);
  }

  OriginCounts audio;
  OriginCounts peaks;
};

/// Returns empty lists for a manifest without the rows, which earlier programs wrote. Throws CatalogDamaged if a row
/// contains anything but origins.
MediaOrigins read_media_origins(const Manifest& manifest);

/// Throws CatalogDamaged if the manifest has the rows and they differ from those of the tracks.
void check_media_origins(const Manifest& manifest, const MediaOriginCounts& expected);

}  // namespace tonearm::catalog
