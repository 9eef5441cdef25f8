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
// Longer texts and lists than any measurement has.
constexpr std::size_t kTextBytesMax = 256;
constexpr std::size_t kListItemsMax = 64 * 1024;

/// Replaces cereal's own code for lists, which trusts their size.
template <class List>
void save_list(cereal::PortableBinaryOutputArchive& archive, const List& list) {
  archive(static_cast<std::uint32_t>(list.size()));
  archive(cereal::binary_data(list.data(), list.size() * sizeof(typename List::value_type)));
}

template <class List>
void load_list(cereal::PortableBinaryInputArchive& archive, List& list, std::size_t items_max) {
  std::uint32_t size = 0;
  archive(size);
  if (size > items_max) throw cereal::Exception("a list is too long");
  list.resize(size);
  archive(cereal::binary_data(list.data(), list.size() * sizeof(typename List::value_type)));
}

/// Archives the members of fixed size, in the order of the file.
template <class Archive, class Measurements>
void archive_numbers(Archive& archive, Measurements& m) {
  archive(m.duration_ms, m.sample_rate, m.channels, m.bpm_hundredths, m.bpm_confidence, m.true_peak_tenths, m.energy,
          m.brightness, m.silence_thousandths, m.clipped_thousandths, m.bandwidth_hz);
}

std::uint8_t as_byte(bool value) { return value ? 1 : 0; }

/// Rejects bytes other than 0 and 1, which cereal does not check.
bool read_flag(cereal::PortableBinaryInputArchive& archive) {
  std::uint8_t byte = 0;
  archive(byte);
  if (byte > 1) throw cereal::Exception("a boolean is neither 0 nor 1");
  return byte == 1;
}

void write_entry(cereal::PortableBinaryOutputArchive& archive, const TrackAudio::Sha256& file, const Measurements& m) {
  archive(cereal::binary_data(file.data(), file.size()));
  archive_numbers(archive, m);
  archive(as_byte(m.is_seamless_loop), as_byte(m.is_voice));
  archive(as_byte(m.loudness_tenths.has_value()), m.loudness_tenths.value_or(0));
  save_list(archive, m.key);
  save_list(archive, m.timbre);
  save_list(archive, m.fingerprint);
  save_list(archive, m.peaks);
}

std::pair<TrackAudio::Sha256, Measurements> read_entry(cereal::PortableBinaryInputArchive& archive) {
  std::pair<TrackAudio::Sha256, Measurements> entry;
  auto& [file, m] = entry;
  archive(cereal::binary_data(file.data(), file.size()));
  archive_numbers(archive, m);
  m.is_seamless_loop = read_flag(archive);
  m.is_voice = read_flag(archive);
  const bool has_loudness = read_flag(archive);
  std::int32_t loudness = 0;
  archive(loudness);
  if (has_loudness) m.loudness_tenths = loudness;
  load_list(archive, m.key, kTextBytesMax);
  load_list(archive, m.timbre, kTimbreSize);
  load_list(archive, m.fingerprint, kListItemsMax);
  load_list(archive, m.peaks, 2 * kPeakPairs);
  return entry;
}

/// Returns the lines before the archive.
std::string heading() { return fmt::format("{}{}\n", kMagic, measuring_version()); }

/// Writes a temporary file in the same folder and renames it.
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
  const bool is_complete = done == bytes.size() && ::fsync(file) == 0;
  if (::close(file) != 0 || !is_complete || std::rename(partial.c_str(), path.c_str()) != 0) {
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
  if (!head.starts_with(kMagic)) throw Failure("it contains no measurements");
  if (head != expected) throw Failure("it was measured by another version");
  TrackAudio::Sha256 checksum{};
  file.read(reinterpret_cast<char*>(checksum.data()), checksum.size());
  const std::string body{std::istreambuf_iterator<char>(file), {}};
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

std::optional<Measurements> MeasurementCache::find(const TrackAudio::Sha256& file) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(file);
  return found == entries_.end() ? std::nullopt : std::optional(found->second);
}

void MeasurementCache::store(const TrackAudio::Sha256& file, Measurements measurements) {
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
