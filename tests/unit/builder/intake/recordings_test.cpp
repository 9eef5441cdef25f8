#include "intake/recordings.h"

#include <doctest/doctest.h>

namespace tonearm::builder {
namespace {

/// States the license of an id in the next line.
class Statements {
 public:
  explicit Statements(Recordings& recordings) : recordings_(recordings) {}
  void add(const std::string& id, const std::string& license) {
    recordings_.add_statement(recordings_.add(id), {license, ++line_, 0});
  }

 private:
  Recordings& recordings_;
  std::uint64_t line_ = 0;
};

std::string strictest(const Recordings& recordings, const std::string& id) {
  const auto verdict = recordings.verdict(id);
  return verdict ? verdict->strictest.id : "none";
}

}  // namespace

TEST_CASE("the strictest license of a recording counts, with the line that states it (LINE-8)") {
  Recordings recordings;
  Statements statements(recordings);
  CHECK(strictest(recordings, "a-1") == "none");
  statements.add("a-1", "cc0");
  CHECK_FALSE(recordings.verdict("a-1")->milder);
  statements.add("a-1", "cc-by-4.0");
  statements.add("a-1", "cc0");
  const auto verdict = recordings.verdict("a-1");
  CHECK(verdict->strictest.id == "cc-by-4.0");
  CHECK(verdict->strictest.line == 2);
  CHECK(verdict->milder->line == 1);
  CHECK_FALSE(verdict->is_contradictory);
  statements.add("a-2", "cc-by-sa-4.0");
  statements.add("a-2", "cc-by-nc-4.0");
  CHECK(recordings.verdict("a-2")->is_contradictory);
}

TEST_CASE("recordings that share an address or are merged share statements and the first track") {
  Recordings recordings;
  Statements statements(recordings);
  for (const auto* id : {"a-1", "a-2", "a-3", "a-4"}) recordings.add(id);
  recordings.add_address(recordings.add("a-1"), "x");
  recordings.add_address(recordings.add("a-2"), "y");
  recordings.add_address(recordings.add("a-3"), "x");
  recordings.set_track(recordings.add("a-2"), 7);
  statements.add("a-3", "cc-by-4.0");
  CHECK(strictest(recordings, "a-1") == "cc-by-4.0");
  CHECK(strictest(recordings, "a-2") == "none");
  recordings.merge(*recordings.find("a-2"), *recordings.find("a-3"));
  CHECK(strictest(recordings, "a-2") == "cc-by-4.0");
  CHECK(recordings.find("a-2") == recordings.find("a-1"));
  CHECK(recordings.track(*recordings.find("a-1")) == 7);
  CHECK_FALSE(recordings.track(*recordings.find("a-4")));
  CHECK_FALSE(recordings.find("a-5"));
}

TEST_CASE("statements propagate to originals and from them to copies, also in cycles (LINE-15)") {
  Recordings recordings;
  Statements statements(recordings);
  recordings.add_original(recordings.add("a-2"), "a-1");
  recordings.add_original(recordings.add("a-3"), "a-2");
  recordings.add_original(recordings.add("a-4"), "a-1");
  recordings.add_original(recordings.add("a-1"), "a-3");
  statements.add("a-3", "cc-by-nc-4.0");
  statements.add("a-9", "cc0");
  recordings.propagate();
  for (const auto* id : {"a-1", "a-2", "a-3", "a-4"}) CHECK(strictest(recordings, id) == "cc-by-nc-4.0");
  CHECK(strictest(recordings, "a-9") == "cc0");
}

TEST_CASE("a recording with different licenses is a contradiction under its first id") {
  Recordings recordings;
  Statements statements(recordings);
  statements.add("a-1", "cc0");
  statements.add("a-2", "cc-by-4.0");
  statements.add("a-3", "cc0");
  statements.add("a-3", "cc0");
  CHECK(recordings.contradictions().empty());
  recordings.merge(recordings.add("a-2"), recordings.add("a-1"));
  const auto found = recordings.contradictions();
  REQUIRE(found.size() == 1);
  CHECK(found[0].id == "a-1");
  CHECK(found[0].strictest.id == "cc-by-4.0");
  CHECK(found[0].milder.id == "cc0");
}

}  // namespace tonearm::builder
