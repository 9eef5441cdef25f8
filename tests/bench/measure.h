#pragma once
// Sends every query to every engine: first to compare totals, then to measure times.

#include <iosfwd>
#include <memory>
#include <optional>
#include <vector>

#include "engine.h"

namespace tonearm::bench {

struct Checks {
  std::size_t passed = 0;
  std::size_t failed = 0;
};

/// The results of a query, indexed by engine; the service is first.
struct Outcome {
  std::uint64_t total = 0;
  std::size_t body_bytes = 0;
  /// The time of one call; empty if the engine does not support the query or answers less than the service.
  std::vector<std::optional<double>> ms;
};

class Measurement {
 public:
  /// `engines` (the service first) and `queries` must outlive the object.
  Measurement(const std::vector<std::unique_ptr<Engine>>& engines, const std::vector<Query>& queries);

  /// Compares totals and pages; one check per query and engine. Writes disagreements to `mismatches`.
  Checks check_totals(std::ostream& mismatches);

  /// Times every query in every round, one engine after the other. A query's time is the median of its rounds.
  /// REQUIRES: `check_totals` ran, which also warms everything up.
  void time(std::size_t rounds, std::ostream& progress);

  const std::vector<Outcome>& outcomes() const { return outcomes_; }

 private:
  void drop_incomparable();
  bool check(std::size_t engine, std::size_t query, std::ostream& mismatches);
  double time_calls(std::size_t engine, std::size_t query);

  const std::vector<std::unique_ptr<Engine>>& engines_;
  const std::vector<Query>& queries_;
  std::vector<Outcome> outcomes_;
  std::uint64_t calls_ = 0;  // so far
};

}  // namespace tonearm::bench
