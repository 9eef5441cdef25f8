#pragma once
// Asks every engine every query: first for the totals, then for the times.

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

/// What a query showed. Indexed by engine, the service first.
struct Outcome {
  std::uint64_t total = 0;
  std::size_t body_bytes = 0;
  /// Of one call; none where the engine has no form of the query, or answers less than we do.
  std::vector<std::optional<double>> ms;
};

class Measurement {
 public:
  /// `engines`, the service first, and `queries` outlive it.
  Measurement(const std::vector<std::unique_ptr<Engine>>& engines, const std::vector<Query>& queries);

  /// Compares totals and pages; one check for each query and engine. Disagreements are written to `mismatches`.
  Checks check_totals(std::ostream& mismatches);

  /// Times every query in every round, one engine after the other. The time of a query is the median over the rounds.
  /// REQUIRES: `check_totals` ran, and so all is warm.
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
