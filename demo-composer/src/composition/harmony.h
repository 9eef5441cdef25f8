#pragma once
// Chords, scales and voice leading. Pure.

#include <string>
#include <string_view>
#include <vector>

namespace tonearm::demo {

/// "Dm9" is {2, {0, 3, 7, 10, 14}}: the root as semitones above C, the tones above the root.
struct Chord {
  int root = 0;
  std::vector<int> tones;

  bool contains(int key) const;
  /// Returns the chord tone nearest to the degree of a bass pattern: 3, 5 or 7.
  int tone(int degree) const;
};

/// Throws Failure for an unknown symbol.
Chord parse_chord(std::string_view symbol);

/// The chords of a bar, of equal length.
using Bar = std::vector<Chord>;

/// Parses "Dm9 G13 Cmaj9+A7 Dm7": one word per bar, with "+" between the chords of a bar.
std::vector<Bar> parse_progression(std::string_view text);
void transpose(std::vector<Bar>& bars, int semitones);

/// Returns the semitones above C of a note such as "A", "Bb" or "F#".
int pitch_of(std::string_view name);

/// The seven notes of a scale as a set of pitch classes, 0 to 11.
class Scale {
 public:
  /// Throws Failure for a mode other than major, minor, dorian and mixolydian.
  Scale(int tonic, std::string_view mode);

  /// Returns the nearest key that fits the chord: a chord tone, or a scale tone that no chord tone contradicts.
  int nearest_fitting(int key, const Chord& chord) const;
  /// Moves by `steps` fitting keys.
  int step(int key, int steps, const Chord& chord) const;
  /// Returns the tonic that progressions of the mode are written in, on white keys: 0 (C) for major, 9 (A) for minor.
  static int written_tonic(std::string_view mode);

 private:
  bool fits(int key, const Chord& chord) const;
  unsigned pitches_ = 0;
};

/// Returns the chord tone nearest to the key.
int nearest_tone(int key, const Chord& chord);

/// Returns `voices` notes of the chord between `low` and `high` that move as little as possible from `previous`. If
/// `previous` is empty, they are near the middle of the range.
std::vector<int> voice_chord(const Chord& chord, int voices, int low, int high, const std::vector<int>& previous);

}  // namespace tonearm::demo
