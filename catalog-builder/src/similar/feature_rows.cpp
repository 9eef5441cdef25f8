#include "similar/feature_rows.h"

#include <algorithm>
#include <utility>

#include "system/threads.h"
#include "tonearm/result.h"

namespace tonearm::builder {

void FeatureRows::append(std::span<const NamedFeature> features) {
  if (blocks_.empty() || blocks_.back().ends.size() == kBlockRows) {
    if (!blocks_.empty()) blocks_.back().entries.shrink_to_fit();
    blocks_.emplace_back().ends.reserve(kBlockRows);
  }
  Block& block = blocks_.back();
  for (const auto& feature : features) {
    const auto number = seen_.number_of(feature.name);
    if (number == seen_counts_.size()) {
      if (number == kFeaturesMax) throw Failure("the tracks have too many words and tags to compare");
      seen_counts_.push_back(0);
      seen_signals_.push_back(feature.signal);
    }
    ++seen_counts_[number];
    block.entries.emplace_back(number, feature.weight);
  }
  block.ends.push_back(static_cast<std::uint32_t>(block.entries.size()));
}

void FeatureRows::finish(std::vector<std::uint32_t> order, std::uint32_t threads) {
  order_ = std::move(order);
  const auto numbers = assign_numbers();
  native::in_blocks(blocks_.size(), 1, threads,
                    [&](std::size_t begin, std::size_t) { renumber(blocks_[begin], numbers); });
  signatures_.resize(size());
  native::in_blocks(size(), kBlockRows, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) signatures_[i] = signature_of(packed_row(i));
  });
}

/// Returns the final number of each provisional one. The entries of a row are still in the order of their names, so
/// the numbers do not depend on the order in which rows were appended.
std::vector<std::uint32_t> FeatureRows::assign_numbers() {
  const auto seen_counts = std::exchange(seen_counts_, {});
  const auto seen_signals = std::exchange(seen_signals_, {});
  const auto seen = std::exchange(seen_, {});
  const auto all = log2_sixteenths(std::max<std::size_t>(size(), 1));
  std::vector<std::uint32_t> numbers(seen.size(), kDropped);
  for (std::size_t i = 0; i < size(); ++i) {
    for (const Packed entry : packed_row(i)) {
      const auto provisional = entry.feature();
      const auto count = seen_counts[provisional];
      if (count < 2 || numbers[provisional] != kDropped) continue;
      numbers[provisional] = static_cast<std::uint32_t>(names_.size());
      names_.push_back(seen.hashes()[provisional]);
      counts_.push_back(count);
      signals_.push_back(seen_signals[provisional]);
      // A feature of all tracks says little, but a small catalog may have no other.
      rare_factors_.push_back(static_cast<std::uint16_t>(all - log2_sixteenths(count) + 4));
    }
  }
  return numbers;
}

void FeatureRows::renumber(Block& block, std::span<const std::uint32_t> numbers) const {
  auto to = block.entries.begin();
  std::uint32_t from = 0;
  for (auto& end : block.ends) {
    const auto row = to;
    for (; from < end; ++from) {
      const Packed entry = block.entries[from];
      const auto number = numbers[entry.feature()];
      if (number != kDropped) *to++ = Packed(number, entry.weight());
    }
    std::sort(row, to);
    end = static_cast<std::uint32_t>(to - block.entries.begin());
  }
  block.entries.erase(to, block.entries.end());
  block.entries.shrink_to_fit();
}

FeatureRows::Signature FeatureRows::signature_of(std::span<const Packed> row) const {
  Signature signature{};
  for (const Packed entry : row) {
    if (signals_[entry.feature()] == Signal::none) continue;
    const auto bit = names_[entry.feature()] % (64 * signature.size());
    signature[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  return signature;
}

std::vector<FeatureRows::Entry> FeatureRows::row(std::size_t index) const {
  const auto packed = packed_row(index);
  std::vector<Entry> row;
  row.reserve(packed.size());
  std::uint64_t squares = 0;
  for (const Packed entry : packed) {
    const std::uint32_t weight = entry.weight() * rare_factors_[entry.feature()];
    row.push_back({entry.feature(), weight});
    squares += std::uint64_t{weight} * weight;
  }
  const auto length = std::max<std::uint64_t>(integer_sqrt(squares), 1);
  for (auto& entry : row) {
    entry.weight = static_cast<std::uint32_t>((entry.weight * kRowLength + length / 2) / length);
  }
  return row;
}

void FeatureRows::add_to(OrderedHash& hash) const {
  hash.add(std::uint64_t{names_.size()});
  for (std::size_t i = 0; i < names_.size(); ++i) {
    hash.add(names_[i]);
    hash.add(static_cast<std::uint64_t>(signals_[i]));
  }
  hash.add(std::uint64_t{size()});
  for (std::size_t i = 0; i < size(); ++i) {
    const auto row = packed_row(i);
    hash.add(std::uint64_t{row.size()});
    for (const Packed entry : row) hash.add(std::uint64_t{entry.packed()});
  }
}

bool FeatureRows::share_distinctive_feature(std::size_t a, std::size_t b) const {
  std::uint64_t common = 0;
  for (std::size_t i = 0; i < signatures_[a].size(); ++i) common |= signatures_[a][i] & signatures_[b][i];
  if (common == 0) return false;
  const auto of_a = packed_row(a);
  const auto of_b = packed_row(b);
  for (std::size_t i = 0, k = 0; i < of_a.size() && k < of_b.size();) {
    const std::uint32_t feature = of_a[i].feature();
    if (feature == of_b[k].feature() && signals_[feature] == Signal::distinctive) return true;
    if (feature <= of_b[k].feature()) {
      ++i;
    } else {
      ++k;
    }
  }
  return false;
}

}  // namespace tonearm::builder
