#include <doctest/doctest.h>
#include <sqlite3.h>

#include <array>
#include <memory>
#include <string>

#include "campaign.h"
#include "disk.h"
#include "state_workload.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

/// Runs operations, and loses power at some of the calls that write.
class PowerLossRun {
 public:
  explicit PowerLossRun(std::uint64_t seed) : random_(seed), workload_(disk_, seed, [](const auto& body) { body(); }) {
    disk_.before_call = [this](Disk::Call call) {
      const bool writes = call == Disk::Call::write || call == Disk::Call::sync || call == Disk::Call::truncate ||
                          call == Disk::Call::remove || call == Disk::Call::open;
      if (writes && random_.below(4) == 0) lose_power();
      return SQLITE_OK;
    };
  }

  void step() {
    const auto operation = workload_.prepare(random_.below(StateWorkload::operation_count()));
    operation.run();
    if (operation.after) operation.after();
    lose_power();
  }
  std::uint64_t crashes() const { return crashes_; }
  /// Of the crashes, those that stored the write in progress.
  std::uint64_t completed() const { return completed_; }

 private:
  void lose_power() {
    ++crashes_;
    const Witness& witness = workload_.witness();
    const Recovered found = recover(*disk_.after_power_loss(random_));
    CHECK(found.is_sound);
    if (found.digest == witness.committed) return;
    ++completed_;
    REQUIRE(witness.is_in_doubt(found.digest));
  }

  Disk disk_;
  SeededRandom random_;
  StateWorkload workload_;
  std::uint64_t crashes_ = 0;
  std::uint64_t completed_ = 0;
};

}  // namespace

// HOST-2, LIMIT-9. TONEARM_CRASHES: how many.
TEST_CASE("a power loss at any point loses no answered write and leaves a sound state") {
  const std::uint64_t goal = environment_number("TONEARM_CRASHES", 500);
  const std::uint64_t seed = campaign_seed();
  CAPTURE(seed);
  sqlite3_test_control(SQLITE_TESTCTRL_PRNG_SEED, static_cast<int>(seed), nullptr);
  PowerLossRun run(seed);
  for (std::uint64_t operation = 0; run.crashes() < goal; ++operation) {
    CAPTURE(operation);
    run.step();
  }
  MESSAGE("TONEARM_SEED=", seed, ": ", run.crashes(), " power losses; ", run.completed(),
          " kept the write that was in progress, all kept the answered ones");
}
