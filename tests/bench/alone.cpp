#include "alone.h"

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "process.h"
#include "service_engine.h"

namespace tonearm::bench {
namespace {

constexpr std::size_t kOpenings = 5;
constexpr std::uint64_t kCallsOfAQuery = 3;

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

std::uint64_t anonymous_kb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kb = 0;
    if (word == "RssAnon:" && status >> kb) return kb;
  }
  throw std::runtime_error("/proc/self/status does not tell RssAnon");
}

}  // namespace

void measure_alone(const std::string& snapshot, const std::string& state, const std::vector<Query>& queries,
                   const std::string& output) {
  Alone found;
  {
    const auto service = make_service(snapshot, {state, ServiceOptions().answer_cache_bytes, {}});
    found.just_opened_kb = anonymous_kb();
    const auto began = Clock::now();
    service->answer(target_of(queries.front(), 0));
    found.first_answer_ms = ms_since(began);
    std::uint64_t calls = 0;
    for (std::uint64_t round = 0; round < kCallsOfAQuery; ++round) {
      for (const auto& query : queries) {
        service->answer(target_of(query, ++calls));
        service->run_housekeeping();
      }
    }
    found.anonymous_kb = anonymous_kb();
  }
  std::vector<double> times;
  for (std::size_t i = 0; i < kOpenings; ++i) {
    const auto began = Clock::now();
    const auto catalog = open_snapshot(snapshot, {});
    times.push_back(ms_since(began));
  }
  std::sort(times.begin(), times.end());
  found.open_ms = times[kOpenings / 2];
  std::ofstream(output) << boost::json::serialize(boost::json::value{{"open_ms", found.open_ms},
                                                                     {"first_answer_ms", found.first_answer_ms},
                                                                     {"just_opened_kb", found.just_opened_kb},
                                                                     {"anonymous_kb", found.anonymous_kb}});
}

Alone run_alone(const std::vector<std::string>& command, const std::string& output) {
  test::run_program(command, {});
  std::ifstream file(output);
  const auto found = boost::json::parse(std::string{std::istreambuf_iterator<char>(file), {}});
  return {found.at("open_ms").to_number<double>(), found.at("first_answer_ms").to_number<double>(),
          found.at("just_opened_kb").to_number<std::uint64_t>(), found.at("anonymous_kb").to_number<std::uint64_t>()};
}

}  // namespace tonearm::bench
