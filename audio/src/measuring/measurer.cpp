#include "measuring/measurer.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>

#include "decoding/digest.h"
#include "measuring/analysis.h"
#include "system/stop_signals.h"
#include "system/threads.h"

namespace tonearm::audio {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kSaveInterval{30};
// Saving writes the whole cache. It may take about a tenth of the time.
constexpr int kPauseFactor = 10;

/// Saves the cache periodically.
class CacheSaver {
 public:
  explicit CacheSaver(MeasurementCache& cache) : cache_(cache), next_(Clock::now() + kSaveInterval) {}

  void save_if_due() {
    const auto before = Clock::now();
    if (before < next_) return;
    cache_.save();
    const auto after = Clock::now();
    next_ = after + std::max<Clock::duration>(kSaveInterval, (after - before) * kPauseFactor);
  }

 private:
  MeasurementCache& cache_;
  Clock::time_point next_;
};

MeasuredFile measure_one(const std::string& path, MeasurementCache& cache) {
  MeasuredFile result;
  result.path = path;
  const auto digest = sha256_of_file(path);
  if (!digest) {
    result.error = "the file cannot be read";
    return result;
  }
  result.sha256 = *digest;
  result.measurements = cache.find(*digest);
  if (result.measurements) return result;
  auto measured = measure_audio(path);
  result.error = std::move(measured.error);
  result.measurements = std::move(measured.measurements);
  // A file that has changed in the meantime is measured again next time.
  if (result.measurements && sha256_of_file(path) == digest) cache.store(*digest, *result.measurements);
  return result;
}

}  // namespace

std::vector<MeasuredFile> measure_files(std::span<const std::string> paths, MeasurementCache& cache, unsigned threads,
                                        const std::function<void(std::uint64_t bytes)>& on_file) {
  std::vector<MeasuredFile> results(paths.size());
  std::mutex mutex;  // guards saver and on_file
  CacheSaver saver(cache);
  const native::StopSignals stop;
  native::in_blocks(paths.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
    for (auto i = begin; i < end && !stop.is_pending(); ++i) {
      results[i] = measure_one(paths[i], cache);
      std::error_code error;
      const auto bytes = std::filesystem::file_size(paths[i], error);
      const std::lock_guard lock(mutex);
      if (on_file) on_file(error ? 0 : bytes);
      saver.save_if_due();
    }
  });
  cache.save();
  return results;
}

}  // namespace tonearm::audio
