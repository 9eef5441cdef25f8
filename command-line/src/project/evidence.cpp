#include "project/evidence.h"

#include <algorithm>
#include <mutex>

#include "decoding/decoded_audio.h"
#include "decoding/digest.h"
#include "fingerprint/fingerprint.h"
#include "system/threads.h"
#include "tonearm/ascii.h"
#include "tonearm/result.h"

namespace tonearm::cli {
namespace {

constexpr std::uint64_t kFingerprintSeconds = 120;
// CREDIT-20, CREDIT-25.
constexpr std::size_t kValuesMax = 1'024;
constexpr std::size_t kFingerprintMax = 8'192;
constexpr std::uint32_t kThreadsMax = 8;

/// Counts all frames and fingerprints the first two minutes.
class EvidenceSink final : public audio::SampleSink {
 public:
  void begin(audio::Format format) override {
    format_ = format;
    samples_left_ = kFingerprintSeconds * format.sample_rate * format.channels;
    fingerprinter_.begin(format);
  }

  void write(std::span<const float> block) override {
    frames_ += block.size() / format_.channels;
    const auto used = block.first(static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), samples_left_)));
    samples_left_ -= used.size();
    fingerprinter_.add(used);
  }

  double duration_s() const { return static_cast<double>(frames_) / format_.sample_rate; }

  std::string fingerprint() {
    auto values = fingerprinter_.finish();
    values.resize(std::min(values.size(), kValuesMax));
    if (values.empty()) return {};
    auto text = audio::compressed_fingerprint(values);
    return text.size() > kFingerprintMax ? std::string() : text;
  }

 private:
  audio::Format format_;
  audio::Fingerprinter fingerprinter_;
  std::uint64_t samples_left_ = 0;
  std::uint64_t frames_ = 0;
};

void read_audio(const std::string& location, Evidence& evidence) {
  try {
    EvidenceSink sink;
    if (const auto error = audio::decode(location, sink)) {
      evidence.problem = "cannot be decoded: " + *error;
      return;
    }
    evidence.duration_s = sink.duration_s();
    evidence.fingerprint = sink.fingerprint();
  } catch (const Failure& failure) {
    evidence.problem = std::string("cannot be decoded: ") + failure.what();
  }
}

}  // namespace

Evidence evidence_of(const ProjectFile& file) {
  Evidence evidence;
  evidence.problem = file.problem;
  evidence.is_readable = file.depth != Depth::none;
  if (file.depth != Depth::sound && file.depth != Depth::bytes) return evidence;
  const auto digest = audio::sha256_of_file(file.location);
  if (!digest) {
    evidence.is_readable = false;
    evidence.problem = "cannot be read";
    return evidence;
  }
  evidence.sha256 = ascii::to_hex(*digest);
  if (file.depth == Depth::sound) read_audio(file.location, evidence);
  return evidence;
}

std::vector<Evidence> gather_evidence(std::span<const ProjectFile> files,
                                      const std::function<void(std::size_t)>& on_done) {
  std::vector<Evidence> all(files.size());
  std::mutex mutex;
  std::size_t done = 0;
  native::in_blocks(files.size(), 1, std::min(native::processors(), kThreadsMax),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) all[i] = evidence_of(files[i]);
                      const std::scoped_lock lock(mutex);
                      on_done(done += end - begin);
                    });
  return all;
}

}  // namespace tonearm::cli
