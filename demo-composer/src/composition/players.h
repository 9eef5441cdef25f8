#pragma once
// Turns the chords of a section into the notes of each player. Pure. Times are ticks from the start of the section.

#include <string>
#include <vector>

#include "composition/harmony.h"
#include "composition/random.h"
#include "composition/score.h"
#include "composition/style.h"

namespace tonearm::demo {

/// The plan that all players of a section share.
struct SectionPlan {
  char kind = 'a';
  std::vector<Bar> bars;  // one entry per bar
  Chord next;             // the chord after the section
  std::int64_t bar_ticks = 1920;

  /// Returns the chord at a tick.
  const Chord& chord_at(std::int64_t tick) const;
  /// Returns the first tick after `tick` at which the next chord begins.
  std::int64_t chord_end(std::int64_t tick) const;
  std::int64_t ticks() const { return static_cast<std::int64_t>(bars.size()) * bar_ticks; }
};

/// A sounding step of a pattern.
struct Step {
  std::int64_t start = 0;
  std::int64_t length = 0;
  char sign = 'x';
};

/// Repeats the pattern over the section. Throws Failure if the bars of the pattern have unequal steps.
std::vector<Step> steps_of(const std::string& pattern, const SectionPlan& plan);

/// Returns the notes of a player other than melody and drums.
std::vector<Note> accompany(const Player& player, const std::string& pattern, const SectionPlan& plan, Random& random);

/// Writes a melody from motifs of two bars. `rhythms` are their patterns.
std::vector<Note> melody(const Player& player, const std::vector<std::string>& rhythms, const Scale& scale,
                         const SectionPlan& plan, Random& random);

/// Plays a groove, with an optional fill in the last bar.
std::vector<Note> drums(const Player& player, const Groove& groove, const SectionPlan& plan, bool with_fill,
                        Random& random);

}  // namespace tonearm::demo
