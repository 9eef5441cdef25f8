#include "composition/players.h"

#include <algorithm>
#include <array>

#include "tonearm/result.h"

namespace tonearm::demo {
namespace {

constexpr int kStrumTicks = 14;  // from string to string

int velocity_of(const Player& player, char sign) {
  const int change = sign == 'X' ? 14 : sign == 'o' ? -18 : sign == 'u' ? -8 : 0;
  return std::clamp(player.velocity + change, 1, 127);
}

std::vector<Note> pad(const Player& player, const SectionPlan& plan) {
  std::vector<Note> notes;
  std::vector<int> keys;
  for (std::int64_t tick = 0; tick < plan.ticks();) {
    const auto end = plan.chord_end(tick);
    keys = voice_chord(plan.chord_at(tick), player.voices, player.low, player.high, keys);
    for (const int key : keys) notes.push_back({tick, end - tick, key, player.velocity});
    tick = end;
  }
  return notes;
}

/// Plays a smooth line of thirds and sevenths.
std::vector<Note> guide(const Player& player, const SectionPlan& plan) {
  std::vector<Note> notes;
  int last = (player.low + player.high) / 2;
  for (std::int64_t tick = 0; tick < plan.ticks();) {
    const auto& chord = plan.chord_at(tick);
    const auto end = plan.chord_end(tick);
    int best = 0;
    for (int key = player.low; key <= player.high; ++key) {
      const bool is_guide =
          (key - chord.root - chord.tone(3)) % 12 == 0 || (key - chord.root - chord.tone(7)) % 12 == 0;
      if (is_guide && (best == 0 || std::abs(key - last) < std::abs(best - last))) best = key;
    }
    notes.push_back({tick, end - tick, best, player.velocity});
    last = best;
    tick = end;
  }
  return notes;
}

std::vector<Note> chords(const Player& player, const std::string& pattern, const SectionPlan& plan) {
  std::vector<Note> notes;
  std::vector<int> keys;
  const Chord* last = nullptr;
  for (const auto& step : steps_of(pattern, plan)) {
    const auto& chord = plan.chord_at(step.start);
    if (&chord != last) keys = voice_chord(chord, player.voices, player.low, player.high, keys);
    last = &chord;
    auto sounding = keys;
    if (step.sign == 'u' && sounding.size() > 3) sounding.erase(sounding.begin(), sounding.end() - 3);
    if (player.role == Role::strum && step.sign == 'u') std::reverse(sounding.begin(), sounding.end());
    std::int64_t late = 0;
    for (const int key : sounding) {
      notes.push_back(
          {step.start + late, std::max<std::int64_t>(step.length - late, 60), key, velocity_of(player, step.sign)});
      if (player.role == Role::strum) late += kStrumTicks;
    }
  }
  return notes;
}

std::vector<Note> arpeggio(const Player& player, const std::string& pattern, const SectionPlan& plan) {
  std::vector<Note> notes;
  std::vector<int> keys;
  const Chord* last = nullptr;
  for (const auto& step : steps_of(pattern, plan)) {
    const auto& chord = plan.chord_at(step.start);
    if (&chord != last) keys = voice_chord(chord, player.voices, player.low, player.high, keys);
    last = &chord;
    const auto index = static_cast<std::size_t>(step.sign - '1');
    const int octaves = static_cast<int>(index / keys.size());
    const int accent = step.start % (plan.bar_ticks / 2) == 0 ? 8 : 0;
    notes.push_back(
        {step.start, step.length, keys[index % keys.size()] + 12 * octaves, std::min(player.velocity + accent, 127)});
  }
  return notes;
}

/// Returns the root within an octave above the lowest key of the player.
int low_root(const Player& player, const Chord& chord) {
  int key = player.low - player.low % 12 + chord.root;
  while (key < player.low) key += 12;
  return key;
}

int bass_key(const Player& player, const Step& step, const SectionPlan& plan, int last, Random& random) {
  const auto& chord = plan.chord_at(step.start);
  const int root = low_root(player, chord);
  switch (step.sign) {
    case 'R':
      return root;
    case '8':
      return root + 12 > player.high ? root : root + 12;
    case '3':
    case '5':
    case '7': {
      const int key = root + chord.tone(step.sign - '0');
      return key > player.high ? key - 12 : key;
    }
    case 'a': {  // approaches the next root from above or below
      const auto end = step.start + step.length;
      const auto& next = end < plan.ticks() ? plan.chord_at(end) : plan.next;
      const int goal = low_root(player, next);
      return goal > last ? goal - 1 : goal + (random.chance(50) ? 1 : 2);
    }
    default: {  // a walk over chord tones
      const int direction = last > (player.low + player.high) / 2 ? -1 : 1;
      int key = nearest_tone(last + direction * random.between(2, 4), chord);
      if (key == last) key = nearest_tone(last - direction * 3, chord);
      return std::clamp(key, player.low, player.high);
    }
  }
}

std::vector<Note> bass(const Player& player, const std::string& pattern, const SectionPlan& plan, Random& random) {
  std::vector<Note> notes;
  int last = player.low + 5;
  for (const auto& step : steps_of(pattern, plan)) {
    last = bass_key(player, step, plan, last, random);
    const int accent = step.start % plan.bar_ticks == 0 ? 6 : 0;
    notes.push_back({step.start, step.length, last, std::min(player.velocity + accent, 127)});
  }
  return notes;
}

}  // namespace

const Chord& SectionPlan::chord_at(std::int64_t tick) const {
  const auto& bar = bars[static_cast<std::size_t>(std::min(tick, ticks() - 1) / bar_ticks)];
  const auto share = bar_ticks / static_cast<std::int64_t>(bar.size());
  return bar[std::min(static_cast<std::size_t>(tick % bar_ticks / share), bar.size() - 1)];
}

std::int64_t SectionPlan::chord_end(std::int64_t tick) const {
  const auto& bar = bars[static_cast<std::size_t>(tick / bar_ticks)];
  const auto share = bar_ticks / static_cast<std::int64_t>(bar.size());
  return tick + share - tick % bar_ticks % share;
}

std::vector<Step> steps_of(const std::string& pattern, const SectionPlan& plan) {
  const auto bars = std::count(pattern.begin(), pattern.end(), '|') + 1;
  const auto count = static_cast<std::int64_t>(pattern.size()) - bars + 1;
  const auto whole = plan.bar_ticks * bars;
  if (count <= 0 || whole % count != 0) throw Failure("the pattern \"" + pattern + "\" has unequal steps");
  const auto length = whole / count;
  std::vector<Step> steps;
  bool is_sounding = false;
  for (std::int64_t tick = 0; tick < plan.ticks();) {
    for (const char sign : pattern) {
      if (sign == '|') continue;
      if (tick >= plan.ticks()) break;
      if (sign == '-' && is_sounding) steps.back().length += length;
      is_sounding = sign == '-' ? is_sounding : sign != '.';
      if (sign != '-' && sign != '.') steps.push_back({tick, length, sign});
      tick += length;
    }
  }
  return steps;
}

std::vector<Note> accompany(const Player& player, const std::string& pattern, const SectionPlan& plan, Random& random) {
  switch (player.role) {
    case Role::comp:
    case Role::strum:
      return chords(player, pattern, plan);
    case Role::arp:
      return arpeggio(player, pattern, plan);
    case Role::bass:
      return bass(player, pattern, plan, random);
    case Role::guide:
      return guide(player, plan);
    default:
      return pad(player, plan);
  }
}

std::vector<Note> drums(const Player& player, const Groove& groove, const SectionPlan& plan, bool with_fill,
                        Random& random) {
  // A drum key for each sixteenth of the last half bar; 0 is a rest.
  static constexpr std::array<std::array<int, 8>, 5> kFills{{{38, 0, 38, 38, 48, 48, 45, 41},
                                                             {38, 38, 0, 38, 0, 48, 45, 45},
                                                             {0, 38, 0, 38, 38, 0, 45, 41},
                                                             {48, 48, 45, 45, 41, 41, 38, 38},
                                                             {38, 0, 0, 38, 0, 0, 38, 38}}};
  const auto fill_start = with_fill ? plan.ticks() - 2 * kTicksPerBeat : plan.ticks();
  std::vector<Note> notes;
  for (const auto& [key, pattern] : groove) {
    for (const auto& step : steps_of(pattern, plan)) {
      if (step.start >= fill_start && key != 36) continue;
      const int velocity = player.velocity * (step.sign - '0' + 3) / 12;
      notes.push_back({step.start, 110, key, std::clamp(velocity, 1, 127)});
    }
  }
  if (!with_fill) return notes;
  const auto& fill = random.pick(kFills);
  for (std::size_t i = 0; i < fill.size(); ++i) {
    if (fill[i] == 0) continue;
    const int velocity = player.velocity * (70 + static_cast<int>(i) * 4) / 100;
    notes.push_back({fill_start + static_cast<std::int64_t>(i) * 120, 110, fill[i], std::min(velocity, 127)});
  }
  return notes;
}

}  // namespace tonearm::demo
