#include "measure.h"

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <ostream>

namespace tonearm::bench {
namespace {

/// Fast queries are repeated until a round takes about this long.
constexpr double kRoundMs = 10;
constexpr double kCallsMax = 100;

class Stopwatch {
 public:
  double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_).count();
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

struct PageShape {
  std::uint64_t total = 0;
  std::size_t tracks = 0;
};

/// Throws boost::system::system_error or std::exception if the body is not a page.
PageShape shape_of(const std::string& body) {
  const auto page = boost::json::parse(body);
  return {page.at("total").to_number<std::uint64_t>(), page.at("tracks").as_array().size()};
}

std::size_t tracks_due(const SearchQuery& search, std::uint64_t total) {
  return total <= search.offset
             ? 0
             : static_cast<std::size_t>(std::min<std::uint64_t>(search.limit, total - search.offset));
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

Measurement::Measurement(const std::vector<std::unique_ptr<Engine>>& engines, const std::vector<Query>& queries)
    : engines_(engines), queries_(queries), outcomes_(queries.size()) {
  for (auto& outcome : outcomes_) outcome.ms.resize(engines.size());
}

Checks Measurement::check_totals(std::ostream& mismatches) {
  Checks checks;
  for (std::size_t query = 0; query < queries_.size(); ++query) {
    for (std::size_t engine = 0; engine < engines_.size(); ++engine) {
      if (!engines_[engine]->supports(queries_[query])) continue;
      ++(check(engine, query, mismatches) ? checks.passed : checks.failed);
    }
    for (const auto& engine : engines_) engine->run_housekeeping();
  }
  return checks;
}

bool Measurement::check(std::size_t engine, std::size_t query, std::ostream& mismatches) {
  const Query& asked = queries_[query];
  Outcome& outcome = outcomes_[query];
  const auto mismatch = [&](const std::string& what) {
    mismatches << engines_[engine]->name() << ": " << asked.target << ": " << what << '\n';
    return false;
  };
  try {
    const std::string target = target_of(asked, ++calls_);
    const Stopwatch watch;
    const std::string body = engines_[engine]->answer(target);
    outcome.ms[engine] = watch.ms();
    if (engine == 0) outcome.body_bytes = body.size();
    if (!body.starts_with(R"({"tracks":)")) return true;
    const PageShape shape = shape_of(body);
    if (engine == 0) outcome.total = shape.total;
    if (!asked.search) return true;
    if (shape.total != outcome.total) {
      return mismatch("total " + std::to_string(shape.total) + ", ours is " + std::to_string(outcome.total));
    }
    const std::size_t due = tracks_due(*asked.search, shape.total);
    if (shape.tracks == due) return true;
    return mismatch(std::to_string(shape.tracks) + " tracks on the page instead of " + std::to_string(due));
  } catch (const std::exception& exception) {
    return mismatch(exception.what());
  }
}

/// If nothing matches, the service also looks for suggestions, which no peer does.
void Measurement::drop_incomparable() {
  for (std::size_t query = 0; query < queries_.size(); ++query) {
    auto& outcome = outcomes_[query];
    if (queries_[query].search && outcome.total > 0) continue;
    for (std::size_t engine = 0; engine < engines_.size(); ++engine) {
      if (engines_[engine]->is_peer()) outcome.ms[engine].reset();
    }
  }
}

void Measurement::time(std::size_t rounds, std::ostream& progress) {
  drop_incomparable();
  std::vector<std::vector<std::vector<double>>> times(queries_.size());
  for (auto& of_query : times) of_query.resize(engines_.size());
  for (std::size_t round = 1; round <= rounds; ++round) {
    progress << "round " << round << " of " << rounds << std::endl;
    for (std::size_t query = 0; query < queries_.size(); ++query) {
      for (std::size_t engine = 0; engine < engines_.size(); ++engine) {
        if (!outcomes_[query].ms[engine]) continue;
        auto& ms = outcomes_[query].ms[engine];
        ms = time_calls(engine, query);
        times[query][engine].push_back(*ms);
        engines_[engine]->run_housekeeping();
      }
    }
  }
  for (std::size_t query = 0; query < queries_.size(); ++query) {
    for (std::size_t engine = 0; engine < engines_.size(); ++engine) {
      auto& ms = outcomes_[query].ms[engine];
      if (ms) ms = median(times[query][engine]);
    }
  }
}

/// Returns the mean of several calls, after one warm-up call if that is cheap.
double Measurement::time_calls(std::size_t engine, std::size_t query) {
  const double expected_ms = *outcomes_[query].ms[engine];
  const auto counted = static_cast<std::size_t>(std::clamp(kRoundMs / expected_ms, 1.0, kCallsMax));
  const std::size_t uncounted = counted > 1 ? 1 : 0;
  double sum_ms = 0;
  for (std::size_t call = 0; call < uncounted + counted; ++call) {
    const std::string target = target_of(queries_[query], ++calls_);
    const Stopwatch watch;
    const std::string body = engines_[engine]->answer(target);
    if (call >= uncounted) sum_ms += watch.ms();
  }
  return sum_ms / static_cast<double>(counted);
}

}  // namespace tonearm::bench
