#include "track_features.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <unordered_map>

#include "text/unicode.h"

namespace tonearm::builder {
namespace {

using Named = std::vector<std::pair<std::string, std::uint32_t>>;

constexpr std::array<std::uint32_t, kFacetCount> kFacetWeights{6, 6, 5, 4, 8};
constexpr std::uint32_t kCategoryWeight = 6;
constexpr std::uint32_t kGroupWeight = 2;
constexpr std::uint32_t kEnergyWeight = 3;
constexpr std::uint32_t kToneWeight = 3;
constexpr std::uint32_t kTempoWeight = 2;
constexpr std::uint32_t kLengthWeight = 1;
constexpr std::uint32_t kLoopWeight = 2;
constexpr std::uint32_t kTitleWordWeight = 4;
constexpr std::uint32_t kDescriptionWordWeight = 2;
constexpr std::size_t kTitleWordsMax = 24;
constexpr std::size_t kDescriptionWordsMax = 96;
/// A band of tempi: two grids of it, half a band apart, so that what lies close shares at least one.
constexpr std::uint32_t kTempoBandHundredths = 800;

bool is_word_character(char32_t c) {
  return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '\'';
}

/// Distinct words of three letters or more.
std::set<std::string> words_of(std::string_view text, std::size_t count_max) {
  std::set<std::string> words;
  const auto folded = text::fold_case(text);
  std::string word;
  for (std::size_t at = 0; at <= folded.size() && words.size() < count_max;) {
    const std::size_t begin = at;
    const char32_t c = at < folded.size() ? text::next_code_point(folded, at) : U' ';
    if (begin == folded.size()) ++at;
    if (is_word_character(c)) {
      word.append(folded, begin, at - begin);
      continue;
    }
    if (word.size() >= 3) words.insert(word);
    word.clear();
  }
  return words;
}

/// Bands that grow with the value: four to each doubling.
std::uint32_t logarithmic_band(std::uint64_t value) { return log2_sixteenths(value) / 4; }

void add_numbers(const Track& track, Named& out) {
  if (track.bpm_hundredths != 0) {
    const auto band = track.bpm_hundredths / (kTempoBandHundredths / 2);
    out.emplace_back("bpm:" + std::to_string(band / 2), kTempoWeight);
    out.emplace_back("bpm+:" + std::to_string((band + 1) / 2), kTempoWeight);
  }
  if (track.duration_ms != 0) {
    const auto band = logarithmic_band(track.duration_ms);
    out.emplace_back("length:" + std::to_string(band / 2), kLengthWeight);
    out.emplace_back("length+:" + std::to_string((band + 1) / 2), kLengthWeight);
  }
}

}  // namespace

std::uint32_t log2_sixteenths(std::uint64_t value) {
  const auto whole = static_cast<std::uint32_t>(std::bit_width(value)) - 1;
  // The mantissa in 1..2 as a 32-bit fraction; squaring it gives one binary digit of the logarithm after the other.
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

std::vector<std::pair<std::string, std::uint32_t>> features_of(const Track& track) {
  Named out;
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& id : track.tags[facet]) {
      out.emplace_back(std::string(kFacetNames[facet]) + ":" + id, kFacetWeights[facet]);
    }
  }
  if (track.category) {
    out.emplace_back("category:" + std::string(kCategories[*track.category].id), kCategoryWeight);
    out.emplace_back("group:" + std::string(kCategories[*track.category].group_code), kGroupWeight);
  }
  if (track.energy) out.emplace_back("energy:" + std::to_string(static_cast<int>(*track.energy)), kEnergyWeight);
  if (track.tone) out.emplace_back("tone:" + std::to_string(static_cast<int>(*track.tone)), kToneWeight);
  if (track.loop) out.emplace_back("loop", kLoopWeight);
  add_numbers(track, out);
  for (const auto& word : words_of(track.title, kTitleWordsMax)) out.emplace_back("t " + word, kTitleWordWeight);
  for (const auto& word : words_of(track.description, kDescriptionWordsMax)) {
    out.emplace_back("d " + word, kDescriptionWordWeight);
  }
  return out;
}

Features::Features(const std::vector<Track>& tracks, std::span<const std::uint32_t> members) {
  std::unordered_map<std::string, std::uint32_t> ids;
  std::vector<std::uint32_t> base_weights;
  std::vector<std::vector<std::uint32_t>> raw(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (auto& [name, weight] : features_of(tracks[members[i]])) {
      const auto [place, fresh] = ids.emplace(std::move(name), static_cast<std::uint32_t>(base_weights.size()));
      if (fresh) base_weights.push_back(weight);
      raw[i].push_back(place->second);
    }
  }
  index(std::move(raw), base_weights);
}

void Features::index(std::vector<std::vector<std::uint32_t>>&& raw, const std::vector<std::uint32_t>& base_weights) {
  features_.resize(base_weights.size());
  for (std::uint32_t track = 0; track < raw.size(); ++track) {
    for (const auto id : raw[track]) features_[id].tracks.push_back(track);
  }
  const auto all = log2_sixteenths(std::max<std::size_t>(raw.size(), 1));
  for (std::size_t id = 0; id < features_.size(); ++id) {
    auto& feature = features_[id];
    // What all have tells little, but in a small catalog it may be all there is.
    feature.weight = base_weights[id] * (all - log2_sixteenths(feature.tracks.size()) + 1);
    if (feature.tracks.size() < 2) feature.tracks.clear();  // what only one has makes nobody alike
  }
  by_track_ = std::move(raw);
  totals_.resize(by_track_.size());
  for (std::size_t track = 0; track < by_track_.size(); ++track) {
    auto& own = by_track_[track];
    std::erase_if(own, [&](std::uint32_t id) { return features_[id].tracks.empty(); });
    std::sort(own.begin(), own.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto count_a = features_[a].tracks.size();
      const auto count_b = features_[b].tracks.size();
      return count_a != count_b ? count_a < count_b : a < b;
    });
    for (const auto id : own) totals_[track] += features_[id].weight;
  }
}

}  // namespace tonearm::builder
