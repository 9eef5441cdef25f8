#pragma once
// Synthetic sounds with known measurements.

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace tonearm::test {

inline constexpr std::uint32_t kRate = 44'100;
using Sound = std::vector<float>;

inline Sound silence(double seconds) { return Sound(static_cast<std::size_t>(std::lround(seconds * kRate)), 0.F); }

inline void add_tone(Sound& sound, double hz, double amplitude) {
  for (std::size_t i = 0; i < sound.size(); ++i) {
    const auto turn = 2 * std::numbers::pi * hz * static_cast<double>(i) / kRate;
    sound[i] += static_cast<float>(amplitude * std::sin(turn));
  }
}

inline Sound tone(double seconds, double hz, double amplitude = 0.5) {
  auto sound = silence(seconds);
  add_tone(sound, hz, amplitude);
  return sound;
}

/// Returns a chord whose notes have two overtones each.
inline Sound chord(double seconds, const std::vector<double>& notes_hz) {
  auto sound = silence(seconds);
  for (const auto hz : notes_hz) {
    for (int overtone = 1; overtone <= 3; ++overtone) add_tone(sound, hz * overtone, 0.1 / overtone);
  }
  return sound;
}

inline Sound noise(double seconds, std::uint32_t seed, double amplitude = 0.3) {
  auto sound = silence(seconds);
  std::mt19937 random(seed);
  for (auto& sample : sound) {
    sample = static_cast<float>(amplitude * (static_cast<double>(random()) / 2'147'483'648.0 - 1));
  }
  return sound;
}

/// Returns a short decaying stroke of noise on each beat.
inline Sound clicks(double seconds, double bpm) {
  auto sound = silence(seconds);
  const auto stroke = noise(0.05, 7, 0.8);
  for (double beat = 0; beat * 60 / bpm < seconds; ++beat) {
    const auto begin = static_cast<std::size_t>(std::lround(beat * 60 / bpm * kRate));
    for (std::size_t i = 0; i < stroke.size() && begin + i < sound.size(); ++i) {
      sound[begin + i] += stroke[i] * static_cast<float>(std::exp(-static_cast<double>(i) / 400));
    }
  }
  return sound;
}

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
  return text;
}

/// Returns a RIFF file with encoded samples. `format`: 1 for integers, 3 for floats.
inline std::string wav_of(const std::string& data, int format, std::uint32_t rate, unsigned channels, unsigned bits) {
  const auto frame = channels * bits / 8;
  return "RIFF" + little_endian(36 + data.size(), 4) + "WAVEfmt " + little_endian(16, 4) +
         little_endian(static_cast<std::uint64_t>(format), 2) + little_endian(channels, 2) + little_endian(rate, 4) +
         little_endian(std::uint64_t{rate} * frame, 4) + little_endian(frame, 2) + little_endian(bits, 2) + "data" +
         little_endian(data.size(), 4) + data;
}

/// Returns a WAV file of 16 bits with equal channels. Clips samples beyond full scale.
inline std::string wav(const Sound& sound, unsigned channels = 1, std::uint32_t rate = kRate) {
  std::string data;
  data.reserve(sound.size() * 2 * channels);
  for (const auto sample : sound) {
    const auto value = std::lround(std::fmax(std::fmin(sample * 32'767, 32'767), -32'768));
    for (unsigned c = 0; c < channels; ++c) data += little_endian(static_cast<std::uint16_t>(value), 2);
  }
  return wav_of(data, 1, rate, channels, 16);
}

}  // namespace tonearm::test
