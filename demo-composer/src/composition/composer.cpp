#include "composition/composer.h"

#include <algorithm>
#include <array>

#include "composition/harmony.h"
#include "composition/players.h"
#include "composition/random.h"
#include "tonearm/result.h"

namespace tonearm::demo {
namespace {

constexpr int kCrash = 49;

/// Returns the loudness of a section in hundredths.
int loudness_of(char kind) {
  constexpr std::array<std::pair<char, int>, 6> kLoudness{
      {{'i', 82}, {'a', 91}, {'b', 102}, {'c', 96}, {'k', 78}, {'o', 86}}};
  for (const auto& [letter, hundredths] : kLoudness) {
    if (letter == kind) return hundredths;
  }
  return 100;
}

/// Returns the section kind whose chords a section uses: intros and breaks use those of the verse, outros those of the
/// chorus.
char harmony_of(char kind) { return kind == 'i' || kind == 'k' ? 'a' : kind == 'o' ? 'b' : kind; }

/// Delays the second of each two steps, and keeps the order of ticks.
std::int64_t apply_swing(std::int64_t tick, const Band& band) {
  const std::int64_t step = band.swing_unit == 16 ? kTicksPerBeat / 4 : kTicksPerBeat / 2;
  const auto within = tick % (2 * step);
  const auto base = tick - within;
  if (within < step) return base + within * (step + band.swing) / step;
  return base + step + band.swing + (within - step) * (step - band.swing) / step;
}

class Composer {
 public:
  Composer(const Piece& piece, const Style& style, const Band& band)
      : piece_(piece), style_(style), band_(band), scale_(pitch_of(piece.tonic), piece.mode) {
    score_.title = piece.title;
    score_.copyright = std::string(kArtist) + ", " + piece.license;
    score_.bpm = piece.bpm;
    score_.beats_per_bar = band.beats_per_bar;
    score_.is_loop = piece.is_loop;
    score_.room = band.room;
    for (const auto& player : band.players) score_.voices.push_back(player.voice);
    choose_progressions();
  }

  Score compose() {
    for (std::size_t i = 0; i < piece_.form.size(); ++i) add_section(i);
    if (!piece_.is_loop) add_final_chord();
    std::vector<Voice> sounding;
    for (auto& voice : score_.voices) {
      // A note that rings past the end of a loop would cut off notes at its start.
      for (auto& note : voice.notes) {
        if (piece_.is_loop) note.length = std::min(note.length, score_.ticks() - note.start);
      }
      if (!voice.notes.empty()) sounding.push_back(std::move(voice));
    }
    score_.voices = std::move(sounding);
    return std::move(score_);
  }

 private:
  void choose_progressions() {
    const auto found = style_.progressions.find(piece_.mode);
    if (found == style_.progressions.end() || found->second.size() < 3) {
      throw Failure(piece_.name + ": " + piece_.genre + " has fewer than three progressions in " + piece_.mode);
    }
    auto remaining = found->second;
    Random random(piece_.seed, "progressions");
    for (const char kind : {'a', 'b', 'c'}) {
      const auto at = random.below(static_cast<int>(remaining.size()));
      auto bars = parse_progression(remaining[static_cast<std::size_t>(at)]);
      transpose(bars, pitch_of(piece_.tonic) - Scale::written_tonic(piece_.mode));
      progressions_[kind] = std::move(bars);
      remaining.erase(remaining.begin() + at);
    }
  }

  std::int64_t bar_ticks() const { return std::int64_t{band_.beats_per_bar} * kTicksPerBeat; }

  const Chord& first_chord(std::size_t section) const {
    const auto kind = section < piece_.form.size() ? piece_.form[section].kind : 'a';
    return progressions_.at(harmony_of(kind)).front().front();
  }

  SectionPlan plan_of(std::size_t section) const {
    const auto& [kind, bars] = piece_.form[section];
    SectionPlan plan;
    plan.kind = kind;
    plan.bar_ticks = bar_ticks();
    const auto& progression = progressions_.at(harmony_of(kind));
    for (std::size_t bar = 0; bar < static_cast<std::size_t>(bars); ++bar) {
      plan.bars.push_back(progression[bar % progression.size()]);
    }
    plan.next = first_chord(section + 1);
    return plan;
  }

  void add_section(std::size_t section) {
    const auto plan = plan_of(section);
    for (std::size_t i = 0; i < band_.players.size(); ++i) {
      const auto& player = band_.players[i];
      if (player.sections.find(plan.kind) == std::string::npos) continue;
      humanize(notes_of(player, i, plan, section), section, i);
    }
    score_.bars += piece_.form[section].bars;
  }

  /// Returns the same notes for every section of a kind, so that listeners recognize a chorus. Fills and timing differ.
  std::vector<Note> notes_of(const Player& player, std::size_t index, const SectionPlan& plan, std::size_t section) {
    const auto kind = std::string(1, plan.kind);
    if (player.role == Role::drums) return drum_notes(player, plan, section);
    if (player.role == Role::melody) {
      Random random(piece_.seed, "melody " + std::string(1, harmony_of(plan.kind)));
      auto higher = player;
      if (plan.kind == 'b' && player.high - player.low > 14) higher.low += 3;
      return melody(higher, player.patterns.empty() ? style_.rhythms : player.patterns, scale_, plan, random);
    }
    Random random(piece_.seed, "player " + std::to_string(index) + kind);
    const auto pattern = player.patterns.empty() ? std::string() : random.pick(player.patterns);
    return accompany(player, pattern, plan, random);
  }

  std::vector<Note> drum_notes(const Player& player, const SectionPlan& plan, std::size_t section) {
    const bool is_light = plan.kind == 'i' || plan.kind == 'k';
    auto found = band_.grooves.find(is_light ? "light" : plan.kind == 'b' ? "full" : "main");
    if (found == band_.grooves.end()) found = band_.grooves.find("main");
    if (found == band_.grooves.end()) throw Failure("the band " + band_.name + " has no groove");
    Random choice(piece_.seed, is_light ? "light groove" : "groove");
    const auto& groove = choice.pick(found->second);
    Random random(piece_.seed, "fill " + std::to_string(section));
    const bool changes = section + 1 < piece_.form.size() ? piece_.form[section + 1].kind != plan.kind : true;
    auto notes = drums(player, groove, plan, band_.has_fills && changes, random);
    if (band_.has_fills && section > 0 && (plan.kind == 'b' || plan.kind == 'c')) {
      notes.push_back({0, 480, kCrash, std::min(player.velocity, 127)});
    }
    return notes;
  }

  /// Varies timing and velocity a little, as human players do.
  void humanize(std::vector<Note> notes, std::size_t section, std::size_t index) {
    Random random(piece_.seed, "hand " + std::to_string(section) + " " + std::to_string(index));
    const auto begin = std::int64_t{score_.bars} * bar_ticks();
    const bool is_drum = band_.players[index].role == Role::drums;
    auto& voice = score_.voices[index];
    for (auto& note : notes) {
      const auto start = apply_swing(note.start, band_);
      note.length = std::max<std::int64_t>(apply_swing(note.start + note.length, band_) - start, 20);
      note.start = std::max<std::int64_t>(begin + start + random.between(0, is_drum ? 4 : 8), 0);
      note.velocity = note.velocity * loudness_of(piece_.form[section].kind) / 100 + random.between(-5, 5);
      note.velocity = std::clamp(note.velocity, 8, 127);
      voice.notes.push_back(note);
    }
  }

  /// All players of the last section hold the tonic chord for a bar.
  void add_final_chord() {
    const auto start = score_.ticks();
    const bool is_minor = piece_.mode == "minor" || piece_.mode == "dorian";
    const Chord chord{pitch_of(piece_.tonic), is_minor ? std::vector<int>{0, 3, 7} : std::vector<int>{0, 4, 7}};
    SectionPlan plan;
    plan.bars = {Bar{chord}};
    plan.next = chord;
    plan.bar_ticks = bar_ticks();
    for (std::size_t i = 0; i < band_.players.size(); ++i) {
      auto player = band_.players[i];
      auto& notes = score_.voices[i].notes;
      if (player.sections.find(piece_.form.back().kind) == std::string::npos) continue;
      if (player.role == Role::drums) {
        notes.push_back({start, 480, 36, player.velocity * 8 / 10});
        if (band_.has_fills) notes.push_back({start, 480, kCrash, player.velocity * 7 / 10});
        continue;
      }
      Random random(piece_.seed, "end");
      player.velocity = player.velocity * 85 / 100;
      std::string pattern(1, player.role == Role::bass ? 'R' : 'x');
      pattern += '-';
      if (player.role == Role::melody || player.role == Role::arp) {
        const int last = notes.empty() ? player.low : notes.back().key;
        notes.push_back({start, plan.bar_ticks, nearest_tone(last, chord), player.velocity});
        continue;
      }
      for (auto note : accompany(player, pattern, plan, random)) {
        note.start += start;
        notes.push_back(note);
      }
    }
  }

  const Piece& piece_;
  const Style& style_;
  const Band& band_;
  Scale scale_;
  std::map<char, std::vector<Bar>> progressions_;
  Score score_;
};

}  // namespace

Score compose(const Piece& piece, const std::map<std::string, Style>& styles) {
  const auto style = styles.find(piece.genre);
  if (style == styles.end()) throw Failure(piece.name + ": there is no style " + piece.genre);
  const auto band = style->second.bands.find(piece.band);
  if (band == style->second.bands.end()) throw Failure(piece.name + ": " + piece.genre + " has no band " + piece.band);
  return Composer(piece, style->second, band->second).compose();
}

}  // namespace tonearm::demo
