#include "films/film_audio.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <vector>

#include "files/file_name.h"
#include "fingerprint/tonal_filter.h"
#include "output/json_values.h"
#include "output/listings.h"
#include "project/project_files.h"

namespace tonearm::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::chrono::seconds kPatience{60};
constexpr std::uint64_t kSamplesMax = std::uint64_t{24} * 3'600 * audio::kTonalFilterRate;
constexpr std::size_t kProbedBytesMax = 1024 * 1024;
constexpr double kMissingSecondsMax = 2;
constexpr double kMissingShareMax = 0.01;

constexpr std::string_view kProbed =
    "format=duration,start_time:stream=index,codec_type,start_time,duration:stream_disposition=default:stream_tags="
    "DURATION";

std::string program_of(const std::string& name) {
  auto program = find_program(name);
  if (program.empty())
    throw FolderError(name + " is not installed, which decodes films; Debian's package ffmpeg has it");
  return program;
}

/// Appends what confines a program of FFmpeg to one file: formats that contain their media themselves, and no protocol
/// that a name or a playlist could start.
void append_input(std::vector<std::string>& arguments, const std::string& path) {
  for (const auto* const word :
       {"-protocol_whitelist", "file,pipe", "-format_whitelist", "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm", "-i"}) {
    arguments.emplace_back(word);
  }
  arguments.push_back("file:" + fs::absolute(path).string());
}

/// Reads a text such as "12.5".
std::optional<double> seconds_of(const std::string& text) {
  double seconds = 0;
  const auto end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, seconds);
  if (error != std::errc() || rest != end || !std::isfinite(seconds)) return std::nullopt;
  return seconds;
}

/// Reads a text such as "00:01:02.500000000", in which Matroska states when a stream ends.
std::optional<double> clock_seconds_of(const std::string& text) {
  double seconds = 0;
  std::size_t begin = 0;
  for (int part = 0; part < 3; ++part) {
    const auto end = part == 2 ? text.size() : text.find(':', begin);
    const auto number = end == std::string::npos ? std::nullopt : seconds_of(text.substr(begin, end - begin));
    if (!number || *number < 0) return std::nullopt;
    seconds = 60 * seconds + *number;
    begin = end + 1;
  }
  return seconds;
}

/// Returns when a stream ends, from the beginning of the film; 0: not stated.
double end_of(const json::object& stream, const json::object& probed) {
  const double film_start = seconds_of(text_at(probed, {"format", "start_time"})).value_or(0);
  const double start = seconds_of(text_at(stream, {"start_time"})).value_or(film_start);
  if (const auto duration = seconds_of(text_at(stream, {"duration"}))) return start + *duration - film_start;
  if (const auto end = clock_seconds_of(text_at(stream, {"tags", "DURATION"}))) return *end - film_start;
  return seconds_of(text_at(probed, {"format", "duration"})).value_or(0);
}

std::string problem_of(const LimitedProcess& process) {
  const auto line = process.error_line();
  return line.empty() ? "cannot be decoded" : "cannot be decoded: " + line;
}

std::string probe(const std::string& path) {
  std::vector<std::string> arguments{"-v", "error", "-of", "json", "-show_entries", std::string(kProbed)};
  append_input(arguments, path);
  LimitedProcess process(program_of("ffprobe"), arguments, kPatience);
  std::string text;
  std::array<char, 4'096> buffer{};
  for (std::size_t count = process.read(buffer); count > 0; count = process.read(buffer)) {
    text.append(buffer.data(), count);
    if (text.size() > kProbedBytesMax) throw FolderError(path + ": describes too many streams");
  }
  if (!process.finish()) throw FolderError(path + ": " + problem_of(process));
  return text;
}

std::vector<std::string> decoding_arguments(const std::string& path, int stream) {
  std::vector<std::string> arguments{"-nostdin", "-v", "error", "-threads", "1", "-filter_threads", "1"};
  append_input(arguments, path);
  const auto rate = std::to_string(audio::kTonalFilterRate);
  // Sound that begins after the picture begins with silence, so that times are those of the film.
  const auto filter = "aresample=" + rate + ":async=1:first_pts=0";
  for (const auto& word : {std::string("-map"), "0:" + std::to_string(stream), std::string("-vn"), std::string("-sn"),
                           std::string("-dn"), std::string("-af"), filter, std::string("-ac"), std::string("1"),
                           std::string("-ar"), rate, std::string("-f"), std::string("f32le"), std::string("pipe:1")}) {
    arguments.push_back(word);
  }
  return arguments;
}

}  // namespace

bool is_film(const std::string& path) {
  constexpr std::array<std::string_view, 7> kExtensions{"mp4", "mov", "m4v", "m4a", "mkv", "webm", "mka"};
  std::error_code error;
  if (path.empty() || path.back() == '/' || fs::is_directory(path, error)) return false;
  return std::ranges::find(kExtensions, native::extension_of(fs::path(path).filename().string())) != kExtensions.end();
}

FilmStreams film_streams_of(const std::string& probed) {
  json::error_code error;
  const auto value = json::parse(probed, error);
  if (error || !value.is_object()) throw std::runtime_error("cannot be described by ffprobe");
  const auto& root = value.get_object();
  FilmStreams found;
  bool is_default = false;
  for (const auto* const stream : objects_at(root, {"streams"})) {
    if (text_at(*stream, {"codec_type"}) != "audio") continue;
    ++found.audio_tracks;
    const bool is_first = found.audio_tracks == 1;
    const bool is_named_default = number_at(*stream, {"disposition", "default"}) == 1;
    if (!is_first && (is_default || !is_named_default)) continue;
    is_default = is_named_default;
    found.index = static_cast<int>(number_at(*stream, {"index"}));
    found.number = found.audio_tracks;
    found.duration_s = std::max(end_of(*stream, root), 0.0);
  }
  if (found.audio_tracks == 0) throw std::runtime_error("has no sound");
  return found;
}

FilmStreams read_film_streams(const std::string& path) {
  std::error_code error;
  const bool is_file = fs::is_regular_file(path, error);
  if (error) throw FolderError(path + ": " + error.message());
  if (!is_file) throw FolderError(path + ": is not a regular file");
  try {
    return film_streams_of(probe(path));
  } catch (const FolderError&) {
    throw;
  } catch (const std::runtime_error& problem) {
    throw FolderError(path + ": " + problem.what());
  }
}

FilmAudio::FilmAudio(const std::string& path, const FilmStreams& streams)
    : path_(path), duration_s_(streams.duration_s) {
  const auto program = program_of("ffmpeg");
  try {
    decoder_ = std::make_unique<LimitedProcess>(program, decoding_arguments(path, streams.index), kPatience);
  } catch (const ProcessError& error) {
    throw FolderError(path_ + ": " + error.what());
  }
}

std::size_t FilmAudio::read(std::span<float> samples) {
  auto bytes = std::as_writable_bytes(samples);
  std::size_t filled = 0;
  try {
    while (filled < bytes.size()) {
      const auto rest = bytes.subspan(filled);
      const auto count = decoder_->read({reinterpret_cast<char*>(rest.data()), rest.size()});
      if (count == 0) break;
      filled += count;
    }
    const auto read = filled / sizeof(float);
    samples_ += read;
    if (samples_ > kSamplesMax) throw FolderError(path_ + ": lasts longer than 24 hours");
    for (auto& sample : samples.first(read)) {
      if (!(std::abs(sample) <= 100)) sample = 0;  // NaN too
    }
    if (filled < bytes.size()) check_end();
    return read;
  } catch (const ProcessError& error) {
    throw FolderError(path_ + ": cannot be decoded: " + error.what());
  }
}

void FilmAudio::check_end() {
  if (!decoder_->finish()) throw FolderError(path_ + ": " + problem_of(*decoder_));
  const double decoded = static_cast<double>(samples_) / audio::kTonalFilterRate;
  const double missing = duration_s_ - decoded;
  if (missing > kMissingSecondsMax && missing > kMissingShareMax * duration_s_) {
    throw FolderError(fmt::format("{}: is truncated: its sound ends after {} of {}", path_, clock_text(decoded),
                                  clock_text(duration_s_)));
  }
}

}  // namespace tonearm::cli
