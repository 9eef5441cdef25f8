#include <fluidsynth.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "sound/sound.h"
#include "tonearm/result.h"

namespace tonearm::demo {
namespace {

constexpr int kTailSeconds = 6;
constexpr int kSeamFrames = kSampleRate / 20;
constexpr float kInaudible = 0.0006F;  // about -64 dBFS

std::int64_t sample_of(std::int64_t tick, const Score& score) {
  return tick * 60 * kSampleRate / (std::int64_t{score.bpm} * kTicksPerBeat);
}

void silence_messages() {
  for (const auto level : {FLUID_PANIC, FLUID_ERR, FLUID_WARN, FLUID_INFO, FLUID_DBG}) {
    fluid_set_log_function(level, nullptr, nullptr);
  }
}

/// Checks the first bytes, because FluidSynth 2.3.1 crashes if it cannot open a file.
bool is_soundfont(const std::string& path) {
  std::string head(12, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return file && head.starts_with("RIFF") && head.ends_with("sfbk");
}

/// Crossfades the samples after the end into the start and removes them. Chorus and reverb are modulated over time, so
/// no repetition starts exactly like the previous one.
void crossfade_loop(Samples& samples) {
  const auto end = samples.size() - std::size_t{kSeamFrames} * 2;
  for (std::size_t i = 0; i < std::size_t{kSeamFrames} * 2; ++i) {
    const std::size_t frame = i / 2;
    const float part = static_cast<float>(frame) / static_cast<float>(kSeamFrames);
    samples[i] = samples[i] * part + samples[end + i] * (1 - part);
  }
  samples.resize(end);
}

void trim_silent_end(Samples& samples) {
  auto end = samples.size();
  while (end > 2 && std::abs(samples[end - 1]) < kInaudible && std::abs(samples[end - 2]) < kInaudible) end -= 2;
  samples.resize(end);
}

}  // namespace

/// FluidSynth with a soundfont. Engines share the samples of a soundfont in memory.
struct Synthesizer::Engine {
  explicit Engine(const std::string& soundfont);

  void prepare(const Score& score) const;
  /// Plays the events that start before the frame `end`.
  void play(const std::vector<Event>& events, const Score& score, std::int64_t from, std::int64_t end,
            Samples& samples) const;
  void render_until(std::int64_t frame, Samples& samples) const;

  std::unique_ptr<fluid_settings_t, decltype(&delete_fluid_settings)> settings{new_fluid_settings(),
                                                                               delete_fluid_settings};
  std::unique_ptr<fluid_synth_t, decltype(&delete_fluid_synth)> synth{nullptr, delete_fluid_synth};
};

Synthesizer::Engine::Engine(const std::string& soundfont) {
  fluid_settings_setnum(settings.get(), "synth.sample-rate", kSampleRate);
  fluid_settings_setnum(settings.get(), "synth.gain", 0.35);
  fluid_settings_setint(settings.get(), "synth.polyphony", 256);
  fluid_settings_setint(settings.get(), "synth.threadsafe-api", 0);
  synth.reset(new_fluid_synth(settings.get()));
  if (synth == nullptr) throw Failure("FluidSynth does not start");
  if (fluid_synth_sfload(synth.get(), soundfont.c_str(), 1) == FLUID_FAILED) {
    throw Failure(soundfont + ": is not a usable soundfont");
  }
}

Synthesizer::Synthesizer(const std::string& soundfont) : soundfont_(soundfont) {
  silence_messages();
  if (!is_soundfont(soundfont)) throw Failure(soundfont + ": is not a soundfont");
  font_cache_ = std::make_unique<Engine>(soundfont);
}

Synthesizer::~Synthesizer() = default;

void Synthesizer::Engine::prepare(const Score& score) const {
  auto* s = synth.get();
  const auto part = [](int hundredths) { return hundredths / 100.0; };
  fluid_synth_set_reverb_group_roomsize(s, -1, part(score.room.size));
  fluid_synth_set_reverb_group_damp(s, -1, part(score.room.damp));
  fluid_synth_set_reverb_group_width(s, -1, part(score.room.width));
  fluid_synth_set_reverb_group_level(s, -1, part(score.room.level));
  for (const auto& voice : score.voices) {
    fluid_synth_program_change(s, voice.channel, voice.program);
    fluid_synth_cc(s, voice.channel, 7, voice.level);
    fluid_synth_cc(s, voice.channel, 10, voice.pan);
    fluid_synth_cc(s, voice.channel, 91, voice.reverb);
    fluid_synth_cc(s, voice.channel, 93, voice.chorus);
  }
}

void Synthesizer::Engine::render_until(std::int64_t frame, Samples& samples) const {
  const auto rendered = static_cast<std::int64_t>(samples.size() / 2);
  if (frame <= rendered) return;
  samples.resize(static_cast<std::size_t>(frame) * 2);
  auto* begin = samples.data() + rendered * 2;
  fluid_synth_write_float(synth.get(), static_cast<int>(frame - rendered), begin, 0, 2, begin, 1, 2);
}

void Synthesizer::Engine::play(const std::vector<Event>& events, const Score& score, std::int64_t from,
                               std::int64_t end, Samples& samples) const {
  for (const auto& event : events) {
    const auto frame = from + sample_of(event.tick, score);
    if (frame >= end) break;
    render_until(frame, samples);
    if (event.velocity > 0) {
      fluid_synth_noteon(synth.get(), event.channel, event.key, event.velocity);
    } else {
      fluid_synth_noteoff(synth.get(), event.channel, event.key);
    }
  }
}

Samples Synthesizer::render(const Score& score) {
  // Each piece needs a new engine: a reset does not restart the modulation of the effects, so the same score would
  // sound different.
  const Engine engine(soundfont_);
  engine.prepare(score);
  const auto events = events_of(score);
  const auto frames = sample_of(score.ticks(), score);
  Samples samples;
  constexpr auto kNoEnd = std::numeric_limits<std::int64_t>::max();
  engine.play(events, score, 0, kNoEnd, samples);
  if (score.is_loop) {
    // Keeps the second round, which starts in the reverberation of the first one.
    engine.render_until(frames, samples);
    engine.play(events, score, frames, kNoEnd, samples);
    engine.render_until(2 * frames, samples);
    engine.play(events, score, 2 * frames, 2 * frames + kSeamFrames, samples);
    engine.render_until(2 * frames + kSeamFrames, samples);
    samples.erase(samples.begin(), samples.begin() + frames * 2);
    crossfade_loop(samples);
  } else {
    const auto bar = std::int64_t{score.beats_per_bar} * kTicksPerBeat;
    engine.render_until(sample_of(score.ticks() + bar, score) + kTailSeconds * std::int64_t{kSampleRate}, samples);
    trim_silent_end(samples);
  }
  return samples;
}

}  // namespace tonearm::demo
