#include <algorithm>
#include <array>
#include <cstdlib>

#include "composition/players.h"

namespace tonearm::demo {
namespace {

/// A theme of two bars: a rhythm, and the move of each note from the previous one in scale steps.
struct Motif {
  std::string rhythm;
  std::vector<int> moves;
};

Motif make_motif(const std::string& rhythm, Random& random) {
  static constexpr std::array<int, 12> kMoves{1, 1, 1, -1, -1, -1, 2, -2, 0, 1, -1, 3};
  Motif motif{rhythm, {}};
  int sum = 0;
  for (const char sign : rhythm) {
    if (sign != 'x') continue;
    int move = random.pick(kMoves);
    const int last = motif.moves.empty() ? 0 : motif.moves.back();
    if (std::abs(last) > 2) move = last > 0 ? -1 : 1;  // a step back follows a leap
    if (std::abs(sum + move) > 5) move = -move;
    sum += move;
    motif.moves.push_back(move);
  }
  return motif;
}

/// Returns the same rhythm with a different ending.
Motif answer_to(const Motif& motif, Random& random) {
  auto answer = motif;
  const auto count = answer.moves.size();
  for (std::size_t i = count > 3 ? count - 3 : 0; i < count; ++i) answer.moves[i] = random.between(-2, 1);
  return answer;
}

/// Transposes a key by octaves into the range of the player.
int transpose_into_range(int key, const Player& player) {
  while (key > player.high) key -= 12;
  while (key < player.low) key += 12;
  return key;
}

class MelodyWriter {
 public:
  MelodyWriter(const Player& player, const Scale& scale, const SectionPlan& plan)
      : player_(player), scale_(scale), plan_(plan), key_((player.low + player.high) / 2) {}

  void add_phrase(const Motif& motif, std::int64_t start, bool is_end) {
    SectionPlan phrase = plan_;
    phrase.bars.resize(std::min<std::size_t>(2, plan_.bars.size()));
    const auto steps = steps_of(motif.rhythm, phrase);
    // Motifs start near the middle of the range, so that phrases do not drift.
    key_ = (key_ + (player_.low + player_.high) / 2) / 2;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto tick = start + steps[i].start;
      if (tick >= plan_.ticks()) break;
      const bool is_last = is_end && i + 1 == steps.size();
      add_note(tick, steps[i].length, motif.moves[i], is_last);
    }
  }

  std::vector<Note> notes;

 private:
  void add_note(std::int64_t tick, std::int64_t length, int move, bool is_last) {
    const auto& chord = plan_.chord_at(tick);
    int key = scale_.step(key_, move, chord);
    const bool is_strong = tick % (2 * kTicksPerBeat) == 0 || length >= kTicksPerBeat;
    if (is_strong || is_last) key = nearest_tone(key, chord);
    key_ = transpose_into_range(key, player_);
    const auto next_bar = (tick / plan_.bar_ticks + 1) * plan_.bar_ticks;
    if (is_last) length = std::max(length, next_bar - tick - kTicksPerBeat / 2);
    const int accent = tick % plan_.bar_ticks == 0 ? 8 : tick % kTicksPerBeat == 0 ? 3 : -4;
    notes.push_back({tick, length, key_, std::clamp(player_.velocity + accent, 1, 127)});
  }

  const Player& player_;
  const Scale& scale_;
  const SectionPlan& plan_;
  int key_;
};

}  // namespace

std::vector<Note> melody(const Player& player, const std::vector<std::string>& rhythms, const Scale& scale,
                         const SectionPlan& plan, Random& random) {
  const auto first = make_motif(random.pick(rhythms), random);
  const auto answer = answer_to(first, random);
  const auto contrast = make_motif(random.pick(rhythms), random);
  const std::array<const Motif*, 4> order{&first, &answer, random.chance(60) ? &first : &contrast, &answer};
  MelodyWriter writer(player, scale, plan);
  const auto phrases = (plan.bars.size() + 1) / 2;
  for (std::size_t i = 0; i < phrases; ++i) {
    // The third phrase of each eight bars contrasts.
    const auto& motif = i % 4 == 2 && phrases >= 4 ? contrast : *order[i % order.size()];
    writer.add_phrase(motif, static_cast<std::int64_t>(i) * 2 * plan.bar_ticks, i % 2 == 1 || i + 1 == phrases);
  }
  return std::move(writer.notes);
}

}  // namespace tonearm::demo
