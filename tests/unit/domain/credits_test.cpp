#include "domain/credits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <fstream>
#include <sstream>

using namespace tonearm;

namespace {

namespace bj = boost::json;

const std::string kGolden = std::string(TONEARM_SOURCE_DIR) + "/tests/unit/domain/golden/";

std::string read_golden(const std::string& name) {
  std::ifstream file(kGolden + name, std::ios::binary);
  REQUIRE_MESSAGE(file, name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string text_of(const bj::object& line, const char* name) {
  const bj::value* value = line.if_contains(name);
  return value == nullptr ? std::string() : std::string(value->as_string());
}

template <std::size_t Count>
std::size_t index_in(const std::array<std::string_view, Count>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  REQUIRE_MESSAGE(found != names.end(), name);
  return static_cast<std::size_t>(found - names.begin());
}

CreditEntry entry_of(const bj::object& line, std::uint32_t position) {
  constexpr std::array<std::string_view, 3> kAttributions{"optional", "requested", "required"};
  CreditEntry entry;
  entry.position = position;
  entry.track_id = "example-" + std::to_string(position);
  const bj::value* repeat = line.if_contains("repeat");
  for (std::int64_t i = repeat == nullptr ? 1 : repeat->as_int64(); i > 0; --i) entry.title += text_of(line, "title");
  entry.artist = text_of(line, "artist");
  entry.source_page = text_of(line, "source_page");
  entry.license = find_license(text_of(line, "license")).value();
  if (text_of(line, "status") == "verified") entry.license_status = LicenseStatus::verified;
  entry.attribution = static_cast<Attribution>(index_in(kAttributions, text_of(line, "attribution")));
  if (const bj::value* chips = line.if_contains("chips")) {
    for (const bj::value& chip : chips->as_array()) {
      entry.modifications.chips[index_in(kChipNames, std::string(chip.as_string()))] = true;
    }
  }
  entry.modifications.text = text_of(line, "text");
  entry.license_changed = line.contains("license_changed") && line.at("license_changed").as_bool();
  if (const bj::value* recorded = line.if_contains("recorded_s")) entry.recorded_s = recorded->as_int64();
  entry.note = text_of(line, "note");
  return entry;
}

/// A collection of titles, artists, pages, texts and notes that mean harm.
std::vector<CreditEntry> hostile_entries() {
  std::istringstream lines(read_golden("credit_entries.jsonl"));
  std::vector<CreditEntry> entries;
  for (std::string line; std::getline(lines, line);) {
    entries.push_back(entry_of(bj::parse(line).as_object(), static_cast<std::uint32_t>(entries.size())));
  }
  REQUIRE(entries.size() > 20);
  return entries;
}

/// RFC 4180 to the letter: rows end with CRLF, quotes open and close whole cells, nothing else is let pass.
std::vector<std::vector<std::string>> read_csv(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::size_t at = 0;
  const auto next_is = [&](std::string_view wanted) { return csv.compare(at, wanted.size(), wanted) == 0; };
  while (at < csv.size()) {
    auto& row = rows.emplace_back();
    do {
      if (!row.empty()) ++at;
      std::string& cell = row.emplace_back();
      if (!next_is("\"")) {
        while (at < csv.size() && !next_is(",") && !next_is("\r\n")) cell += csv[at++];
        REQUIRE(cell.find_first_of("\"\r\n") == std::string::npos);
        continue;
      }
      for (++at; !next_is("\"") || csv.compare(at, 2, "\"\"") == 0; ++at) {
        REQUIRE(at < csv.size());
        if (csv[at] == '"') ++at;
        cell += csv[at];
      }
      ++at;
    } while (next_is(","));
    REQUIRE(next_is("\r\n"));
    at += 2;
  }
  return rows;
}

CreditEntry rain() {
  CreditEntry entry;
  entry.title = "Rain";
  entry.artist = "Ada";
  entry.source_page = "https://example.org/1";
  entry.license = LicenseId::cc_by_4_0;
  entry.attribution = Attribution::required;
  return entry;
}

}  // namespace

// CREDIT-5
TEST_CASE("Changes are the chips in the specification's order, then the text without one final full stop") {
  constexpr std::array<bool, 4> kNone{};
  constexpr std::array<bool, 4> kAll{true, true, true, true};
  struct Row {
    Modifications modifications;
    std::optional<std::string> expected;
  };
  const Row rows[] = {
      {{kNone, ""}, std::nullopt},
      {{{true}, ""}, "trimmed"},
      {{kAll, ""}, "trimmed, loudness adjusted, looped, edited"},
      {{{true, false, true, false}, "faded out."}, "trimmed, looped; faded out"},
      {{kNone, "faded out"}, "faded out"},
      {{kNone, "faded out..."}, "faded out.."},
      {{kNone, "louder!"}, "louder!"},
      {{kNone, "two\r\nlines .\n"}, "two lines"},
      {{{false, true, false, true}, "."}, "loudness adjusted, edited"},
      {{kNone, " \n.\t"}, std::nullopt},
      {{kNone, "\xe2\x80\xae\x01"}, std::nullopt},
  };
  for (const Row& row : rows) {
    CAPTURE(row.modifications.text);
    CHECK(changes_text(row.modifications) == row.expected);
  }
}

// CREDIT-6, LICENSE-7
TEST_CASE("A credit's line is the track's own, then what was changed, then that the license is another one by now") {
  const std::string own =
      "\"Rain\" by Ada (https://example.org/1) is licensed under CC BY 4.0. To view a copy of this license, visit "
      "https://creativecommons.org/licenses/by/4.0/.";
  CreditEntry entry = rain();
  CHECK(credit_line(entry) == own);
  entry.modifications = {{true, false, true, false}, "faded\nout."};
  CHECK(credit_line(entry) == own + " Changes: trimmed, looped; faded out.");
  entry.license_changed = true;
  entry.recorded_s = 1'767'225'599;
  CHECK(credit_line(entry) ==
        own +
            " Changes: trimmed, looped; faded out. License recorded on 2025-12-31; the source now "
            "states another one.");
  entry.modifications = {};
  entry.recorded_s = 1'709'164'800;
  CHECK(credit_line(entry) == own + " License recorded on 2024-02-29; the source now states another one.");
}

// CREDIT-3
TEST_CASE("Credits are listed as required, requested and optional, each in collection order, and counted") {
  std::vector<CreditEntry> entries;
  constexpr std::array kOrder{Attribution::optional, Attribution::required, Attribution::requested,
                              Attribution::required, Attribution::optional, Attribution::requested};
  for (const std::uint32_t position : {4U, 1U, 0U, 5U, 3U, 2U}) {
    CreditEntry& entry = entries.emplace_back(rain());
    entry.position = position;
    entry.attribution = kOrder[position];
  }
  const auto rows = read_csv(credits_csv(entries));
  sort_credits(entries);
  std::vector<std::uint32_t> positions;
  positions.reserve(entries.size());
  for (const CreditEntry& entry : entries) positions.push_back(entry.position);
  CHECK(positions == std::vector<std::uint32_t>{1, 3, 2, 5, 0, 4});
  REQUIRE(rows.size() == 7);
  for (std::size_t i = 0; i < positions.size(); ++i) CHECK(rows[i + 1][0] == std::to_string(positions[i]));
  CHECK(count_credits(entries) == CreditCounts{2, 2, 2});
  entries.pop_back();
  CHECK(count_credits(entries) == CreditCounts{2, 2, 1});
}

// CREDIT-7
TEST_CASE("Groups without entries are left out of text and Markdown; CSV keeps its row of headers") {
  CHECK(credits_text({}).empty());
  CHECK(credits_markdown({}).empty());
  CHECK(count_credits({}) == CreditCounts{});
  CHECK(credits_csv({}) ==
        "position,track_id,title,artist,source_page,license_id,license_name,license_url,license_status,license_changed,"
        "attribution,changes,credit_line,note\r\n");

  CreditEntry entry = rain();
  entry.license = LicenseId::cc0;
  entry.attribution = Attribution::optional;
  CHECK(credits_text({&entry, 1}) == "No credit needed\n" + credit_line(entry) + '\n');
  CHECK(credits_markdown({&entry, 1}) ==
        "## No credit needed\n\n- [\"Rain\"](https://example.org/1) by Ada is marked with "
        "[CC0 1.0](https://creativecommons.org/publicdomain/zero/1.0/).\n");
}

TEST_CASE("A license that is not known is neither named nor linked") {
  CreditEntry entry = rain();
  entry.license = LicenseId::unknown;
  CHECK(credits_markdown({&entry, 1}) ==
        "## Credit required\n\n- [\"Rain\"](https://example.org/1) by Ada has no known license.\n");
}

TEST_CASE("The credits of a hostile collection are the reviewed ones, in every format") {
  const std::vector<CreditEntry> entries = hostile_entries();
  CHECK(credits_text(entries) == read_golden("credits.txt"));
  CHECK(credits_markdown(entries) == read_golden("credits.md"));
  CHECK(credits_csv(entries) == read_golden("credits.csv"));
}

TEST_CASE("Text has one line for each entry, without controls and overrides") {
  const std::string text = credits_text(hostile_entries());
  const std::vector<CreditEntry> entries = hostile_entries();
  // Three headings, and an empty line between groups.
  CHECK(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) == entries.size() + 5);
  for (const CreditEntry& entry : entries) {
    const std::string line = credit_line(entry);
    CHECK(text.find('\n' + line + '\n') != std::string::npos);
    CHECK(std::none_of(line.begin(), line.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }));
    for (const char* hidden : {"\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x80\xa8", "\xc2\x85", "\xc2\x9b"}) {
      CHECK(line.find(hidden) == std::string::npos);
    }
  }
}

// CREDIT-9
TEST_CASE("CSV that a strict reader reads back holds what was put in, and no formula") {
  std::vector<CreditEntry> entries = hostile_entries();
  const auto rows = read_csv(credits_csv(entries));
  REQUIRE(rows.size() == entries.size() + 1);
  sort_credits(entries);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const CreditEntry& entry = entries[i];
    const auto& row = rows[i + 1];
    REQUIRE(row.size() == rows[0].size());
    for (const std::string& cell : row) {
      CHECK((cell.empty() || std::string("=+-@\t\r").find(cell[0]) == std::string::npos));
    }
    // A cell that was guarded differs by the guard alone; where nothing has to be stripped, the rest is as it was.
    const auto holds = [](const std::string& cell, const std::string& value) {
      return cell == value || cell == '\'' + value;
    };
    CHECK(row[0] == std::to_string(entry.position));
    CHECK(row[1] == entry.track_id);
    CHECK(row[5] == license(entry.license).name_id);
    CHECK(row[6] == license(entry.license).name);
    CHECK(row[7] == license(entry.license).url);
    CHECK(row[8] == to_string(entry.license_status));
    CHECK(row[9] == (entry.license_changed ? "true" : "false"));
    CHECK(row[10] == to_string(entry.attribution));
    CHECK(holds(row[11], changes_text(entry.modifications).value_or("")));
    CHECK(holds(row[12], credit_line(entry)));
    if (entry.track_id == "example-13" || entry.track_id == "example-14") continue;  // controls and overrides
    CHECK(holds(row[2], entry.title));
    CHECK((entry.track_id == "example-12" || holds(row[3], entry.artist)));
    CHECK(holds(row[4], entry.source_page));
    CHECK(holds(row[13], entry.note));
  }
}

TEST_CASE("A cell keeps tabs and line breaks, and nothing else that is not seen") {
  CreditEntry entry = rain();
  entry.note =
      "a\r\nb\n\tc\x0b"
      "d\xc2\x85"
      "e\x07\xc2\x9b\x7f\xe2\x80\xae"
      "f\xe2\x80\x8f";
  CHECK(read_csv(credits_csv({&entry, 1}))[1][13] == "a\r\nb\n\tc\nd\nef\xe2\x80\x8f");
}

// CREDIT-10
TEST_CASE("A cell that begins like a formula is guarded, also behind characters that are not seen") {
  for (const std::string_view first : {"=", "+", "-", "@", "\t", "\r", "\x01=", "\xe2\x80\xae+"}) {
    CreditEntry entry = rain();
    entry.note = std::string(first) + "1";
    const auto rows = read_csv(credits_csv({&entry, 1}));
    const std::string cell = rows[1][13];
    CHECK(cell[0] == '\'');
    CHECK(cell == '\'' + std::string(1, first.back()) + '1');
  }
  CreditEntry entry = rain();
  entry.note = "'quoted' 1=1";
  CHECK(read_csv(credits_csv({&entry, 1}))[1][13] == entry.note);
}
