#include "measuring/measurement_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cereal/archives/portable_binary.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "decoding/digest.h"
#include "measuring/analysis.h"
#include "tonearm/result.h"

namespace tonearm::audio {

namespace {

constexpr std::string_view kMagic = "tonearm measurements\n";
// More than any measurement has; a longer list is not ours.
constexpr std::size_t kLongestText = 256;
constexpr std::size_t kLongestList = 64 * 1024;

/// cereal's own loading of lists believes their size.
template <class List>
void save_list(cereal::PortableBinaryOutputArchive& archive, const List& list) {
  archive(static_cast<std::uint32_t>(list.size()));
  archive(cereal::binary_data(list.data(), list.size() * sizeof(typename List::value_type)));
}

template <class List>
void load_list(cereal::PortableBinaryInputArchive& archive, List& list, std::size_t longest) {
  std::uint32_t size = 0;
  archive(size);
  if (size > longest) throw cereal::Exception("a list is too long");
  list.resize(size);
  archive(cereal::binary_data(list.data(), list.size() * sizeof(typename List::value_type)));
}

/// The members that have one size, in the order of the file.
template <class Archive, class Measurements>
void numbers(Archive& archive, Measurements& m) {
  archive(m.duration_ms, m.sample_rate, m.channels, m.bpm_hundredths, m.bpm_confidence, m.true_peak_tenths, m.energy,
          m.brightness, m.silence_thousandths, m.clipped_thousandths, m.bandwidth_hz);
}

std::uint8_t as_byte(bool value) { return value ? 1 : 0; }

/// A byte that is neither 0 nor 1 is no truth value, and cereal does not look.
bool read_flag(cereal::PortableBinaryInputArchive& archive) {
  std::uint8_t byte = 0;
  archive(byte);
  if (byte > 1) throw cereal::Exception("a truth value is neither true nor false");
  return byte == 1;
}

void write_entry(cereal::PortableBinaryOutputArchive& archive, const TrackAudio::Sha256& file,
                 const AudioMeasurements& m) {
  archive(cereal::binary_data(file.data(), file.size()));
  numbers(archive, m);
  archive(as_byte(m.is_seamless_loop), as_byte(m.is_voice));
  archive(as_byte(m.loudness_tenths.has_value()), m.loudness_tenths.value_or(0));
  save_list(archive, m.key);
  save_list(archive, m.timbre);
  save_list(archive, m.fingerprint);
  save_list(archive, m.peaks);
}

std::pair<TrackAudio::Sha256, AudioMeasurements> read_entry(cereal::PortableBinaryInputArchive& archive) {
  std::pair<TrackAudio::Sha256, AudioMeasurements> entry;
  auto& [file, m] = entry;
  archive(cereal::binary_data(file.data(), file.size()));
  numbers(archive, m);
  m.is_seamless_loop = read_flag(archive);
  m.is_voice = read_flag(archive);
  const bool has_loudness = read_flag(archive);
  std::int32_t loudness = 0;
  archive(loudness);
  if (has_loudness) m.loudness_tenths = loudness;
  load_list(archive, m.key, kLongestText);
  load_list(archive, m.timbre, kTimbreSize);
  load_list(archive, m.fingerprint, kLongestList);
  load_list(archive, m.peaks, 2 * kPeakPairs);
  return entry;
}

/// The lines before the archive.
std::string heading() { return fmt::format("{}{}\n", kMagic, measuring_version()); }

/// Writes the file under another name of the same folder and gives it its own at the end.
void replace_file(const std::string& path, const std::string& bytes) {
  std::string partial = path + ".XXXXXX";
  const int file = ::mkstemp(partial.data());
  if (file < 0) throw Failure(fmt::format("{}: the measurements cannot be written", path));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto count = ::write(file, bytes.data() + done, bytes.size() - done);
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  const bool is_whole = done == bytes.size() && ::fsync(file) == 0;
  if (::close(file) != 0 || !is_whole || std::rename(partial.c_str(), path.c_str()) != 0) {
    ::unlink(partial.c_str());
    throw Failure(fmt::format("{}: the measurements cannot be written", path));
  }
}

}  // namespace

MeasurementCache::MeasurementCache(std::string path) : path_(std::move(path)) {
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) return;
  try {
    load();
  } catch (const std::exception& failure) {
    entries_.clear();
    message_ = fmt::format("{}: {}; every file is measured again", path_, failure.what());
  }
}

void MeasurementCache::load() {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path_, error)) throw Failure("it is not a regular file");
  std::ifstream file(path_, std::ios::binary);
  if (!file) throw Failure("it cannot be read");
  const auto expected = heading();
  std::string head(expected.size(), '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (!head.starts_with(kMagic)) throw Failure("it holds no measurements");
  if (head != expected) throw Failure("it was measured by another version");
  TrackAudio::Sha256 checksum{};
  file.read(reinterpret_cast<char*>(checksum.data()), checksum.size());
  const std::string body{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (sha256_of(body) != checksum) throw Failure("it is damaged");
  std::istringstream stream(body);
  cereal::PortableBinaryInputArchive archive(stream);
  std::uint64_t count = 0;
  archive(count);
  for (std::uint64_t i = 0; i < count; ++i) entries_.insert(read_entry(archive));
}

std::size_t MeasurementCache::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

bool MeasurementCache::is_new(const TrackAudio::Sha256& file) const {
  const std::lock_guard lock(mutex_);
  return new_.contains(file);
}

std::optional<AudioMeasurements> MeasurementCache::find(const TrackAudio::Sha256& file) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(file);
  return found == entries_.end() ? std::nullopt : std::optional(found->second);
}

void MeasurementCache::keep(const TrackAudio::Sha256& file, AudioMeasurements measurements) {
  const std::lock_guard lock(mutex_);
  entries_.insert_or_assign(file, std::move(measurements));
  new_.insert(file);
  ++unsaved_;
}

void MeasurementCache::save() {
  const std::lock_guard lock(mutex_);
  if (path_.empty() || unsaved_ == 0) return;
  std::ostringstream stream;
  {
    cereal::PortableBinaryOutputArchive archive(stream);
    archive(static_cast<std::uint64_t>(entries_.size()));
    for (const auto& [file, measurements] : entries_) write_entry(archive, file, measurements);
  }
  const auto body = std::move(stream).str();
  const auto checksum = sha256_of(body);
  replace_file(path_, heading() + std::string(checksum.begin(), checksum.end()) + body);
  unsaved_ = 0;
}

}  // namespace tonearm::audio
