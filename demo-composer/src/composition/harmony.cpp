#include "composition/harmony.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "tonearm/result.h"

namespace tonearm::demo {
namespace {

int pitch_class(int key) { return ((key % 12) + 12) % 12; }

const std::vector<std::pair<std::string_view, std::vector<int>>>& qualities() {
  static const std::vector<std::pair<std::string_view, std::vector<int>>> kQualities{
      {"", {0, 4, 7}},
      {"m", {0, 3, 7}},
      {"5", {0, 7, 12}},
      {"dim", {0, 3, 6}},
      {"sus2", {0, 2, 7}},
      {"sus4", {0, 5, 7}},
      {"add9", {0, 4, 7, 14}},
      {"madd9", {0, 3, 7, 14}},
      {"6", {0, 4, 7, 9}},
      {"m6", {0, 3, 7, 9}},
      {"69", {0, 4, 7, 9, 14}},
      {"7", {0, 4, 7, 10}},
      {"m7", {0, 3, 7, 10}},
      {"maj7", {0, 4, 7, 11}},
      {"m7b5", {0, 3, 6, 10}},
      {"dim7", {0, 3, 6, 9}},
      {"7sus4", {0, 5, 7, 10}},
      {"9", {0, 4, 7, 10, 14}},
      {"m9", {0, 3, 7, 10, 14}},
      {"maj9", {0, 4, 7, 11, 14}},
      {"13", {0, 4, 10, 14, 21}},
      {"7b9", {0, 4, 7, 10, 13}},
      {"m11", {0, 3, 7, 10, 17}},
      {"9sus4", {0, 5, 7, 10, 14}},
  };
  return kQualities;
}

/// Reduces a chord to `voices` tones: drops the fifth first, then the root, which the bass plays.
std::vector<int> reduced_tones(const Chord& chord, int voices) {
  auto tones = chord.tones;
  const auto drop = [&](int tone) {
    if (static_cast<int>(tones.size()) > voices)
      tones.erase(std::remove(tones.begin(), tones.end(), tone), tones.end());
  };
  if (tones.size() > 3) drop(7);
  if (tones.size() > 3) drop(0);
  while (static_cast<int>(tones.size()) > voices) tones.pop_back();
  return tones;
}

int movement_cost(const std::vector<int>& keys, const std::vector<int>& previous, int middle) {
  int cost = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (previous.empty()) {
      cost += std::abs(keys[i] - middle);
      continue;
    }
    int nearest = 127;
    for (const int key : previous) nearest = std::min(nearest, std::abs(key - keys[i]));
    cost += nearest * nearest * 2 + std::abs(keys[i] - middle) / 4;
  }
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const int gap = keys[i] - keys[i - 1];
    if (gap < 2 || (gap < 3 && keys[i] < 55)) cost += 40;  // low seconds sound muddy
  }
  return cost;
}

}  // namespace

bool Chord::contains(int key) const {
  return std::any_of(tones.begin(), tones.end(),
                     [&](int tone) { return pitch_class(root + tone) == pitch_class(key); });
}

int Chord::tone(int degree) const {
  const int wanted = degree == 3 ? 4 : degree == 5 ? 7 : 10;
  int best = 0;
  for (const int tone : tones) {
    if (tone != 0 && (best == 0 || std::abs(tone - wanted) < std::abs(best - wanted))) best = tone;
  }
  return best;
}

int pitch_of(std::string_view name) {
  constexpr std::string_view kLetters = "C D EF G A B";
  const auto at = name.empty() || name[0] == ' ' ? std::string_view::npos : kLetters.find(name[0]);
  if (at == std::string_view::npos) throw Failure("\"" + std::string(name) + "\" is not a note");
  int pitch = static_cast<int>(at);
  for (const char sign : name.substr(1)) {
    if (sign != '#' && sign != 'b') throw Failure("\"" + std::string(name) + "\" is not a note");
    pitch += sign == '#' ? 1 : -1;
  }
  return pitch_class(pitch);
}

Chord parse_chord(std::string_view symbol) {
  std::size_t end = 1;
  while (end < symbol.size() && (symbol[end] == '#' || symbol[end] == 'b')) ++end;
  const auto quality = end < symbol.size() ? symbol.substr(end) : std::string_view{};
  for (const auto& [name, tones] : qualities()) {
    if (name == quality) return {pitch_of(symbol.substr(0, end)), tones};
  }
  throw Failure("\"" + std::string(symbol) + "\" is not a known chord");
}

std::vector<Bar> parse_progression(std::string_view text) {
  std::vector<Bar> bars(1);
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != ' ' && text[i] != '+') continue;
    bars.back().push_back(parse_chord(text.substr(begin, i - begin)));
    begin = i + 1;
    if (i < text.size() && text[i] == ' ') bars.emplace_back();
  }
  return bars;
}

void transpose(std::vector<Bar>& bars, int semitones) {
  for (auto& bar : bars) {
    for (auto& chord : bar) chord.root = pitch_class(chord.root + semitones);
  }
}

int Scale::written_tonic(std::string_view mode) {
  constexpr std::array<std::pair<std::string_view, int>, 4> kModes{
      {{"major", 0}, {"minor", 9}, {"dorian", 2}, {"mixolydian", 7}}};
  for (const auto& [name, tonic] : kModes) {
    if (name == mode) return tonic;
  }
  throw Failure("\"" + std::string(mode) + "\" is not a known mode");
}

Scale::Scale(int tonic, std::string_view mode) {
  const int shift = tonic - written_tonic(mode);
  for (const int white : {0, 2, 4, 5, 7, 9, 11}) pitches_ |= 1U << static_cast<unsigned>(pitch_class(white + shift));
}

bool Scale::fits(int key, const Chord& chord) const {
  if (chord.contains(key)) return true;
  if ((pitches_ >> static_cast<unsigned>(pitch_class(key)) & 1U) == 0) return false;
  // A chord tone outside the scale replaces its neighbor in the scale.
  for (const int beside : {key - 1, key + 1}) {
    if (chord.contains(beside) && (pitches_ >> static_cast<unsigned>(pitch_class(beside)) & 1U) == 0) return false;
  }
  return true;
}

int Scale::nearest_fitting(int key, const Chord& chord) const {
  for (int distance = 0;; ++distance) {
    if (fits(key - distance, chord)) return key - distance;
    if (fits(key + distance, chord)) return key + distance;
  }
}

int Scale::step(int key, int steps, const Chord& chord) const {
  key = nearest_fitting(key, chord);
  const int direction = steps < 0 ? -1 : 1;
  for (int remaining = std::abs(steps); remaining > 0; --remaining) {
    do key += direction;
    while (!fits(key, chord));
  }
  return key;
}

int nearest_tone(int key, const Chord& chord) {
  for (int distance = 0;; ++distance) {
    if (chord.contains(key - distance)) return key - distance;
    if (chord.contains(key + distance)) return key + distance;
  }
}

std::vector<int> voice_chord(const Chord& chord, int voices, int low, int high, const std::vector<int>& previous) {
  const auto tones = reduced_tones(chord, voices);
  std::vector<int> pitches;
  pitches.reserve(tones.size());
  for (const int tone : tones) pitches.push_back(pitch_class(chord.root + tone));
  std::sort(pitches.begin(), pitches.end());
  pitches.erase(std::unique(pitches.begin(), pitches.end()), pitches.end());

  const int middle = (low + high) / 2;
  std::vector<int> best;
  int best_cost = 0;
  for (int bottom = low; bottom <= high; ++bottom) {
    const auto at = std::find(pitches.begin(), pitches.end(), pitch_class(bottom));
    if (at == pitches.end()) continue;
    std::vector<int> keys{bottom};
    auto index = static_cast<std::size_t>(at - pitches.begin());
    while (static_cast<int>(keys.size()) < voices) {
      index = (index + 1) % pitches.size();
      keys.push_back(keys.back() + 1 + pitch_class(pitches[index] - keys.back() - 1));
    }
    const int over = std::max(keys.back() - high, 0);
    const int cost = movement_cost(keys, previous, middle) + over * over * 10;
    if (best.empty() || cost < best_cost) {
      best = std::move(keys);
      best_cost = cost;
    }
  }
  return best;
}

}  // namespace tonearm::demo
