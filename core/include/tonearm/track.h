#pragma once
// A track of a catalog: the content of one canonical line (LINE-2) after all checks.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/license.h"

namespace tonearm {

enum class Kind : std::uint8_t { music, sfx };
enum class Energy : std::uint8_t { calm, steady, driving };
enum class Tone : std::uint8_t { dark, warm, bright };
enum class Vocals : std::uint8_t { instrumental, vocal };
/// Whether the work is registered with a Content ID system.
enum class ContentId : std::uint8_t { registered, none };
/// The facets of `tags`, in the order of the specification.
enum class Facet : std::uint8_t { genre, mood, use, instrument, sfx };

inline constexpr std::size_t kFacetCount = 5;
inline constexpr std::array<std::string_view, 2> kKindNames{"music", "sfx"};
inline constexpr std::array<std::string_view, 3> kEnergyNames{"calm", "steady", "driving"};
inline constexpr std::array<std::string_view, 3> kToneNames{"dark", "warm", "bright"};
inline constexpr std::array<std::string_view, 2> kVocalsNames{"instrumental", "vocal"};
inline constexpr std::array<std::string_view, 2> kContentIdNames{"registered", "none"};
inline constexpr std::array<std::string_view, kFacetCount> kFacetNames{"genre", "mood", "use", "instrument", "sfx"};

/// A category of TAXONOMY-1. Its texts have static lifetime.
struct Category {
  std::string_view id;          // "fx-a"
  std::string_view label;       // "Animals"
  std::string_view top_id;      // "sound-effects"
  std::string_view top_label;   // "Sound effects"
  std::string_view group_code;  // "fx"
};

inline constexpr std::size_t kCategoryCount = 28;
/// In the order of TAXONOMY-1.
extern const std::array<Category, kCategoryCount> kCategories;
/// The group whose effects a search finds only if it selects the group (SEARCH-7).
inline constexpr std::string_view kSpeechGroup = "speech";
/// Returns the index into kCategories of a category id.
std::optional<std::uint8_t> find_category(std::string_view id);

/// The number of values that describe a timbre.
inline constexpr std::size_t kTimbreSize = 24;

/// Measurements of a track's audio files.
struct TrackAudio {
  using Sha256 = std::array<std::uint8_t, 32>;

  /// Chromaprint values of algorithm 1 (CHROMAPRINT_ALGORITHM_TEST2): one per 0.1238 s of the first fifteen minutes.
  /// Empty if the audio is too short.
  std::vector<std::uint32_t> fingerprint;
  /// A point in the space of timbres: similar sounds have a small squared distance. Empty: unknown.
  std::vector<std::int8_t> timbre;  // kTimbreSize numbers
  /// SHA-256 hashes of whole files that contain this track.
  std::vector<Sha256> file_hashes;
};

/// All strings are valid UTF-8. Text is third-party data.
struct Track {
  std::string id;
  Kind kind = Kind::music;
  std::string title;
  std::string artist;                                      // may be empty
  std::string description;                                 // empty: null
  std::uint64_t duration_ms = 0;                           // positive (0 only in evaluation snapshots)
  std::uint32_t bpm_hundredths = 0;                        // 0: no steady tempo
  std::optional<Vocals> vocals;                            // music only
  std::string key;                                         // "F# minor" (LINE-22); empty: null
  std::optional<std::int32_t> loudness_hundredths;         // of LUFS
  std::array<std::vector<std::string>, kFacetCount> tags;  // ids in input order, without duplicates
  std::optional<std::uint8_t> category;                    // index into kCategories
  std::optional<Energy> energy;
  std::optional<Tone> tone;
  bool loop = false;
  std::uint16_t quality = 500;  // thousandths, 0..1000
  LicenseId license = LicenseId::cc0;
  LicenseStatus license_status = LicenseStatus::listed;
  bool credit_requested = false;
  std::string credit_as;  // the creator's name in credit lines, instead of the artist; empty: null
  std::optional<ContentId> content_id;
  std::string source;        // a domain in lower case
  std::string source_page;   // absolute http(s) URL; empty: null
  std::string published;     // "2024-05-01"; empty: null
  std::string preview_url;   // absolute; empty: null
  std::string original_url;  // absolute; empty: null
  std::string peaks_url;     // absolute; empty: null
  bool taken_down = false;
  std::string matching_title;               // tidied, for searches and variants alone (SEARCH-3); empty: the title
  std::vector<std::string> matching_words;  // tags that fit no facet: searchable, in no answer
  std::shared_ptr<const TrackAudio> audio;  // null: not measured
  std::vector<std::uint32_t> neighbors;     // indices into the same list of tracks, closest first
};

/// Returns the title by which searches and variants compare the track.
inline const std::string& title_to_match(const Track& track) {
  return track.matching_title.empty() ? track.title : track.matching_title;
}

}  // namespace tonearm
