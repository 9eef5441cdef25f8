#include "composer.h"

#include <fluidsynth.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <stdexcept>

namespace tonearm::fingerprints {
namespace {

struct Note {
  double beat = 0;
  double beats = 0;
  int channel = 0;
  int key = 0;
  int velocity = 0;
};

struct Piece {
  double beats_per_minute = 0;
  std::array<int, 3> programs{};  // of chords, bass and melody; drums are on channel 9
  std::vector<Note> notes;
  double beats = 0;
};

constexpr int kDrums = 9;
constexpr int kBars = 40;
constexpr std::array<std::array<int, 4>, 8> kProgressions{
    {{0, 4, 5, 3}, {5, 3, 0, 4}, {0, 5, 3, 4}, {1, 4, 0, 5}, {0, 3, 1, 4}, {5, 4, 3, 4}, {0, 2, 3, 4}, {3, 0, 4, 5}}};
constexpr std::array<int, 7> kMajor{0, 2, 4, 5, 7, 9, 11};
constexpr std::array<int, 7> kMinor{0, 2, 3, 5, 7, 8, 10};
constexpr std::array<int, 8> kChordPrograms{0, 4, 16, 24, 27, 48, 50, 89};
constexpr std::array<int, 4> kBassPrograms{32, 33, 36, 38};
constexpr std::array<int, 8> kMelodyPrograms{11, 40, 56, 65, 71, 73, 80, 12};

class Composer {
 public:
  Composer(std::uint64_t seed, const Rendering& rendering) : random_(seed), rendering_(rendering) {}

  Piece compose() {
    piece_.beats_per_minute = pick(64, 168) * rendering_.tempo_percent / 100.0;
    root_ = 48 + pick(0, 11) + rendering_.semitones;
    is_minor_ = pick(0, 1) == 1;
    choose_players();
    pattern_ = pick(0, 3);
    busy_ = pick(1, 3);
    for (auto& part : voices_) part = kProgressions.at(static_cast<std::size_t>(pick(0, 7)));
    make_motifs();
    for (int bar = 0; bar < kBars; ++bar) write_bar(bar);
    piece_.beats = kBars * 4 + 2;
    return piece_;
  }

 private:
  int pick(int min, int max) { return min + static_cast<int>(random_() % static_cast<std::uint64_t>(max - min + 1)); }

  void choose_players() {
    const std::array<int, 3> picked{pick(0, 7), pick(0, 3), pick(0, 7)};
    const int other = rendering_.other_players ? 3 : 0;
    piece_.programs = {kChordPrograms.at(static_cast<std::size_t>((picked[0] + other) % 8)),
                       kBassPrograms.at(static_cast<std::size_t>((picked[1] + other) % 4)),
                       kMelodyPrograms.at(static_cast<std::size_t>((picked[2] + other) % 8))};
  }

  int scale(int degree) const {
    const auto& steps = is_minor_ ? kMinor : kMajor;
    return degree / 7 * 12 + steps.at(static_cast<std::size_t>(degree % 7));
  }

  void make_motifs() {
    for (auto& motif : motifs_) {
      int degree = pick(7, 13);
      for (int& note : motif) {
        degree = std::clamp(degree + pick(-2, 2), 4, 18);
        note = pick(0, 4) < busy_ + 1 ? degree : -1;
      }
    }
  }

  void add(double beat, double beats, int channel, int key, int velocity) {
    piece_.notes.push_back({beat, beats, channel, key, velocity + pick(-8, 8)});
  }

  void write_bar(int bar) {
    const double at = bar * 4;
    const int part = bar / 8 % 2;
    const int degree = voices_.at(static_cast<std::size_t>(part)).at(static_cast<std::size_t>(bar % 4));
    write_chord(at, degree);
    for (int beat = 0; beat < 4; beat += pattern_ == 0 ? 4 : 2) {
      add(at + beat, pattern_ == 0 ? 3.8 : 1.5, 1, root_ - 12 + scale(degree), 85);
    }
    if (bar >= 2) write_melody(at, bar);
    if (bar >= 4 && pattern_ != 0) write_drums(at);
  }

  void write_chord(double at, int degree) {
    for (int voice = 0; voice < 3; ++voice) {
      const int key = root_ + scale(degree + voice * 2);
      if (pattern_ <= 1) add(at, 3.8, 0, key, 65);
      if (pattern_ == 2) {
        for (int beat = 0; beat < 4; ++beat) add(at + beat + 0.5, 0.4, 0, key, 65);
      }
      if (pattern_ == 3) {
        for (int step = 0; step < 3; ++step) add(at + voice * 0.5 + step * 1.5, 0.5, 0, key, 65);
      }
    }
  }

  void write_melody(double at, int bar) {
    const auto& motif = motifs_.at(static_cast<std::size_t>(bar / 2 % 4));
    for (int step = 0; step < 8; ++step) {
      int degree = motif.at(static_cast<std::size_t>(step));
      if (degree < 0) continue;
      if (pick(0, 9) == 0) degree += 1;
      add(at + step * 0.5, 0.45, 2, root_ + scale(degree), 88);
    }
  }

  void write_drums(double at) {
    for (int half = 0; half < 8; ++half) add(at + half * 0.5, 0.2, kDrums, 42, 55);
    add(at, 0.2, kDrums, 36, 95);
    add(at + 2 + (busy_ == 3 ? 0.5 : 0), 0.2, kDrums, 36, 90);
    add(at + 1, 0.2, kDrums, 38, 90);
    add(at + 3, 0.2, kDrums, 38, 90);
  }

  std::mt19937_64 random_;
  Rendering rendering_;
  Piece piece_;
  int root_ = 60;
  bool is_minor_ = false;
  int pattern_ = 0;
  int busy_ = 1;
  std::array<std::array<int, 4>, 2> voices_{};
  std::array<std::array<int, 8>, 4> motifs_{};
};

struct Event {
  double beat = 0;
  Note note;
  bool is_start = false;
};

}  // namespace

std::vector<std::int16_t> render_piece(std::uint64_t seed, const Rendering& rendering, const std::string& soundfont) {
  const Piece piece = Composer(seed, rendering).compose();
  const std::unique_ptr<fluid_settings_t, decltype(&delete_fluid_settings)> settings(new_fluid_settings(),
                                                                                     delete_fluid_settings);
  fluid_settings_setnum(settings.get(), "synth.sample-rate", kRenderRate);
  const std::unique_ptr<fluid_synth_t, decltype(&delete_fluid_synth)> synth(new_fluid_synth(settings.get()),
                                                                            delete_fluid_synth);
  if (fluid_synth_sfload(synth.get(), soundfont.c_str(), 1) == FLUID_FAILED) {
    throw std::runtime_error("no soundfont at " + soundfont);
  }
  for (int channel = 0; channel < 3; ++channel) {
    fluid_synth_program_change(synth.get(), channel, piece.programs.at(static_cast<std::size_t>(channel)));
  }
  std::vector<Event> events;
  for (const Note& note : piece.notes) {
    events.push_back({note.beat, note, true});
    events.push_back({note.beat + note.beats, note, false});
  }
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.beat < b.beat; });
  const double samples_a_beat = kRenderRate * 60.0 / piece.beats_per_minute;
  std::vector<std::int16_t> samples;
  std::vector<std::int16_t> both;
  const auto render_to = [&](double beat) {
    const auto end = static_cast<std::size_t>(beat * samples_a_beat);
    if (end <= samples.size()) return;
    const std::size_t count = end - samples.size();
    both.resize(count * 2);
    fluid_synth_write_s16(synth.get(), static_cast<int>(count), both.data(), 0, 2, both.data(), 1, 2);
    for (std::size_t i = 0; i < count; ++i) {
      samples.push_back(static_cast<std::int16_t>((both[2 * i] + both[2 * i + 1]) / 2));
    }
  };
  for (const Event& event : events) {
    render_to(event.beat);
    if (event.is_start) {
      fluid_synth_noteon(synth.get(), event.note.channel, event.note.key, event.note.velocity);
    } else {
      fluid_synth_noteoff(synth.get(), event.note.channel, event.note.key);
    }
  }
  render_to(piece.beats);
  return samples;
}

}  // namespace tonearm::fingerprints
