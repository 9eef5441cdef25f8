#include "report.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <thread>

#include "goals.h"

namespace tonearm::bench {
namespace {

constexpr double kP50 = 0.5;
constexpr double kP99 = 0.99;

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

/// Returns the mix, its classes, then the others in the order of the data file.
std::vector<std::string> classes_of(const Run& run) {
  std::vector<std::string> classes{kMixName};
  for (const auto& query : run.queries) {
    if (std::find(classes.begin(), classes.end(), query.query_class) == classes.end())
      classes.push_back(query.query_class);
  }
  return classes;
}

std::string time_text(double ms) { return fmt::format("{:.{}f}", ms, ms < 10 ? 3 : 1); }

void write_row(std::ostream& out, const Run& run, const std::string& query_class, std::size_t engine) {
  const Sample sample = sample_of(run, engine, query_class);
  if (sample.empty()) return;
  std::string ratio = "-";
  if (const auto fts5 = find_engine(run, "plain FTS5")) {
    const auto [both, reference] = samples_of(run, engine, *fts5, query_class);
    if (!both.empty()) ratio = fmt::format("{:.2f}", reference.mean() / both.mean());
  }
  out << fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", engine == 0 ? query_class : "", sample.ms.size(),
                     run.engines[engine]->name(), time_text(sample.mean()), time_text(sample.percentile(kP50)),
                     time_text(sample.percentile(kP99)), ratio);
}

boost::json::object query_object(const Run& run, std::size_t index) {
  const Outcome& outcome = run.outcomes[index];
  boost::json::object ms;
  for (std::size_t engine = 0; engine < run.engines.size(); ++engine) {
    if (outcome.ms[engine]) ms[run.engines[engine]->name()] = *outcome.ms[engine];
  }
  return {{"class", run.queries[index].query_class},
          {"target", run.queries[index].target},
          {"total", outcome.total},
          {"body_bytes", outcome.body_bytes},
          {"ms", std::move(ms)}};
}

}  // namespace

void write_machine(std::ostream& out, const Run& run) {
  out << fmt::format("{} tracks, seed {}, {} rounds, one thread, warm.\n\n", run.tracks, run.seed, run.rounds);
  out << fmt::format("- {}, {} processors\n- g++ {}\n", processor(), std::thread::hardware_concurrency(), __VERSION__);
  for (const auto& engine : run.engines) {
    if (engine->is_peer() || engine == run.engines.front()) out << "- " << engine->version() << '\n';
  }
  if (run.alone) {
    constexpr double kMegabyteKb = 1024;
    out << fmt::format(
        "- Tonearm alone: opened in {:.1f} ms, first answer after {:.1f} ms; anonymous memory {:.0f} MB then, {:.0f} "
        "MB "
        "after all queries\n",
        run.alone->open_ms, run.alone->first_answer_ms, static_cast<double>(run.alone->just_opened_kb) / kMegabyteKb,
        static_cast<double>(run.alone->anonymous_kb) / kMegabyteKb);
  }
  out << '\n';
}

void write_classes(std::ostream& out, const Run& run) {
  out << "Milliseconds for a call. The last column: the mean of plain FTS5 over that of the engine, where both "
         "answered.\n\n"
         "| class | queries | engine | mean | p50 | p99 | plain FTS5 / it |\n|---|---|---|---|---|---|---|\n";
  for (const auto& query_class : classes_of(run)) {
    for (std::size_t engine = 0; engine < run.engines.size(); ++engine) write_row(out, run, query_class, engine);
  }
  out << '\n';
}

void write_goals(std::ostream& out, const Run& run) {
  out << "| goal | gate | aim | measured | met |\n|---|---|---|---|---|\n";
  for (const auto& goal : goals()) {
    const auto value = goal.measure(run);
    const char* met = "-";
    if (value) met = *value <= goal.aim ? "aim" : *value <= goal.gate ? "gate" : "no";
    out << fmt::format("| {} | {} | {} | {} | {} |\n", goal.name, goal_text(goal.unit, goal.gate),
                       goal_text(goal.unit, goal.aim), value ? goal_text(goal.unit, *value) : "-", met);
  }
}

void write_worst(std::ostream& out, const Run& run) {
  constexpr std::size_t kShown = 8;
  const auto fts5 = find_engine(run, "plain FTS5");
  if (!fts5) return;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < run.queries.size(); ++i) {
    if (run.outcomes[i].ms[0] && run.outcomes[i].ms[*fts5]) order.push_back(i);
  }
  const auto ratio = [&](std::size_t i) { return *run.outcomes[i].ms[*fts5] / *run.outcomes[i].ms[0]; };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ratio(a) < ratio(b); });
  out << "\n| won least | total | Tonearm | plain FTS5 | plain FTS5 / Tonearm |\n|---|---|---|---|---|\n";
  order.resize(std::min(order.size(), kShown));
  for (const auto i : order) {
    const auto& outcome = run.outcomes[i];
    out << fmt::format("| {} | {} | {} | {} | {:.2f} |\n", run.queries[i].target, outcome.total,
                       time_text(*outcome.ms[0]), time_text(*outcome.ms[*fts5]), ratio(i));
  }
}

void write_json(const std::string& path, const Run& run) {
  boost::json::array engines;
  for (const auto& engine : run.engines) engines.push_back({{"name", engine->name()}, {"version", engine->version()}});
  boost::json::array queries;
  for (std::size_t i = 0; i < run.queries.size(); ++i) queries.push_back(query_object(run, i));
  boost::json::array measured;
  for (const auto& goal : goals()) {
    const auto value = goal.measure(run);
    measured.push_back({{"name", goal.name},
                        {"gate", goal.gate},
                        {"aim", goal.aim},
                        {"measured", value ? boost::json::value(*value) : boost::json::value(nullptr)}});
  }
  std::ofstream file(path, std::ios::binary);
  file << boost::json::serialize(boost::json::object{{"tracks", run.tracks},
                                                     {"seed", run.seed},
                                                     {"snapshot", run.snapshot},
                                                     {"processor", processor()},
                                                     {"engines", std::move(engines)},
                                                     {"goals", std::move(measured)},
                                                     {"queries", std::move(queries)}})
       << '\n';
  file.close();
  if (!file) throw std::runtime_error(path + " cannot be written");
}

}  // namespace tonearm::bench
