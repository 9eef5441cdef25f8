#include "fingerprint/fingerprint.h"

#include <chromaprint.h>
#include <fmt/format.h>
#ifndef TONEARM_CHROMAPRINT_LINKED
#include <dlfcn.h>
#endif

#include <algorithm>
#include <cmath>

#include "tonearm/result.h"

namespace tonearm::audio {

namespace {

constexpr std::uint64_t kFingerprintSeconds = 15 * 60;

/// Chromaprint's functions.
struct Chromaprint {
  decltype(&chromaprint_new) create = nullptr;
  decltype(&chromaprint_free) free = nullptr;
  decltype(&chromaprint_dealloc) dealloc = nullptr;
  decltype(&chromaprint_start) start = nullptr;
  decltype(&chromaprint_feed) feed = nullptr;
  decltype(&chromaprint_finish) finish = nullptr;
  decltype(&chromaprint_get_raw_fingerprint) get_raw_fingerprint = nullptr;
  decltype(&chromaprint_encode_fingerprint) encode_fingerprint = nullptr;
  decltype(&chromaprint_get_version) get_version = nullptr;
};

#ifdef TONEARM_CHROMAPRINT_LINKED

const Chromaprint& chromaprint() {
  static constexpr Chromaprint kLinked{.create = chromaprint_new,
                                       .free = chromaprint_free,
                                       .dealloc = chromaprint_dealloc,
                                       .start = chromaprint_start,
                                       .feed = chromaprint_feed,
                                       .finish = chromaprint_finish,
                                       .get_raw_fingerprint = chromaprint_get_raw_fingerprint,
                                       .encode_fingerprint = chromaprint_encode_fingerprint,
                                       .get_version = chromaprint_get_version};
  return kLinked;
}

#else

constexpr const char* kLibrary = "libchromaprint.so.1";

template <class Function>
void find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(::dlsym(library, name));
  if (function == nullptr) throw Failure(fmt::format("{} has no function {}", kLibrary, name));
}

Chromaprint load_chromaprint() {
  auto* library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw Failure(fmt::format("{} cannot be loaded; Debian's package libchromaprint1 has it", kLibrary));
  }
  Chromaprint loaded;
  find(library, "chromaprint_new", loaded.create);
  find(library, "chromaprint_free", loaded.free);
  find(library, "chromaprint_dealloc", loaded.dealloc);
  find(library, "chromaprint_start", loaded.start);
  find(library, "chromaprint_feed", loaded.feed);
  find(library, "chromaprint_finish", loaded.finish);
  find(library, "chromaprint_get_raw_fingerprint", loaded.get_raw_fingerprint);
  find(library, "chromaprint_encode_fingerprint", loaded.encode_fingerprint);
  find(library, "chromaprint_get_version", loaded.get_version);
  return loaded;
}

/// Loads the library with the first sound that is fingerprinted: it links FFmpeg and with it some ninety libraries,
/// which no other command needs. docs/adr/0134-chromaprint-is-loaded-when-needed.md
const Chromaprint& chromaprint() {
  static const Chromaprint kLoaded = load_chromaprint();
  return kLoaded;
}

#endif

void check(int worked) {
  if (worked != 1) throw Failure("Chromaprint failed");
}

}  // namespace

Fingerprinter::Fingerprinter() : context_(chromaprint().create(CHROMAPRINT_ALGORITHM_TEST2), chromaprint().free) {
  if (!context_) throw Failure("Chromaprint does not start");
}

void Fingerprinter::begin(Format format) {
  channels_ = format.channels;
  samples_left_ = kFingerprintSeconds * format.sample_rate * channels_;
  check(chromaprint().start(context_.get(), static_cast<int>(format.sample_rate), static_cast<int>(channels_)));
}

void Fingerprinter::add(std::span<const float> block) {
  block = block.first(static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), samples_left_)));
  if (block.empty()) return;
  samples_left_ -= block.size();
  buffer_.resize(block.size());
  std::transform(block.begin(), block.end(), buffer_.begin(), [](float sample) {
    return static_cast<std::int16_t>(std::lround(std::clamp(sample * 32'768, -32'768.F, 32'767.F)));
  });
  check(chromaprint().feed(context_.get(), buffer_.data(), static_cast<int>(buffer_.size())));
}

std::vector<std::uint32_t> Fingerprinter::finish() {
  check(chromaprint().finish(context_.get()));
  std::uint32_t* values = nullptr;
  int size = 0;
  // Chromaprint fails if the recording is too short.
  if (chromaprint().get_raw_fingerprint(context_.get(), &values, &size) != 1 || values == nullptr) return {};
  const std::unique_ptr<std::uint32_t, decltype(&chromaprint_dealloc)> owner(values, chromaprint().dealloc);
  return {values, values + std::max(size, 0)};
}

std::string compressed_fingerprint(std::span<const std::uint32_t> values) {
  char* text = nullptr;
  int size = 0;
  check(chromaprint().encode_fingerprint(values.data(), static_cast<int>(values.size()), CHROMAPRINT_ALGORITHM_TEST2,
                                         &text, &size, 1));
  const std::unique_ptr<char, decltype(&chromaprint_dealloc)> owner(text, chromaprint().dealloc);
  return {text, static_cast<std::size_t>(std::max(size, 0))};
}

std::string fingerprint_version() { return fmt::format("chromaprint-{}", chromaprint().get_version()); }

}  // namespace tonearm::audio
