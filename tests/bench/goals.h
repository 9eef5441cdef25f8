#pragma once
// The goals that the service is held to, and what a run says of them.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report.h"

namespace tonearm::bench {

/// Times of one engine over queries of some classes, as far as it took part.
struct Sample {
  std::vector<double> ms;

  bool empty() const { return ms.empty(); }
  double mean() const;
  /// The smallest time that at least this share of all does not exceed. REQUIRES: not empty.
  double percentile(double share) const;
};

/// The times of `engine` in the class of that name; "mix": the four classes of the mix together.
Sample sample_of(const Run& run, std::size_t engine, const std::string& query_class);
/// The times of both over the queries that both answered.
struct Samples {
  Sample one, other;
};
Samples samples_of(const Run& run, std::size_t one, std::size_t other, const std::string& query_class);
/// The engine of that name, where it took part.
std::optional<std::size_t> find_engine(const Run& run, const std::string& name);

/// What stands for several classes.
inline constexpr const char* kMixName = "mix";
inline constexpr const char* kAllName = "all";
bool belongs(const Query& query, const std::string& query_class);

struct Goal {
  const char* name;
  double gate;  // at most
  double aim;   // at most
  enum class Unit { share, times, seconds, megabytes } unit;
  std::function<std::optional<double>(const Run&)> measure;
};

const std::vector<Goal>& goals();

/// "1/150", "6.0x", "0.30 s", "150 MB"
std::string goal_text(Goal::Unit unit, double value);

}  // namespace tonearm::bench
