#include "similar/track_features.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <string_view>

namespace tonearm::builder {
namespace {

constexpr std::array<std::uint32_t, kFacetCount> kFacetWeights{6, 6, 5, 5, 7};
constexpr std::uint32_t kCategoryWeight = 6;
constexpr std::uint32_t kNarrowCategoryWeight = 4;
constexpr std::uint32_t kBroadCategoryWeight = 2;
constexpr std::uint32_t kGroupWeight = 3;
constexpr std::uint32_t kEnergyWeight = 3;
constexpr std::uint32_t kToneWeight = 3;
constexpr std::uint32_t kTempoWeight = 2;
constexpr std::uint32_t kLengthWeight = 1;
constexpr std::uint32_t kLoopWeight = 2;
constexpr std::size_t kTitleWordsMax = 24;
constexpr std::size_t kDescriptionWordsMax = 96;
/// The width of a tempo band. Two grids are half a band apart, so that close tempi share at least one band.
constexpr std::uint32_t kTempoBandHundredths = 800;

/// The categories of effects that are one family of sounds. All others are broad: rain and explosions share one.
constexpr std::array<std::string_view, 4> kNarrowCategories{"is-p", "is-s", "is-w", "is-k"};

/// Weights of words by the text that contains them.
struct WordWeights {
  std::uint32_t title;
  std::uint32_t matching_word;
  std::uint32_t description;
};
constexpr WordWeights kMusicWords{4, 2, 2};
/// Effects have few tags, so their texts tell more.
constexpr WordWeights kEffectWords{6, 3, 2};
constexpr std::uint32_t kTagWordWeight = 4;
static_assert(std::max({*std::max_element(kFacetWeights.begin(), kFacetWeights.end()), kCategoryWeight,
                        kMusicWords.title, kEffectWords.title}) <= kFeatureWeightMax);

/// Adds one band from each of two grids, which are half a band apart.
void add_bands(std::string_view kind, std::uint64_t half_bands, std::uint32_t weight, Signal signal,
               std::vector<NamedFeature>& out) {
  out.push_back({hash_of(kind, std::to_string(half_bands / 2)), weight, signal});
  out.push_back({hash_of(kind, std::to_string((half_bands + 1) / 2) + "+"), weight, signal});
}

/// The categories of music are as narrow as its tags are.
void add_category(const Track& track, std::vector<NamedFeature>& out) {
  if (!track.category) return;
  const Category& category = kCategories[*track.category];
  if (track.kind == Kind::music) {
    out.push_back({hash_of("category", category.id), kCategoryWeight});
    out.push_back({hash_of("group", category.group_code), kGroupWeight});
    return;
  }
  const bool is_narrow =
      std::find(kNarrowCategories.begin(), kNarrowCategories.end(), category.id) != kNarrowCategories.end();
  out.push_back({hash_of("category", category.id), is_narrow ? kNarrowCategoryWeight : kBroadCategoryWeight,
                 is_narrow ? Signal::distinctive : Signal::none});
}

}  // namespace

std::uint64_t hash_of(std::string_view kind, std::string_view what) {
  constexpr std::uint64_t kOffset = 0xCBF29CE484222325;
  constexpr std::uint64_t kPrime = 0x100000001B3;
  std::uint64_t hash = kOffset;
  const auto add = [&](char c) { hash = (hash ^ static_cast<unsigned char>(c)) * kPrime; };
  for (const char c : kind) add(c);
  add(':');
  for (const char c : what) add(c);
  return mix64(hash);
}

std::uint32_t log2_sixteenths(std::uint64_t value) {
  const auto whole = static_cast<std::uint32_t>(std::bit_width(value)) - 1;
  // The mantissa in 1..2 as a 32-bit fraction; each squaring gives the next binary digit of the logarithm.
  std::uint64_t mantissa = whole >= 31 ? value >> (whole - 31) : value << (31 - whole);
  std::uint32_t result = whole;
  for (int digit = 0; digit < 4; ++digit) {
    mantissa = mantissa * mantissa >> 31U;
    const bool carry = mantissa >> 32U != 0;
    if (carry) mantissa >>= 1U;
    result = result * 2 + (carry ? 1 : 0);
  }
  return result;
}

std::uint16_t length_of(const Track& track) {
  if (track.kind == Kind::music || track.duration_ms == 0) return 0;
  return static_cast<std::uint16_t>(log2_sixteenths(track.duration_ms));
}

std::uint64_t integer_sqrt(std::uint64_t value) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31U; bit != 0; bit >>= 1U) {
    if ((root | bit) * (root | bit) <= value) root |= bit;
  }
  return root;
}

std::uint64_t mix64(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EB;
  return value ^ (value >> 31U);
}

/// Adds at most the first `count_max` words. Words that are wider than those of effects get half the weight.
void FeatureReader::add_words(Kind kind, std::string_view text, std::size_t count_max, std::uint32_t weight) {
  std::size_t count = 0;
  reader_.each_word(kind, text, [&](const std::string& word) {
    const bool is_effect = kind == Kind::sfx;
    const bool is_stop_word = table_.is_stop_word(word);
    if (count == count_max || (is_effect && (is_stop_word || table_.is_file_word(word)))) return;
    ++count;
    found_.push_back({hash_of("word", word), weight, is_stop_word ? Signal::none : Signal::distinctive});
    if (!is_effect) return;
    for (const auto& wide : table_.wider(word)) found_.push_back({hash_of("word", wide), weight / 2});
  });
}

void FeatureReader::add_texts(const Track& track) {
  const auto& weights = track.kind == Kind::music ? kMusicWords : kEffectWords;
  add_words(track.kind, title_to_match(track), kTitleWordsMax, weights.title);
  add_words(track.kind, track.description, kDescriptionWordsMax, weights.description);
  for (const auto& word : track.matching_words) {
    add_words(track.kind, word, kDescriptionWordsMax, weights.matching_word);
  }
  if (track.kind == Kind::music) return;
  // One effect has the tag "rain", the other the title.
  for (const auto& ids : track.tags) {
    for (const auto& id : ids) add_words(track.kind, id, kTitleWordsMax, kTagWordWeight);
  }
}

std::vector<NamedFeature> FeatureReader::features_of(const Track& track) {
  found_.clear();
  auto& out = found_;
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& id : track.tags[facet]) out.push_back({hash_of(kFacetNames[facet], id), kFacetWeights[facet]});
  }
  add_category(track, out);
  if (track.energy)
    out.push_back({hash_of("energy", kEnergyNames[static_cast<std::size_t>(*track.energy)]), kEnergyWeight});
  if (track.tone) out.push_back({hash_of("tone", kToneNames[static_cast<std::size_t>(*track.tone)]), kToneWeight});
  if (track.loop) out.push_back({hash_of("loop", ""), kLoopWeight, Signal::none});
  if (track.bpm_hundredths != 0) {
    add_bands("bpm", track.bpm_hundredths / (kTempoBandHundredths / 2), kTempoWeight, Signal::distinctive, out);
  }
  // Four half bands to each doubling.
  if (track.duration_ms != 0)
    add_bands("length", log2_sixteenths(track.duration_ms) / 4, kLengthWeight, Signal::none, out);
  add_texts(track);
  std::sort(out.begin(), out.end(), [](const NamedFeature& a, const NamedFeature& b) {
    if (a.name != b.name) return a.name < b.name;
    return a.weight != b.weight ? a.weight > b.weight : a.signal < b.signal;
  });
  const auto same = [](const NamedFeature& a, const NamedFeature& b) { return a.name == b.name; };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

}  // namespace tonearm::builder
