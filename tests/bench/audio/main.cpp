// Measures audio files and prints one line of JSON for each, for judge.mjs.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "json/writer.h"
#include "measuring/character.h"
#include "measuring/measurer.h"

using namespace tonearm;
using namespace tonearm::audio;

namespace {

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto type = entry.path().extension();
    if (entry.is_regular_file() && type != ".md" && type != ".csv" && type != ".json" && type != ".toml") {
      paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

template <class Value, std::size_t N>
void write_name(json::Writer& out, const char* key, std::optional<Value> value,
                const std::array<std::string_view, N>& names) {
  out.key(key);
  if (value) {
    out.string(names[static_cast<std::size_t>(*value)]);
  } else {
    out.null();
  }
}

void write_measurements(json::Writer& out, const Measurements& m) {
  const std::pair<const char*, std::uint64_t> integers[] = {
      {"duration_ms", m.duration_ms},
      {"sample_rate", m.sample_rate},
      {"channels", m.channels},
      {"bpm_hundredths", m.bpm_hundredths},
      {"bpm_confidence", m.bpm_confidence},
      {"energy", m.energy},
      {"brightness", m.brightness},
      {"silence_thousandths", m.silence_thousandths},
      {"clipped_thousandths", m.clipped_thousandths},
      {"bandwidth_hz", m.bandwidth_hz},
      {"fingerprint_size", m.fingerprint.size()},
  };
  for (const auto& [key, value] : integers) {
    out.key(key);
    out.integer(static_cast<std::int64_t>(value));
  }
  out.key("true_peak_tenths");
  out.integer(m.true_peak_tenths);
  out.key("loudness_tenths");
  if (m.loudness_tenths) {
    out.integer(*m.loudness_tenths);
  } else {
    out.null();
  }
  write_name(out, "energy_word", energy_word(m), kEnergyNames);
  write_name(out, "tone", tone_word(m), kToneNames);
  out.key("key");
  out.string(m.key);
  out.key("is_seamless_loop");
  out.boolean(m.is_seamless_loop);
  out.key("is_voice");
  out.boolean(m.is_voice);
  out.key("timbre");
  out.begin_array();
  for (const auto number : m.timbre) out.integer(number);
  out.end_array();
}

std::string line_of(const MeasuredFile& file) {
  json::Writer out;
  out.begin_object();
  out.key("path");
  out.string(file.path);
  if (file.measurements) {
    write_measurements(out, *file.measurements);
  } else {
    out.key("error");
    out.string(file.error);
  }
  out.end_object();
  return out.take();
}

}  // namespace

/// tonearm-measure FOLDER...: reports the speed in processor time.
int main(int argc, char** argv) {
  const std::vector<std::string> folders(argv + 1, argv + argc);
  if (folders.empty()) {
    std::cerr << "usage: tonearm-measure FOLDER...\n";
    return 2;
  }
  std::vector<std::string> paths;
  for (const auto& folder : folders) {
    const auto more = files_in(folder);
    paths.insert(paths.end(), more.begin(), more.end());
  }
  MeasurementCache cache;
  const auto begin = std::clock();
  const auto files = measure_files(paths, cache, 1, nullptr);
  const auto seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  double audio_seconds = 0;
  for (const auto& file : files) {
    std::cout << line_of(file) << '\n';
    if (file.measurements) audio_seconds += static_cast<double>(file.measurements->duration_ms) / 1'000;
  }
  std::cerr << fmt::format("{} files, {:.0f} s of audio in {:.2f} s of processor time: {:.0f} s per second\n",
                           files.size(), audio_seconds, seconds, audio_seconds / seconds);
  return 0;
}
