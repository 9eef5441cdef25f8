#include "sounds.h"

#include <chromaprint.h>

#include <memory>
#include <random>
#include <stdexcept>

namespace tonearm::fingerprints {
namespace {

using Context = std::unique_ptr<ChromaprintContext, decltype(&chromaprint_free)>;

void require(int answer) {
  if (answer != 1) throw std::runtime_error("Chromaprint refused");
}

std::size_t below(std::mt19937_64& random, std::size_t count) { return static_cast<std::size_t>(random() % count); }

}  // namespace

Values fingerprint_of(std::span<const std::int16_t> samples, int rate) {
  const Context context(chromaprint_new(CHROMAPRINT_ALGORITHM_TEST2), chromaprint_free);
  require(chromaprint_start(context.get(), rate, 1));
  if (!samples.empty()) require(chromaprint_feed(context.get(), samples.data(), static_cast<int>(samples.size())));
  require(chromaprint_finish(context.get()));
  std::uint32_t* raw = nullptr;
  int size = 0;
  if (chromaprint_get_raw_fingerprint(context.get(), &raw, &size) != 1) return {};
  Values values(raw, raw + size);
  chromaprint_dealloc(raw);
  return values;
}

std::string compressed(const Values& values) {
  char* text = nullptr;
  int size = 0;
  require(chromaprint_encode_fingerprint(values.data(), static_cast<int>(values.size()), CHROMAPRINT_ALGORITHM_TEST2,
                                         &text, &size, 1));
  std::string base64(text, static_cast<std::size_t>(size));
  chromaprint_dealloc(text);
  return base64;
}

Generated::Generated(std::vector<Values> models) {
  for (Values& model : models) {
    if (model.size() > 1) models_.push_back(std::move(model));
  }
  if (models_.empty()) throw std::runtime_error("no models");
}

Values Generated::make(std::uint64_t number, std::size_t size) const {
  std::mt19937_64 random(number);
  const auto place = [&](std::size_t after) {
    const Values& model = models_[below(random, models_.size())];
    return &model[below(random, model.size() - after)];
  };
  Values values;
  values.reserve(size);
  std::uint32_t value = 0;
  while (values.size() < size) {
    if (values.size() % 12 == 0) value = *place(0);
    values.push_back(value);
    const std::uint32_t* const from = place(1);
    value ^= from[0] ^ from[1];
  }
  return values;
}

Values with_errors(Values values, std::uint64_t seed, unsigned percent) {
  std::mt19937_64 random(seed);
  for (std::uint32_t& value : values) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      if (random() % 100 < percent) value ^= std::uint32_t{1} << bit;
    }
  }
  return values;
}

}  // namespace tonearm::fingerprints
