#include "goals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tonearm::bench {
namespace {

constexpr const char* kFts5 = "plain FTS5";
constexpr const char* kXapian = "Xapian";
constexpr double kP99 = 0.99;

/// Our time divided by the peer's for every query of the class that both answered.
std::vector<double> ratios(const Run& run, const char* peer, const std::string& query_class) {
  std::vector<double> all;
  if (const auto engine = find_engine(run, peer)) {
    const auto [ours, theirs] = samples_of(run, 0, *engine, query_class);
    for (std::size_t i = 0; i < ours.ms.size(); ++i) all.push_back(ours.ms[i] / theirs.ms[i]);
  }
  return all;
}

std::optional<double> geometric_mean(const Run& run) {
  const auto all = ratios(run, kFts5, kMixName);
  if (all.empty()) return std::nullopt;
  const double sum = std::accumulate(all.begin(), all.end(), 0.0, [](double a, double b) { return a + std::log(b); });
  return std::exp(sum / static_cast<double>(all.size()));
}

std::optional<double> worst(const Run& run) {
  const auto all = ratios(run, kFts5, kAllName);
  if (all.empty()) return std::nullopt;
  return *std::max_element(all.begin(), all.end());
}

std::optional<double> of_means(const Run& run, const char* peer, const std::string& query_class) {
  const auto engine = find_engine(run, peer);
  if (!engine) return std::nullopt;
  const auto [ours, theirs] = samples_of(run, 0, *engine, query_class);
  return ours.empty() ? std::nullopt : std::optional(ours.mean() / theirs.mean());
}

std::optional<double> p99_of_all(const Run& run) {
  const auto engine = find_engine(run, kFts5);
  if (!engine) return std::nullopt;
  const auto [ours, theirs] = samples_of(run, 0, *engine, kMixName);
  return ours.empty() ? std::nullopt : std::optional(ours.percentile(kP99) / theirs.percentile(kP99));
}

/// Compares two classes of ours whose queries are in the same order.
std::optional<double> of_classes(const Run& run, const std::string& slow, const std::string& fast) {
  const Sample above = sample_of(run, 0, slow);
  const Sample below = sample_of(run, 0, fast);
  if (above.empty() || below.empty()) return std::nullopt;
  return above.mean() / below.mean();
}

/// Compares match=auto with match=all for the same queries: those for which enough tracks have all words, or the
/// others.
std::optional<double> of_auto(const Run& run, bool has_enough) {
  constexpr std::uint64_t kEnough = 20;
  std::vector<std::size_t> all;
  std::vector<std::size_t> automatic;
  for (std::size_t i = 0; i < run.queries.size(); ++i) {
    if (run.queries[i].query_class == kMixOfAuto) automatic.push_back(i);
    if (in_mix(run.queries[i]) && has_words(run.queries[i])) all.push_back(i);
  }
  double above = 0;
  double below = 0;
  for (std::size_t i = 0; i < std::min(all.size(), automatic.size()); ++i) {
    if ((run.outcomes[all[i]].total >= kEnough) != has_enough) continue;
    above += run.outcomes[automatic[i]].ms[0].value_or(0);
    below += run.outcomes[all[i]].ms[0].value_or(0);
  }
  return below == 0 ? std::nullopt : std::optional(above / below);
}

std::optional<double> p99_seconds(const Run& run, std::string_view query_class) {
  constexpr double kSecondMs = 1000;
  const Sample sample = sample_of(run, 0, std::string(query_class));
  return sample.empty() ? std::nullopt : std::optional(sample.percentile(kP99) / kSecondMs);
}

std::optional<double> open_seconds(const Run& run) {
  constexpr double kSecondMs = 1000;
  return run.alone ? std::optional(run.alone->open_ms / kSecondMs) : std::nullopt;
}

std::optional<double> anonymous_megabytes(const Run& run) {
  constexpr double kMegabyteKb = 1024;
  return run.alone ? std::optional(static_cast<double>(run.alone->anonymous_kb) / kMegabyteKb) : std::nullopt;
}

}  // namespace

bool belongs(const Query& query, const std::string& query_class) {
  return query.query_class == query_class || query_class == kAllName || (query_class == kMixName && in_mix(query));
}

double Sample::mean() const { return std::accumulate(ms.begin(), ms.end(), 0.0) / static_cast<double>(ms.size()); }

double Sample::percentile(double share) const {
  auto sorted = ms;
  std::sort(sorted.begin(), sorted.end());
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted.at(std::max<std::size_t>(rank, 1) - 1);
}

Samples samples_of(const Run& run, std::size_t one, std::size_t other, const std::string& query_class) {
  Samples samples;
  for (std::size_t i = 0; i < run.queries.size(); ++i) {
    const auto& ms = run.outcomes[i].ms;
    if (!belongs(run.queries[i], query_class) || !ms[one] || !ms[other]) continue;
    samples.one.ms.push_back(*ms[one]);
    samples.other.ms.push_back(*ms[other]);
  }
  return samples;
}

Sample sample_of(const Run& run, std::size_t engine, const std::string& query_class) {
  return samples_of(run, engine, engine, query_class).one;
}

std::optional<std::size_t> find_engine(const Run& run, const std::string& name) {
  for (std::size_t i = 0; i < run.engines.size(); ++i) {
    if (run.engines[i]->name() == name) return i;
  }
  return std::nullopt;
}

const std::vector<Goal>& goals() {
  using enum Goal::Unit;
  static const std::vector<Goal> all{
      {"geometric mean of the mix against plain FTS5", 1.0 / 20, 1.0 / 150, share, geometric_mean},
      {"common words, mean against plain FTS5", 1.0 / 300, 1.0 / 2000, share,
       [](const Run& run) { return of_means(run, kFts5, "common"); }},
      {"p99 of the mix against plain FTS5", 1.0 / 300, 1.0 / 1000, share, p99_of_all},
      {"mean of the mix against Xapian", 1.0 / 10, 1.0 / 30, share,
       [](const Run& run) { return of_means(run, kXapian, kMixName); }},
      {"worst single query against plain FTS5", 1, 1.0 / 2, share, worst},
      {"page at offset 10,000 against page 1", 15, 6, times,
       [](const Run& run) { return of_classes(run, "deep", "page 1"); }},
      {"page with a new seed against the default shuffle", 10, 3, times,
       [](const Run& run) { return of_classes(run, "new seed", "shuffle"); }},
      {"mix with match=most against the mix", 5, 3, times,
       [](const Run& run) { return of_classes(run, std::string(kMixOfMost), kMixName); }},
      {"p99 of the mix with match=most", 0.01, 0.005, seconds,
       [](const Run& run) { return p99_seconds(run, kMixOfMost); }},
      {"match=auto against all, where 20 tracks have all words", 1.3, 1.1, times,
       [](const Run& run) { return of_auto(run, true); }},
      {"match=auto against all, where fewer have", 5, 3, times, [](const Run& run) { return of_auto(run, false); }},
      {"p99 of sentences of 16 words", 0.01, 0.005, seconds,
       [](const Run& run) { return p99_seconds(run, "sentences"); }},
      {"p99 of completions", 0.001, 0.0005, seconds, [](const Run& run) { return p99_seconds(run, "completions"); }},
      {"p99 of the mix with three facets", 0.005, 0.002, seconds,
       [](const Run& run) { return p99_seconds(run, kMixOfFacets); }},
      {"opening the snapshot", 1, 0.3, seconds, open_seconds},
      {"anonymous memory", 350, 150, megabytes, anonymous_megabytes},
  };
  return all;
}

std::string goal_text(Goal::Unit unit, double value) {
  using enum Goal::Unit;
  switch (unit) {
    case share:
      return value >= 1 ? fmt::format("{:.1f}", value) : fmt::format("1/{:.1f}", 1 / value);
    case times:
      return fmt::format("{:.1f}x", value);
    case seconds:
      return fmt::format("{:.3f} s", value);
    case megabytes:
      return fmt::format("{:.0f} MB", value);
  }
  return {};
}

}  // namespace tonearm::bench
