#include "folder/media_output.h"

#include <sndfile.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "decoding/decoded_audio.h"
#include "decoding/ogg_stream.h"
#include "files/whole_file.h"
#include "json/writer.h"
#include "tonearm/ascii.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

namespace fs = std::filesystem;
constexpr double kVorbisQuality = 0.5;
constexpr const char* kIndexName = "/.previews";

/// Encodes decoded audio as Ogg Vorbis.
class VorbisSink final : public audio::SampleSink {
 public:
  explicit VorbisSink(std::string path) : path_(std::move(path)) {}

  void begin(audio::Format format) override {
    SF_INFO info{};
    info.samplerate = static_cast<int>(format.sample_rate);
    info.channels = static_cast<int>(format.channels);
    info.format = SF_FORMAT_OGG | SF_FORMAT_VORBIS;
    file_.reset(sf_open(path_.c_str(), SFM_WRITE, &info));
    if (!file_) {
      error_ = "it cannot be encoded at " + std::to_string(format.sample_rate) + " Hz";
      return;
    }
    auto quality = kVorbisQuality;
    sf_command(file_.get(), SFC_SET_VBR_ENCODING_QUALITY, &quality, sizeof quality);
    channels_ = format.channels;
  }
  void write(std::span<const float> block) override {
    // libsndfile puts each block on the stack, so blocks are small.
    constexpr std::size_t kFrames = 1024;
    for (std::size_t at = 0; file_ && at < block.size(); at += kFrames * channels_) {
      const auto part = block.subspan(at, std::min(kFrames * channels_, block.size() - at));
      const auto count = static_cast<sf_count_t>(part.size());
      if (sf_write_float(file_.get(), part.data(), count) != count) error_ = "the encoder failed";
    }
  }
  const std::string& error() const { return error_; }
  void close() { file_.reset(); }

 private:
  struct Close {
    void operator()(SNDFILE* file) const { sf_close(file); }
  };
  std::string path_;
  std::unique_ptr<SNDFILE, Close> file_;
  std::size_t channels_ = 1;
  std::string error_;
};

bool is_vorbis(const std::string& path) {
  std::array<char, 4> magic{};
  std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
  if (std::string_view(magic.data(), magic.size()) != "OggS") return false;
  SF_INFO info{};
  auto* file = sf_open(path.c_str(), SFM_READ, &info);
  if (file == nullptr) return false;
  sf_close(file);
  return (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_OGG && (info.format & SF_FORMAT_SUBMASK) == SF_FORMAT_VORBIS;
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << bytes;
  if (!file.flush()) throw Failure(path + ": cannot be written");
}

void rename_or_throw(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) throw Failure(to + ": cannot be written: " + error.message());
}

/// Returns why the audio cannot be encoded, or nothing.
std::optional<std::string> encode(const std::string& audio, const std::string& path, const TrackAudio::Sha256& sha256) {
  VorbisSink file(path);
  auto error = audio::decode(audio, file);
  file.close();
  if (error) return error;
  if (!file.error().empty()) return file.error();
  std::uint32_t serial = 0;
  for (std::size_t i = 0; i < 4; ++i) serial = serial << 8U | static_cast<unsigned char>(sha256.at(i));
  auto bytes = native::file_bytes(path);
  audio::set_stream_serial(bytes, serial);
  write_bytes(path, bytes);
  return std::nullopt;
}

}  // namespace

MediaFiles::MediaFiles(std::string folder) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw Failure(folder_ + ": cannot be created: " + error.message());
  const auto index = native::file_bytes(folder_ + kIndexName);
  std::istringstream lines(index);
  std::string hash;
  std::string id;
  for (std::string line; std::getline(lines, line) && !lines.eof();) {
    std::istringstream parts(line);
    if (parts >> hash >> id) hash_by_id_[id] = hash;
  }
  if (index.empty() || index.back() == '\n') return;
  // An interrupted build has left a partial line.
  write_bytes(folder_ + kIndexName, index.substr(0, index.rfind('\n') + 1));
}

void MediaFiles::add_to_index(const std::string& id, const std::string& hash) {
  hash_by_id_[id] = hash;
  std::ofstream file(folder_ + kIndexName, std::ios::binary | std::ios::app);
  file << hash << "  " << id << "\n";
  if (!file.flush()) throw Failure(folder_ + kIndexName + ": cannot be written");
}

Preview MediaFiles::write_preview(const std::string& id, const std::string& audio, const TrackAudio::Sha256& sha256) {
  const auto path = folder_ + "/" + id + ".ogg";
  const auto partial = folder_ + "/" + id + ".partial";
  const auto hash = ascii::to_hex(sha256);
  const bool is_original = is_vorbis(audio);
  const auto found = hash_by_id_.find(id);
  std::error_code error;
  if (found != hash_by_id_.end() && found->second == hash && fs::is_regular_file(path, error)) return {is_original, {}};
  if (is_original) {
    fs::copy_file(audio, partial, fs::copy_options::overwrite_existing, error);
    if (error) throw Failure(partial + ": cannot be written: " + error.message());
  } else if (auto failure = encode(audio, partial, sha256)) {
    fs::remove(partial, error);
    return {false, std::move(*failure)};
  }
  rename_or_throw(partial, path);
  add_to_index(id, hash);
  return {is_original, {}};
}

void MediaFiles::write_peaks(const std::string& id, const audio::Measurements& measurements) const {
  const auto pairs = measurements.peaks.size() / 2;
  const auto samples = measurements.duration_ms * measurements.sample_rate / 1000;
  json::Writer out;
  out.begin_object();
  const auto number = [&](std::string_view key, std::uint64_t value) { out.integer(key, value); };
  number("version", 2);
  number("channels", 1);
  number("sample_rate", measurements.sample_rate);
  number("samples_per_pixel", pairs == 0 ? 1 : std::max<std::uint64_t>((samples + pairs - 1) / pairs, 1));
  number("bits", 8);
  number("length", pairs);
  out.key("data");
  out.begin_array();
  for (const auto peak : measurements.peaks) out.integer(peak);
  out.end_array();
  out.end_object();
  const auto path = folder_ + "/" + id + ".peaks";
  write_bytes(path + ".partial", out.take() + "\n");
  rename_or_throw(path + ".partial", path + ".json");
}

}  // namespace tonearm::builder
