#pragma once
// A composed piece as notes and as a Standard MIDI File. Times are ticks. There are no floating-point numbers here.

#include <cstdint>
#include <string>
#include <vector>

namespace tonearm::demo {

inline constexpr int kTicksPerBeat = 480;
inline constexpr int kDrumChannel = 9;
/// Written into the MIDI file. Raise it whenever the same score sounds different, so that pieces are rendered again.
inline constexpr int kMixVersion = 2;

struct Note {
  std::int64_t start = 0;
  std::int64_t length = 0;
  int key = 60;
  int velocity = 80;
};

/// One player. `level`, `pan`, `reverb` and `chorus` are MIDI controllers, 0 to 127.
struct Voice {
  int channel = 0;
  int program = 0;  // General MIDI, from 0; for the drum channel the kit
  int level = 100;
  int pan = 64;
  int reverb = 40;
  int chorus = 0;
  std::vector<Note> notes;
};

/// The acoustics of the room, in hundredths.
struct Room {
  int size = 60;
  int damp = 40;
  int width = 80;
  int level = 50;
};

struct Score {
  std::string title;
  std::string copyright;  // artist and license
  int bpm = 120;
  int beats_per_bar = 4;
  int bars = 0;  // without the final chord
  bool is_loop = false;
  Room room;
  std::vector<Voice> voices;

  std::int64_t ticks() const { return std::int64_t{bars} * beats_per_bar * kTicksPerBeat; }
};

/// A message to the synthesizer.
struct Event {
  std::int64_t tick = 0;
  int order = 0;  // among events of one tick: ends of notes first
  int channel = 0;
  int key = 0;
  int velocity = 0;  // 0: the note ends
};

/// Returns the events of all voices in time order. A note ends before the same key starts again.
std::vector<Event> events_of(const Score& score);

/// Returns a Standard MIDI File, format 1.
std::string midi_file(const Score& score);

}  // namespace tonearm::demo
