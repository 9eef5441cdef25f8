#pragma once
// Random tracks whose fields are set or not, and a comparison of all fields.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "fakes.h"
#include "tonearm/track.h"

namespace tonearm::builder {

inline std::string random_text(test::SeededRandom& random) {
  std::string text;
  if (random.below(3) == 0) return text;
  for (auto count = random.below(300); count > 0; --count) text += static_cast<char>(random.below(256));
  return text;
}

inline std::vector<std::string> random_texts(test::SeededRandom& random) {
  std::vector<std::string> texts(random.below(4));
  for (auto& text : texts) text = random_text(random);
  return texts;
}

/// Returns small and large values alike.
template <class Number>
Number random_number(test::SeededRandom& random) {
  return static_cast<Number>(random.next() >> random.below(64));
}

template <class Value>
std::optional<Value> random_optional(test::SeededRandom& random, std::uint64_t values) {
  if (random.below(2) == 0) return std::nullopt;
  return static_cast<Value>(random.below(values));
}

inline std::shared_ptr<const TrackAudio> random_audio(test::SeededRandom& random) {
  if (random.below(2) == 0) return nullptr;
  auto audio = std::make_shared<TrackAudio>();
  audio->fingerprint.resize(random.below(2000));
  for (auto& value : audio->fingerprint) value = random_number<std::uint32_t>(random);
  audio->timbre.resize(random.below(2) * kTimbreSize);
  for (auto& value : audio->timbre) value = random_number<std::int8_t>(random);
  audio->file_hashes.resize(random.below(3));
  for (auto& hash : audio->file_hashes) {
    for (auto& byte : hash) byte = random_number<std::uint8_t>(random);
  }
  return audio;
}

inline Track random_track(test::SeededRandom& random) {
  Track track;
  track.kind = static_cast<Kind>(random.below(2));
  for (auto* text : {&track.id, &track.title, &track.artist, &track.description, &track.key, &track.credit_as,
                     &track.source, &track.source_page, &track.published, &track.preview_url, &track.original_url,
                     &track.peaks_url, &track.matching_title}) {
    *text = random_text(random);
  }
  track.duration_ms = random_number<std::uint64_t>(random);
  track.bpm_hundredths = random_number<std::uint32_t>(random);
  track.vocals = random_optional<Vocals>(random, 2);
  if (random.below(2) == 0) track.loudness_hundredths = random_number<std::int32_t>(random);
  for (auto& ids : track.tags) ids = random_texts(random);
  track.category = random_optional<std::uint8_t>(random, kCategoryCount);
  track.energy = random_optional<Energy>(random, 3);
  track.tone = random_optional<Tone>(random, 3);
  track.loop = random.below(2) == 0;
  track.quality = random_number<std::uint16_t>(random);
  track.license = static_cast<LicenseId>(random.below(kLicenseCount));
  track.license_status = static_cast<LicenseStatus>(random.below(2));
  track.credit_requested = random.below(2) == 0;
  track.content_id = random_optional<ContentId>(random, 2);
  track.taken_down = random.below(2) == 0;
  track.matching_words = random_texts(random);
  track.audio = random_audio(random);
  track.neighbors.resize(random.below(100));
  for (auto& neighbor : track.neighbors) neighbor = random_number<std::uint32_t>(random);
  return track;
}

/// Names each member, so a new one does not compile until it is compared.
inline auto members_of(const Track& track) {
  const auto& [id, kind, title, artist, description, duration_ms, bpm_hundredths, vocals, key, loudness_hundredths,
               tags, category, energy, tone, loop, quality, license, license_status, credit_requested, credit_as,
               content_id, source, source_page, published, preview_url, original_url, peaks_url, taken_down,
               matching_title, matching_words, audio, neighbors] = track;
  const auto& [fingerprint, timbre, file_hashes] = audio ? *audio : TrackAudio{};
  return std::tuple(id, kind, title, artist, description, duration_ms, bpm_hundredths, vocals, key, loudness_hundredths,
                    tags, category, energy, tone, loop, quality, license, license_status, credit_requested, credit_as,
                    content_id, source, source_page, published, preview_url, original_url, peaks_url, taken_down,
                    matching_title, matching_words, neighbors, audio != nullptr, fingerprint, timbre, file_hashes);
}

}  // namespace tonearm::builder
