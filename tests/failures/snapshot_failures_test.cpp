#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "allocations.h"
#include "campaign.h"
#include "fakes.h"
#include "memory_catalog.h"
#include "snapshot_readings.h"
#include "system/system_ports.h"
#include "tonearm/paged_file.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

/// A snapshot that is fetched by blocks; fetches fail by plan, after half of the blocks.
class UnreliableSnapshot final : public SqliteSnapshot, private BlockSource {
 public:
  explicit UnreliableSnapshot(const std::string& bytes)
      : bytes_(bytes), memory_(snapshot_of_bytes(bytes)), file_(bytes.size(), *this, 8) {}

  const PagedFile& file() const override { return file_; }
  sql::SqliteHandle connect() const override { return memory_->connect(); }
  void fail(FailurePlan* plan) { plan_ = plan; }

 private:
  void fetch(std::span<const Request> wanted) override {
    const bool fails = plan_ != nullptr && plan_->next_fails();
    for (const auto& [block, into] : wanted.first(fails ? wanted.size() / 2 : wanted.size())) {
      const std::size_t offset = block * kBlockBytes;
      std::memcpy(into, bytes_.data() + offset, std::min<std::size_t>(kBlockBytes, bytes_.size() - offset));
    }
    if (fails) throw Failure("a block cannot be fetched");
  }

  const std::string& bytes_;
  std::shared_ptr<const SqliteSnapshot> memory_;
  PagedFile file_;
  FailurePlan* plan_ = nullptr;
};

/// What fails; nothing: a fetch of blocks.
using Failing = std::optional<Allocator>;

class ReaderFailures {
 public:
  /// Reads with the `number`-th call failing, opening included. Returns whether a call failed.
  bool attempt(const Reading& reading, const std::string& expected, Failing kind, std::uint64_t number, bool further) {
    CAPTURE(number);
    FailurePlan plan{number, further};
    const auto snapshot = std::make_shared<UnreliableSnapshot>(bytes_);
    std::shared_ptr<const Catalog> catalog;
    std::optional<std::string> answer;
    arm(*snapshot, kind, &plan);
    try {
      if (auto opened = Catalog::open(snapshot, {})) {
        catalog = *opened;
        answer = reading.read(*catalog);
      }
    } catch (const Failure&) {
    } catch (const std::bad_alloc&) {
    }
    arm(*snapshot, kind, nullptr);
    if (answer) CHECK(*answer == expected);
    if (catalog) {  // the catalog is still usable
      snapshot->file().end_request();
      CHECK(reading.read(*catalog) == expected);
    }
    failures_ += plan.failed > 0 ? 1U : 0U;
    errors_ += answer ? 0U : 1U;
    return plan.failed > 0;
  }

  const std::string& bytes() const { return bytes_; }
  std::uint64_t failures() const { return failures_; }
  std::uint64_t errors() const { return errors_; }

 private:
  static void arm(UnreliableSnapshot& snapshot, Failing kind, FailurePlan* plan) {
    if (kind) {
      allocation_failures() = {*kind, plan};
    } else {
      snapshot.fail(plan);
    }
  }

  native::OpensslHashing hashing_;
  std::string bytes_ = small_snapshot(hashing_);
  std::uint64_t failures_ = 0;
  std::uint64_t errors_ = 0;
};

}  // namespace

// HOST-27. TONEARM_READER_FAILURES: how many at most.
TEST_CASE("a reader of a snapshot answers correctly or fails, whatever call fails, and is usable afterwards") {
  const std::uint64_t most = environment_number("TONEARM_READER_FAILURES", 1'500);
  SeededRandom random(campaign_seed());
  ReaderFailures reader;
  const auto sound = Catalog::open(snapshot_of_bytes(reader.bytes()), {}).value();
  constexpr std::array<Failing, 3> kFailing{Failing{}, Failing{Allocator::sqlite}, Failing{Allocator::operator_new}};
  const std::uint64_t stride = std::max<std::uint64_t>(1, 15'000 / most);
  for (const Reading& reading : readings()) {
    const std::string expected = reading.read(*sound);
    for (std::size_t kind = 0; kind < kFailing.size(); ++kind) {
      for (const bool further : {false, true}) {
        CAPTURE(reading.name);
        CAPTURE(kind);
        CAPTURE(further);
        std::uint64_t number = 1 + random.below(stride);
        while (reader.failures() < most && reader.attempt(reading, expected, kFailing[kind], number, further)) {
          number += kind == 0 ? 1 : 1 + random.below(2 * stride);
        }
      }
    }
  }
  MESSAGE("TONEARM_SEED=", campaign_seed(), ": ", reader.failures(), " failures, ", reader.errors(),
          " of them answered with an error");
}
