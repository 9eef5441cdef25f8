#include "similar/neighbors_vectors.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "system/threads.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kAxes = kDimensions / 2;
constexpr std::size_t kHashed = kDimensions - kAxes;

/// The axes are learned from the most frequent features and a sample of the rows, in this many rounds.
constexpr std::size_t kLearnedFeaturesMax = 16'384;
constexpr std::size_t kLearnedRowsMax = 65'536;
constexpr int kRounds = 4;

constexpr int kUnitBits = 20;
constexpr std::int64_t kUnit = std::int64_t{1} << kUnitBits;  // the length 1 of a feature's vector
constexpr std::int64_t kLength = 127;                         // of a track's vector, before it is rounded

/// The remainder that the axes do not express is weighted by five eighths, because some of it agrees by chance, and is
/// spread over 64 equal values: each is an eighth of their length.
constexpr std::int64_t kHashedThousandths = 1000 * 5 / 8 / 8;
static_assert(kHashed == 64, "each bit of a feature's hash is the sign of one value");

using Column = std::vector<std::int64_t>;  // an axis: a value for each learned feature

/// Divides by a power of two until no value has more than `bits` bits.
void shrink(Column& column, int bits) {
  std::uint64_t any = 0;
  for (const auto value : column) any |= static_cast<std::uint64_t>(value < 0 ? -value : value);
  const int shift = std::max(0, static_cast<int>(std::bit_width(any)) - bits);
  for (auto& value : column) value /= std::int64_t{1} << shift;
}

std::int64_t product(const Column& a, const Column& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), std::int64_t{0});
}

/// Runs the Gram-Schmidt process: axes get length kUnit, and an axis that adds nothing becomes 0.
void orthonormalize(std::vector<Column>& axes) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    auto& axis = axes[i];
    shrink(axis, 22);  // 2^14 products of 2^22 and 2^22 stay below 2^63
    for (std::size_t before = 0; before < i; ++before) {
      const auto along = product(axes[before], axis) / kUnit;
      for (std::size_t f = 0; f < axis.size(); ++f) axis[f] -= along * axes[before][f] / kUnit;
    }
    const auto squares = static_cast<std::uint64_t>(product(axis, axis));
    const auto length = static_cast<std::int64_t>(integer_sqrt(squares));
    for (auto& value : axis) value = length < 1'024 ? 0 : value * kUnit / length;
  }
}

/// A feature's values along the axes, in units of kUnit.
using AxisValues = std::array<std::int32_t, kAxes>;
/// The sums of each learned feature along the axes.
using Sums = std::vector<std::array<std::int64_t, kAxes>>;

class Axes {
 public:
  Axes(const FeatureRows& rows, std::uint32_t threads) : rows_(rows), threads_(std::max(threads, 1U)) {
    choose_features();
    axes_.resize(kAxes, Column(learned_.size()));
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      for (std::size_t i = 0; i < learned_.size(); ++i) {
        axes_[axis][i] = static_cast<std::int64_t>(mix64(rows.names()[learned_[i]] + axis) >> 44U) - (kUnit / 2);
      }
    }
    for (int round = 0; round < kRounds; ++round) {
      orthonormalize(axes_);
      store_values();
      multiply();
    }
    orthonormalize(axes_);
    store_values();
  }

  /// Returns the values of a feature, or nullptr if it is not learned, so that they are all 0.
  const AxisValues* values_of(std::uint32_t feature) const {
    const auto index = index_in_learned_[feature];
    return index == kNotLearned ? nullptr : &values_[index];
  }

 private:
  void choose_features() {
    const auto counts = rows_.counts();
    const auto names = rows_.names();
    learned_.resize(counts.size());
    std::iota(learned_.begin(), learned_.end(), 0U);
    const auto is_more_frequent = [&](std::uint32_t a, std::uint32_t b) {
      return counts[a] != counts[b] ? counts[a] > counts[b] : names[a] < names[b];
    };
    std::sort(learned_.begin(), learned_.end(), is_more_frequent);
    if (learned_.size() > kLearnedFeaturesMax) learned_.resize(kLearnedFeaturesMax);
    values_.resize(learned_.size());
    index_in_learned_.assign(counts.size(), kNotLearned);
    for (std::uint32_t i = 0; i < learned_.size(); ++i) index_in_learned_[learned_[i]] = i;
  }

  void store_values() {
    for (std::size_t i = 0; i < learned_.size(); ++i) {
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        values_[i][axis] = static_cast<std::int32_t>(axes_[axis][i]);
      }
    }
  }

  /// Runs one step of the power method: multiplies the axes by the rows, and back. Each thread sums a part of the rows.
  void multiply() {
    const std::size_t count = std::min(rows_.size(), kLearnedRowsMax);
    const std::size_t part = (count + threads_ - 1) / threads_;
    std::vector<Sums> sums((count + part - 1) / part, Sums(learned_.size()));
    native::in_blocks(count, part, threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) add(rows_.row(i * rows_.size() / count), sums[begin / part]);
    });
    for (std::size_t i = 0; i < learned_.size(); ++i) {
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        axes_[axis][i] = std::accumulate(sums.begin(), sums.end(), std::int64_t{0},
                                         [&](std::int64_t sum, const Sums& of) { return sum + of[i][axis]; });
      }
    }
  }

  void add(const std::vector<FeatureRows::Entry>& row, Sums& sums) const {
    std::array<std::int64_t, kAxes> along{};
    for (const auto& entry : row) {
      const auto* values = values_of(entry.feature);
      if (values == nullptr) continue;
      for (std::size_t axis = 0; axis < kAxes; ++axis) along[axis] += std::int64_t{entry.weight} * (*values)[axis];
    }
    for (auto& value : along) value /= static_cast<std::int64_t>(FeatureRows::kRowLength);
    for (const auto& entry : row) {
      const auto index = index_in_learned_[entry.feature];
      if (index == kNotLearned) continue;
      for (std::size_t axis = 0; axis < kAxes; ++axis) sums[index][axis] += entry.weight * along[axis];
    }
  }

  static constexpr auto kNotLearned = std::numeric_limits<std::uint32_t>::max();

  const FeatureRows& rows_;
  std::uint32_t threads_;
  std::vector<std::uint32_t> learned_;           // numbers of features, the most frequent first
  std::vector<std::uint32_t> index_in_learned_;  // by number of the feature
  std::vector<Column> axes_;
  std::vector<AxisValues> values_;  // of each learned feature
};

/// Returns the length of the part of a feature that the axes do not express.
std::int32_t remainder_of(const AxisValues* values) {
  std::int64_t expressed = 0;
  if (values != nullptr) {
    for (const std::int64_t value : *values) expressed += value * value;
  }
  const auto remainder = std::max<std::int64_t>(kUnit * kUnit - expressed, 0);
  return static_cast<std::int32_t>(integer_sqrt(static_cast<std::uint64_t>(remainder)));
}

Vector rounded(const std::array<std::int64_t, kDimensions>& sums) {
  std::int64_t squares = 0;
  for (const auto sum : sums) squares += (sum >> 8) * (sum >> 8);
  const auto length =
      std::max<std::int64_t>(static_cast<std::int64_t>(integer_sqrt(static_cast<std::uint64_t>(squares))), 1);
  Vector vector{};
  for (std::size_t d = 0; d < kDimensions; ++d) {
    const auto twice = 2 * (sums[d] >> 8) * kLength;
    vector[d] = static_cast<std::int8_t>((twice + (twice < 0 ? -length : length)) / (2 * length));
  }
  return vector;
}

}  // namespace

std::vector<Vector> vectors_of(const FeatureRows& rows, std::uint32_t threads) {
  const Axes axes(rows, threads);
  std::vector<std::int32_t> remainders(rows.names().size());
  for (std::uint32_t i = 0; i < remainders.size(); ++i) remainders[i] = remainder_of(axes.values_of(i));
  std::vector<Vector> vectors(rows.size());
  native::in_blocks(rows.size(), 1024, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::array<std::int64_t, kDimensions> sums{};
      for (const auto& entry : rows.row(i)) {
        if (const auto* along = axes.values_of(entry.feature)) {
          for (std::size_t axis = 0; axis < kAxes; ++axis) sums[axis] += std::int64_t{entry.weight} * (*along)[axis];
        }
        const auto rest = std::int64_t{entry.weight} * remainders[entry.feature] * kHashedThousandths / 1000;
        const auto signs = mix64(rows.names()[entry.feature]);
        for (std::size_t d = 0; d < kHashed; ++d) sums[kAxes + d] += (signs >> d & 1U) != 0 ? rest : -rest;
      }
      vectors[i] = rounded(sums);
    }
  });
  return vectors;
}

}  // namespace tonearm::builder
