#include "folder/media_output.h"

#include <sndfile.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "audio/decoded_audio.h"
#include "json/writer.h"
#include "runtime/failure.h"

namespace tonearm::builder {
namespace {

namespace fs = std::filesystem;
constexpr double kVorbisQuality = 0.5;

/// Writes what is decoded as Ogg Vorbis.
class VorbisFile final : public AudioSink {
 public:
  explicit VorbisFile(std::string path) : path_(std::move(path)) {}

  void begin(AudioFormat format) override {
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
  void take(std::span<const float> block) override {
    // libsndfile puts a block on the stack of the encoder, so blocks stay small.
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
  SF_INFO info{};
  auto* file = sf_open(path.c_str(), SFM_READ, &info);
  if (file == nullptr) return false;
  sf_close(file);
  return (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_OGG && (info.format & SF_FORMAT_SUBMASK) == SF_FORMAT_VORBIS;
}

bool is_newer(const std::string& one, const std::string& other) {
  std::error_code error;
  const auto first = fs::last_write_time(one, error);
  if (error) return false;
  const auto second = fs::last_write_time(other, error);
  return !error && first > second;
}

void rename_or_throw(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) throw Failure(to + ": cannot be written: " + error.message());
}

}  // namespace

MediaFiles::MediaFiles(std::string folder, std::string id) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Failure(folder + ": cannot be made: " + error.message());
  path_ = std::move(folder) + "/" + std::move(id);
}

std::optional<std::string> MediaFiles::write_preview(const std::string& audio) const {
  const auto path = path_ + ".ogg";
  const auto partial = path_ + ".partial";
  if (is_newer(path, audio)) return std::nullopt;
  if (is_vorbis(audio)) {
    std::error_code error;
    fs::copy_file(audio, partial, fs::copy_options::overwrite_existing, error);
    if (error) throw Failure(partial + ": cannot be written: " + error.message());
    rename_or_throw(partial, path);
    return std::nullopt;
  }
  VorbisFile file(partial);
  auto failure = decode(audio, file);
  file.close();
  if (!failure && !file.error().empty()) failure = file.error();
  if (failure) {
    std::error_code error;
    fs::remove(partial, error);
    return failure;
  }
  rename_or_throw(partial, path);
  return std::nullopt;
}

void MediaFiles::write_peaks(const AudioMeasurements& measurements) const {
  const auto pairs = measurements.peaks.size() / 2;
  const auto samples = measurements.duration_ms * measurements.sample_rate / 1000;
  json::Writer out;
  out.begin_object();
  const auto number = [&](std::string_view key, std::uint64_t value) {
    out.key(key);
    out.integer(static_cast<std::int64_t>(value));
  };
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
  const auto partial = path_ + ".peaks.partial";
  {
    std::ofstream file(partial, std::ios::binary);
    file << out.take() << "\n";
    if (!file.flush()) throw Failure(partial + ": cannot be written");
  }
  rename_or_throw(partial, path_ + ".peaks.json");
}

}  // namespace tonearm::builder
