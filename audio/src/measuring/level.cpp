#include "measuring/level.h"

#include <ebur128.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tonearm/result.h"

namespace tonearm::audio {

namespace {

// -60 dB of full scale. Quieter ends of a file count as silence.
constexpr float kAudible = 0.001F;
// Equal samples at full scale that count as clipped. A single one may be a normalized peak.
constexpr float kFullScale = 0.99F;
constexpr std::uint32_t kClippedRun = 3;
constexpr double kSilentLufs = -70;  // EBU R128's absolute gate
constexpr std::int32_t kLowestPeakTenths = -1'200;

std::int8_t quantized(float sample) {
  return static_cast<std::int8_t>(std::lround(std::clamp(sample, -1.F, 1.F) * 127));
}

std::uint32_t thousandths(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<std::uint32_t>((part * 1'000 + whole / 2) / whole);
}

}  // namespace

void Waveform::add(std::span<const float> block) {
  for (std::size_t i = 0; i < block.size(); i += channels_) {
    const auto frame = block.subspan(i, channels_);
    const auto [lowest, highest] = std::minmax_element(frame.begin(), frame.end());
    add_frame({*lowest, *highest});
  }
}

void Waveform::add_frame(Pair frame) {
  open_ =
      open_frames_ == 0 ? frame : Pair{std::min(open_.lowest, frame.lowest), std::max(open_.highest, frame.highest)};
  if (++open_frames_ < frames_in_pair_) return;
  pairs_.push_back(open_);
  open_frames_ = 0;
  if (pairs_.size() < 8 * kPeakPairs) return;
  for (std::size_t i = 0; i < pairs_.size() / 2; ++i) {
    const auto& a = pairs_[2 * i];
    const auto& b = pairs_[2 * i + 1];
    pairs_[i] = {std::min(a.lowest, b.lowest), std::max(a.highest, b.highest)};
  }
  pairs_.resize(pairs_.size() / 2);
  frames_in_pair_ *= 2;
}

std::vector<std::int8_t> Waveform::peaks() const {
  auto pairs = pairs_;
  if (open_frames_ > 0) pairs.push_back(open_);
  const auto count = std::min(pairs.size(), kPeakPairs);
  std::vector<std::int8_t> result;
  result.reserve(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    auto pair = pairs[i * pairs.size() / count];
    for (auto j = i * pairs.size() / count + 1; j < (i + 1) * pairs.size() / count; ++j) {
      pair = {std::min(pair.lowest, pairs[j].lowest), std::max(pair.highest, pairs[j].highest)};
    }
    result.push_back(quantized(pair.lowest));
    result.push_back(quantized(pair.highest));
  }
  return result;
}

struct LevelMeter::LoudnessState {
  explicit LoudnessState(Format format)
      : state(ebur128_init(format.channels, format.sample_rate,
                           static_cast<int>(EBUR128_MODE_I) | static_cast<int>(EBUR128_MODE_TRUE_PEAK) |
                               static_cast<int>(EBUR128_MODE_HISTOGRAM))) {
    if (state == nullptr) throw Failure("libebur128 does not start");
  }
  ~LoudnessState() { ebur128_destroy(&state); }
  LoudnessState(const LoudnessState&) = delete;
  LoudnessState& operator=(const LoudnessState&) = delete;

  ebur128_state* state;
};

LevelMeter::LevelMeter() = default;
LevelMeter::~LevelMeter() = default;

void LevelMeter::begin(Format format) {
  format_ = format;
  loudness_ = std::make_unique<LoudnessState>(format);
  waveform_.begin(format.channels);
  last_.assign(format.channels, 0);
  run_.assign(format.channels, 0);
}

void LevelMeter::add(std::span<const float> block) {
  if (ebur128_add_frames_float(loudness_->state, block.data(), block.size() / format_.channels) != EBUR128_SUCCESS) {
    throw Failure("libebur128 failed");
  }
  waveform_.add(block);
  for (std::size_t i = 0; i < block.size(); i += format_.channels) {
    const auto frame = block.subspan(i, format_.channels);
    update_silence(frame);
    update_clipping(frame);
    ++frames_;
  }
}

void LevelMeter::update_silence(std::span<const float> frame) {
  const bool is_audible = std::any_of(frame.begin(), frame.end(), [](float x) { return std::fabs(x) > kAudible; });
  if (is_audible) {
    silent_end_ = 0;
  } else {
    if (silent_start_ == frames_) ++silent_start_;
    ++silent_end_;
  }
}

void LevelMeter::update_clipping(std::span<const float> frame) {
  for (std::size_t c = 0; c < frame.size(); ++c) {
    const auto sample = frame[c];
    const bool is_equal = run_[c] > 0 && sample == last_[c];
    run_[c] = std::fabs(sample) < kFullScale ? 0 : (is_equal ? run_[c] + 1 : 1);
    last_[c] = sample;
    if (run_[c] == kClippedRun) clipped_ += kClippedRun;
    if (run_[c] > kClippedRun) ++clipped_;
  }
}

void LevelMeter::finish(Measurements& result) {
  result.duration_ms = std::max<std::uint64_t>((frames_ * 1'000 + format_.sample_rate / 2) / format_.sample_rate, 1);
  result.sample_rate = format_.sample_rate;
  result.channels = format_.channels;
  double loudness = 0;
  if (ebur128_loudness_global(loudness_->state, &loudness) == EBUR128_SUCCESS && loudness > kSilentLufs) {
    result.loudness_tenths = static_cast<std::int32_t>(std::lround(loudness * 10));
  }
  double peak = 0;
  for (unsigned c = 0; c < format_.channels; ++c) {
    double channel_peak = 0;
    if (ebur128_true_peak(loudness_->state, c, &channel_peak) == EBUR128_SUCCESS) peak = std::max(peak, channel_peak);
  }
  result.true_peak_tenths =
      peak <= 0 ? kLowestPeakTenths
                : std::max(static_cast<std::int32_t>(std::lround(200 * std::log10(peak))), kLowestPeakTenths);
  result.silence_thousandths = thousandths(std::min(silent_start_ + silent_end_, frames_), frames_);
  result.clipped_thousandths = thousandths(clipped_, frames_ * format_.channels);
  result.peaks = waveform_.peaks();
}

std::string loudness_version() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  ebur128_get_version(&major, &minor, &patch);
  return fmt::format("libebur128-{}.{}.{}", major, minor, patch);
}

}  // namespace tonearm::audio
