// Compares the tables of docs/spec with those of the code.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "domain/plan.h"
#include "tonearm/license.h"
#include "tonearm/result.h"
#include "tonearm/track.h"

namespace tonearm {
namespace {

using Cells = std::vector<std::string>;

/// Removes spaces and code marks around a cell.
std::string bare(const std::string& cell) {
  constexpr std::string_view kAround = " `";
  const std::size_t begin = cell.find_first_not_of(kAround);
  if (begin == std::string::npos) return {};
  return cell.substr(begin, cell.find_last_not_of(kAround) - begin + 1);
}

/// Returns the rows of the table after a clause, without its header.
std::vector<Cells> table_of(const std::string& file_name, const std::string& clause) {
  std::ifstream file(std::string(TONEARM_SOURCE_DIR) + "/docs/spec/" + file_name);
  REQUIRE_MESSAGE(file, file_name);
  std::vector<Cells> rows;
  bool in_clause = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("**")) in_clause = line.starts_with("**" + clause + "**");
    if (!in_clause || !line.starts_with('|')) continue;
    Cells cells;
    for (std::size_t from = 1; from < line.size();) {
      const std::size_t bar = line.find('|', from);
      if (bar == std::string::npos) break;
      cells.push_back(bare(line.substr(from, bar - from)));
      from = bar + 1;
    }
    rows.push_back(std::move(cells));
  }
  REQUIRE_MESSAGE(rows.size() > 2, clause);
  rows.erase(rows.begin(), rows.begin() + 2);  // the header and the line below it
  return rows;
}

/// Parses "20,000"; returns 0 for "no limit".
std::uint32_t calls_of(std::string cell) {
  if (cell == "no limit") return 0;
  cell.erase(std::remove(cell.begin(), cell.end(), ','), cell.end());
  return static_cast<std::uint32_t>(std::stoul(cell));
}

}  // namespace

TEST_CASE("ERROR-2: codes and statuses equal those of the specification") {
  const std::vector<Cells> rows = table_of("errors.md", "ERROR-2");
  REQUIRE(rows.size() == kErrorTable.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i][0] == std::to_string(kErrorTable[i].status));
    CHECK(rows[i][1] == kErrorTable[i].name);
    CHECK(&error_row(kErrorTable[i].code) == &kErrorTable[i]);
  }
}

TEST_CASE("ERROR-8: the documentation has a section for each code, with its status, and for no other") {
  std::ifstream file(std::string(TONEARM_SOURCE_DIR) + "/docs/concepts/errors.md");
  REQUIRE(file);
  std::vector<std::string> codes;
  std::vector<std::string> statuses;
  constexpr std::string_view kHeading = "### ";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(kHeading)) {
      codes.push_back(line.substr(kHeading.size()));
      std::getline(file, line);  // an empty line
      std::getline(file, line);
      statuses.push_back(line.substr(0, line.find('.')));
    }
  }
  REQUIRE(codes.size() == kErrorTable.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    CHECK(codes[i] == kErrorTable[i].name);
    CHECK(statuses[i] == std::to_string(kErrorTable[i].status));
  }
}

TEST_CASE("LICENSE-1: licenses, their terms and texts equal those of the specification") {
  const std::vector<Cells> rows = table_of("licenses.md", "LICENSE-1");
  REQUIRE(rows.size() == kLicenseCount);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const License& it = kLicenses[i];
    const Cells expected{std::string(it.name_id),
                         std::string(it.name),
                         it.commercial ? "yes" : "no",
                         it.credit_required ? "required" : "none",
                         it.share_alike ? "yes" : "no",
                         std::string(it.spdx),
                         std::string(it.url)};
    CHECK(rows[i] == expected);
  }
}

TEST_CASE("TAXONOMY-1: categories and their groups equal those of the specification") {
  const std::vector<Cells> rows = table_of("taxonomy.md", "TAXONOMY-1");
  REQUIRE(rows.size() == kCategories.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Category& it = kCategories[i];
    const Cells expected{std::string(it.id), std::string(it.label), std::string(it.top_id), std::string(it.top_label),
                         std::string(it.group_code)};
    CHECK(rows[i] == expected);
  }
}

TEST_CASE("LIMIT-1: plans and their limits equal those of the specification") {
  const std::vector<Cells> rows = table_of("limits.md", "LIMIT-1");
  REQUIRE(rows.size() == kPlanNames.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto plan = find_plan(rows[i][0]);
    REQUIRE(plan.has_value());
    CHECK(static_cast<std::size_t>(*plan) == i);
    const auto& calls = rate_limits(*plan).calls;
    for (std::size_t window = 0; window < calls.size(); ++window) {
      CHECK(calls[window] == calls_of(rows[i][window + 1]));
    }
  }
}

}  // namespace tonearm
