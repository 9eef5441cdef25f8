#include "housekeeping/housekeeping.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "scratch_folder.h"

namespace tonearm::native {
namespace {

class LineLog final : public Log {
 public:
  void info(std::string_view line) override { lines.push_back("info " + std::string(line)); }
  void warning(std::string_view line) override { lines.push_back("warning " + std::string(line)); }
  void error(std::string_view line) override { lines.push_back("error " + std::string(line)); }
  void request_error(std::string_view line, std::span<const LogField> /*fields*/) override { error(line); }

  std::vector<std::string> lines;
};

struct Fixture {
  Housekeeping::Dependencies dependencies() {
    return {[this] {
              if (flush_fails) throw std::runtime_error("no disk");
              return FlushReport{3, 4};
            },
            [this] {
              ++steps;
              if (retain_fails) throw std::runtime_error("no disk");
              return --old_records > 0;
            },
            nullptr,
            nullptr,
            metrics,
            log};
  }

  bool flush_fails = false;
  bool retain_fails = false;
  int old_records = 0;
  int steps = 0;
  Metrics metrics;
  LineLog log;
};

constexpr Housekeeping::Pace kPace{3, 4, std::chrono::milliseconds(0)};

TEST_CASE("Housekeeping counts flushes, and logs the first failure and the end of failures") {
  Fixture with;
  Housekeeping housekeeping(with.dependencies());
  CHECK(housekeeping.flush());
  CHECK(with.log.lines.empty());
  with.flush_fails = true;
  CHECK_FALSE(housekeeping.flush());
  CHECK_FALSE(housekeeping.flush());
  CHECK(with.log.lines == std::vector<std::string>{"error counts and call records wait in memory: no disk"});
  with.flush_fails = false;
  CHECK(housekeeping.flush());
  CHECK(with.log.lines.back() == "info counts and call records are written again");
  const auto text = with.metrics.text({});
  for (const auto* line : {"tonearm_flushes_total 2\n", "tonearm_flush_failures_total 2\n",
                           "tonearm_flushed_counters_total 6\n", "tonearm_flushed_records_total 8\n"}) {
    CHECK(text.find(line) != std::string::npos);
  }
}

// RECORD-4
TEST_CASE("Housekeeping removes old records in bounded rounds, and searches seldom if nothing is left") {
  Fixture with;
  with.old_records = 6;
  Housekeeping housekeeping(with.dependencies(), kPace);
  housekeeping.maintain();
  CHECK(with.steps == 4);
  housekeeping.maintain();
  CHECK(with.steps == 6);
  housekeeping.maintain();
  housekeeping.maintain();
  CHECK(with.steps == 6);
  housekeeping.maintain();
  CHECK(with.steps == 7);
}

TEST_CASE("Housekeeping retries a failed removal after the usual pause") {
  Fixture with;
  with.retain_fails = true;
  Housekeeping housekeeping(with.dependencies(), kPace);
  for (int i = 0; i < 4; ++i) housekeeping.maintain();
  CHECK(with.steps == 2);
  CHECK(with.log.lines.front() == "error cannot remove old call records: no disk");
}

// RECORD-9
TEST_CASE("Housekeeping reports once that the disk of the state is short") {
  const test::ScratchFolder folder;
  const auto path = folder.path("state");
  Fixture with;
  auto dependencies = with.dependencies();
  DiskReserve reserve(path, std::uint64_t{1} << 62U);  // more than any disk has
  dependencies.reserve = &reserve;
  Housekeeping housekeeping(std::move(dependencies));
  housekeeping.maintain();
  housekeeping.maintain();
  REQUIRE(with.log.lines.size() == 1);
  CHECK(with.log.lines[0].find("leave no records until there is more space") != std::string::npos);
}

}  // namespace
}  // namespace tonearm::native
