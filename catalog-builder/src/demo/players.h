#pragma once
// What each player of a band does with the chords of a section. Pure; times are ticks from the section's start.

#include <string>
#include <vector>

#include "demo/dice.h"
#include "demo/harmony.h"
#include "demo/score.h"
#include "demo/style.h"

namespace tonearm::builder::demo {

/// What all players of a section see.
struct SectionPlan {
  char kind = 'a';
  std::vector<Bar> bars;  // one entry a bar
  Chord next;             // the chord after the section
  std::int64_t bar_ticks = 1920;

  /// The chord that sounds at a tick.
  const Chord& chord_at(std::int64_t tick) const;
  /// The first tick after `tick` at which another chord of the plan begins.
  std::int64_t chord_end(std::int64_t tick) const;
  std::int64_t ticks() const { return static_cast<std::int64_t>(bars.size()) * bar_ticks; }
};

/// One step of a pattern that sounds.
struct Step {
  std::int64_t start = 0;
  std::int64_t length = 0;
  char sign = 'x';
};

/// The pattern, repeated over the section. Throws Failure for a pattern whose bars have no equal steps.
std::vector<Step> steps_of(const std::string& pattern, const SectionPlan& plan);

/// The notes of a player other than melody and drums.
std::vector<Note> accompany(const Player& player, const std::string& pattern, const SectionPlan& plan, Dice& dice);

/// A melody from motifs of two bars; `rhythms` are their patterns.
std::vector<Note> melody(const Player& player, const std::vector<std::string>& rhythms, const Scale& scale,
                         const SectionPlan& plan, Dice& dice);

/// A groove, with a fill in its last bar.
std::vector<Note> drums(const Player& player, const Groove& groove, const SectionPlan& plan, bool with_fill,
                        Dice& dice);

}  // namespace tonearm::builder::demo
