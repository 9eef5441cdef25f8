#include "catalog/lookup/change_log.h"

#include <doctest/doctest.h>

#include "tonearm/result.h"

namespace tonearm::catalog {
namespace {

constexpr const char* kOwn = "ffffffffffffffff";

std::vector<VersionChanges> sample() {
  return {
      {"0000000000000001",
       {{ChangeKind::taken_down, "x-1", "cc0", "cc0"}, {ChangeKind::added, "x-2", "", "cc-by-4.0"}}},
      {"00000000000000fe", {}},
      {"0123456789abcdef",
       {{ChangeKind::license_changed, "x-2", "cc-by-4.0", "cc-by-nc-4.0"}, {ChangeKind::removed, "x-3", "cc0", ""}}}};
}

/// Returns the section with one byte replaced.
std::string with(std::string section, std::size_t at, char byte) {
  section.at(at) = byte;
  return section;
}

// Offsets in the section of `sample`: 8 bytes of head, 3 versions of 16 bytes, 5 ends of 4 bytes, the changes.
constexpr std::size_t kVersions = 8;
constexpr std::size_t kEnds = kVersions + 3 * 16;
constexpr std::size_t kChanges = kEnds + 5 * 4;

void check(const std::string& section) { check_change_log(Extent(section), kOwn); }

}  // namespace

TEST_CASE("the changes since each version are read as they were written") {
  const auto stored = sample();
  const std::string section = encode_change_log(stored);
  check(section);
  const ChangeLog log{Extent(section)};
  const auto versions = log.versions();
  REQUIRE(versions.all.size() == stored.size());
  REQUIRE(versions.change_count == 4);
  CHECK(versions.find("0123456789abcdef") == 2);
  CHECK_FALSE(versions.find("0123456789ABCDEF").has_value());
  CHECK_FALSE(versions.find("").has_value());
  CHECK(versions.all[1].name == stored[1].since);
  CHECK(versions.all[1].first_change == 2);
  CHECK(versions.all[2].first_change == 2);
  CHECK(log.changes(versions, 0, 2) == stored[0].changes);
  CHECK(log.changes(versions, 2, 4) == stored[2].changes);
  CHECK(log.changes(versions, 3, 4) == std::vector{stored[2].changes[1]});
  CHECK(log.changes(versions, 4, 4).empty());
}

TEST_CASE("a catalog may know no earlier version") {
  const std::string section = encode_change_log({});
  check(section);
  const ChangeLog log{Extent(section)};
  CHECK(log.versions().all.empty());
  CHECK(log.changes(log.versions(), 0, 0).empty());
}

TEST_CASE("a damaged section is reported, whatever its bytes") {
  const std::string section = encode_change_log(sample());
  for (std::size_t size = 0; size < section.size(); ++size) {
    CAPTURE(size);
    CHECK_THROWS_AS(check(section.substr(0, size)), CatalogDamaged);
  }
  CHECK_THROWS_AS(check(section + '\0'), CatalogDamaged);
  CHECK_THROWS_AS(check(with(section, 0, '\xff')), CatalogDamaged);  // the number of versions
  CHECK_THROWS_AS(check(with(section, 4, 3)), CatalogDamaged);       // the number of changes
  CHECK_THROWS_AS(check(with(section, 7, '\x7f')), CatalogDamaged);
  CHECK_THROWS_AS(check(with(section, kVersions + 8, 3)), CatalogDamaged);    // a first change after the next one
  CHECK_THROWS_AS(check(with(section, kVersions + 40, 9)), CatalogDamaged);   // and one that does not exist
  CHECK_THROWS_AS(check(with(section, kVersions + 12, 1)), CatalogDamaged);   // the zero
  CHECK_THROWS_AS(check(with(section, kEnds + 4, '\xff')), CatalogDamaged);   // an end after the next one
  CHECK_THROWS_AS(check(with(section, kEnds + 19, '\xff')), CatalogDamaged);  // an end after the section's
  CHECK_THROWS_AS(check(with(section, kChanges, 5)), CatalogDamaged);         // an unknown kind
  CHECK_THROWS_AS(check(with(section, kChanges, 4)), CatalogDamaged);         // kinds out of order
  CHECK_THROWS_AS(check(with(section, kChanges + 1, 4)), CatalogDamaged);     // a size that is too large
  CHECK_THROWS_AS(check(with(section, kChanges + 3, 2)), CatalogDamaged);     // an id that is too short
}

TEST_CASE("a version is named once, and never as its own earlier one") {
  auto twice = sample();
  twice[1].since = twice[0].since;
  CHECK_THROWS_AS(check(encode_change_log(twice)), CatalogDamaged);
  auto own = sample();
  own[2].since = kOwn;
  CHECK_THROWS_AS(check(encode_change_log(own)), CatalogDamaged);
}

}  // namespace tonearm::catalog
