#pragma once
// The performance goals of the service, and whether a run meets them.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report.h"

namespace tonearm::bench {

/// Times of one engine for the queries of some classes that it supports.
struct Sample {
  std::vector<double> ms;

  bool empty() const { return ms.empty(); }
  double mean() const;
  /// Returns the smallest time that at least this share does not exceed. REQUIRES: not empty.
  double percentile(double share) const;
};

/// Returns the times of `engine` in the class with that name; "mix": the four classes of the mix together.
Sample sample_of(const Run& run, std::size_t engine, const std::string& query_class);
/// The times of both engines for the queries that both answered.
struct Samples {
  Sample one, other;
};
Samples samples_of(const Run& run, std::size_t one, std::size_t other, const std::string& query_class);
/// Finds the engine with that name if it took part.
std::optional<std::size_t> find_engine(const Run& run, const std::string& name);

/// The name of the four classes together.
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
