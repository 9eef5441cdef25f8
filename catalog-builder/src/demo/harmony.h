#pragma once
// Chords, scales, and how the notes of one chord move to the next. Pure.

#include <string>
#include <string_view>
#include <vector>

namespace tonearm::builder::demo {

/// "Dm9" is {2, {0, 3, 7, 10, 14}}: the root as semitones above C, the tones above the root.
struct Chord {
  int root = 0;
  std::vector<int> tones;

  bool has(int key) const;
  /// The tone that the letters of bass patterns mean: 3, 5 or 7; the nearest that the chord has.
  int tone(int degree) const;
};

/// Throws Failure for a symbol that is not known.
Chord parse_chord(std::string_view symbol);

/// A bar's chords, each for an equal share of the bar.
using Bar = std::vector<Chord>;

/// "Dm9 G13 Cmaj9+A7 Dm7": a word a bar, "+" between the chords of one.
std::vector<Bar> parse_progression(std::string_view text);
void transpose(std::vector<Bar>& bars, int semitones);

/// Semitones above C of "A", "Bb", "F#".
int pitch_of(std::string_view name);

/// The seven notes of a scale as a set of pitches 0 to 11, on a tonic.
class Scale {
 public:
  /// Throws Failure for a mode other than major, minor, dorian, mixolydian.
  Scale(int tonic, std::string_view mode);

  /// The nearest key that fits the chord: a tone of it, or one of the scale that no tone of the chord contradicts.
  int fit(int key, const Chord& chord) const;
  /// `steps` fitting keys further.
  int step(int key, int steps, const Chord& chord) const;
  /// The pitch of C major's relative that progressions of the mode are written in: 0 for major, 9 for minor ...
  static int written_tonic(std::string_view mode);

 private:
  bool fits(int key, const Chord& chord) const;
  unsigned pitches_ = 0;
};

/// The nearest key of the chord.
int nearest_tone(int key, const Chord& chord);

/// `voices` notes of the chord between `low` and `high`, which move as little as they can from `before` (empty: from
/// the middle of the range).
std::vector<int> voice_chord(const Chord& chord, int voices, int low, int high, const std::vector<int>& before);

}  // namespace tonearm::builder::demo
