#include "domain/credits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <fstream>
#include <sstream>

#include "collection_samples.h"
#include "domain/credits_layout.h"
#include "text/unicode.h"

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
  entry.non_commercial = !license(entry.license).commercial;
  return entry;
}

/// A collection of malicious titles, artists, pages, texts and notes.
std::vector<CreditEntry> hostile_entries() {
  std::istringstream lines(read_golden("credit_entries.jsonl"));
  std::vector<CreditEntry> entries;
  for (std::string line; std::getline(lines, line);) {
    entries.push_back(entry_of(bj::parse(line).as_object(), static_cast<std::uint32_t>(entries.size())));
  }
  REQUIRE(entries.size() > 20);
  return entries;
}

/// Reads strict RFC 4180: rows end with CRLF, quotes enclose whole cells; rejects everything else.
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
TEST_CASE("Changes are the chips in the specification's order, then the text without a final period") {
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
TEST_CASE("A credit has every part of its license record") {
  auto record = test::record_of("t-1", LicenseId::cc_by_nc_4_0);
  record.credit_as = "Ada and Bo";
  record.recorded_s = 1'768'478'400;
  const auto entry = credit_entry(record);
  CHECK(entry.title == "Title of t-1");
  CHECK(entry.artist == "Ada");
  CHECK(entry.credit_as == "Ada and Bo");
  CHECK(entry.source_page == "https://example.org/t-1");
  CHECK(entry.license == LicenseId::cc_by_nc_4_0);
  CHECK(entry.license_status == LicenseStatus::verified);
  CHECK(entry.recorded_s == 1'768'478'400);
  CHECK(entry.non_commercial);
  for (const auto attribution : {Attribution::required, Attribution::requested, Attribution::optional}) {
    record.terms.attribution = attribution;
    CHECK(credit_entry(record).attribution == attribution);
  }
}

TEST_CASE("A credit line is the track's own line, then the changes, then a note if the license changed") {
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

// LICENSE-8
TEST_CASE("Every format credits the name that the creator asks for, and keeps the artist where it lists fields") {
  CreditEntry entry = rain();
  entry.artist = "Bob";
  entry.credit_as = "Ada\nE. <Example>";
  const std::span entries(&entry, 1);
  const std::string line = "\"Rain\" by Ada E. <Example> (https://example.org/1) is licensed under CC BY 4.0.";
  CHECK(credit_line(entry).starts_with(line));
  CHECK(credits_text(entries).find('\n' + line) != std::string::npos);
  CHECK(credits_markdown(entries).find(" by Ada E\\. &lt;Example&gt; is licensed") != std::string::npos);
  CHECK(credits_html(entries).find(" by Ada E. &lt;Example&gt; is licensed") != std::string::npos);
  CHECK(credits_youtube(entries).find("\nBy Ada E. \u2039Example\u203a, licensed") != std::string::npos);
  CHECK(credits_reuse(entries).find("SPDX-FileCopyrightText = \"Ada E. <Example>\"\n") != std::string::npos);
  CHECK(credits_csv(entries).find(",Rain,Bob,") != std::string::npos);
  CHECK(credits_attributions(entries).find("  artist: \"Bob\"\n") != std::string::npos);
  for (const std::string& text : {credits_text(entries), credits_markdown(entries), credits_html(entries),
                                  credits_youtube(entries), credits_reuse(entries)}) {
    CHECK(text.find("Bob") == std::string::npos);
  }
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
TEST_CASE("Text and Markdown omit empty groups; CSV keeps its header row") {
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

TEST_CASE("An unknown license is neither named nor linked") {
  CreditEntry entry = rain();
  entry.license = LicenseId::unknown;
  CHECK(credits_markdown({&entry, 1}) ==
        "## Credit required\n\n- [\"Rain\"](https://example.org/1) by Ada has no known license.\n");
  CHECK(
      credits_html({&entry, 1}) ==
      "<h2>Credit required</h2>\n<ul>\n<li><a href=\"https://example.org/1\">&quot;Rain&quot;</a> by Ada has no known "
      "license.</li>\n</ul>\n");
  CHECK(credits_youtube({&entry, 1}) ==
        "Credit required\n\nBy Ada, without a known license:\n\"Rain\" (https://example.org/1)\n");
}

TEST_CASE("Only a page of the web becomes a link") {
  for (const auto* url : {"https://a.example", "http://a.example", "HTTP://a.example"}) CHECK(is_web_page(url));
  for (const auto* url : {"", "//a.example", "https:a.example", "ftp://a.example", "javascript://a", "http"}) {
    CHECK_FALSE(is_web_page(url));
  }
}

// CREDIT-11, CREDIT-13
TEST_CASE("The credits of a hostile collection equal the reviewed files, in every format") {
  const std::vector<CreditEntry> entries = hostile_entries();
  CHECK(credits_text(entries) == read_golden("credits.txt"));
  CHECK(credits_markdown(entries) == read_golden("credits.md"));
  CHECK(credits_csv(entries) == read_golden("credits.csv"));
  CHECK(credits_html(entries) == read_golden("credits.html"));
  CHECK(credits_youtube(entries) == read_golden("credits.youtube.txt"));
  CHECK(credits_reuse(entries) == read_golden("credits.toml"));
  CHECK(credits_attributions(entries) == read_golden("credits.yaml"));
}

TEST_CASE("Text has one line for each entry, without control characters and overrides") {
  const std::string text = credits_text(hostile_entries());
  const std::vector<CreditEntry> entries = hostile_entries();
  // Three headings, an empty line between groups and before the closing line, and the closing line.
  CHECK(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) == entries.size() + 7);
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
TEST_CASE("A strict reader gets the original values from CSV, and no formula") {
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
    // A guarded cell differs only by the guard, if no characters are removed.
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

TEST_CASE("A cell keeps tabs and line breaks, but no other invisible characters") {
  CreditEntry entry = rain();
  entry.note =
      "a\r\nb\n\tc\x0b"
      "d\xc2\x85"
      "e\x07\xc2\x9b\x7f\xe2\x80\xae"
      "f\xe2\x80\x8f";
  CHECK(read_csv(credits_csv({&entry, 1}))[1][13] == "a\r\nb\n\tc\nd\nef\xe2\x80\x8f");
}

// CREDIT-10
TEST_CASE("A cell that begins like a formula is guarded, even after invisible characters") {
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

// CREDIT-14
TEST_CASE("A heading replaces only the first one, and is escaped in every format that has headings") {
  std::vector<CreditEntry> entries{rain(), rain()};
  entries[1].position = 1;
  entries[1].license = LicenseId::cc0;
  entries[1].attribution = Attribution::optional;
  const CreditsOptions options{"Music <by> *us*\n# \"x\""};
  CHECK(credits_text(entries, options).starts_with("Music <by> *us* # \"x\"\n\"Rain\" by Ada"));
  CHECK(credits_text(entries, options).find("\n\nNo credit needed\n") != std::string::npos);
  CHECK(credits_markdown(entries, options).starts_with("## Music &lt;by&gt; \\*us\\* \\# &quot;x&quot;\n\n- ["));
  CHECK(credits_html(entries, options).starts_with("<h2>Music &lt;by&gt; *us* # &quot;x&quot;</h2>\n<ul>\n"));
  CHECK(credits_youtube(entries, options).starts_with("Music \u2039by\u203a *us* # \"x\"\n\nBy Ada, licensed"));
  CHECK(credits_csv(entries, options) == credits_csv(entries));
  CHECK(credits_reuse(entries, options) == credits_reuse(entries));
  CHECK(credits_attributions(entries, options) == credits_attributions(entries));
  CHECK(credits_text({}, options).empty());
}

// CREDIT-15
TEST_CASE("A collection with non-commercial tracks has a closing line in every text format") {
  std::vector<CreditEntry> entries{rain(), rain()};
  using Format = std::string (*)(std::span<const CreditEntry>, const CreditsOptions&);
  constexpr std::array<Format, 6> kFormats{credits_text,    credits_markdown, credits_html,
                                           credits_youtube, credits_reuse,    credits_attributions};
  for (const Format format : kFormats) CHECK(format(entries, {}).find("non-commercial") == std::string::npos);
  entries[1].non_commercial = true;
  const std::string csv = credits_csv(entries);
  for (const Format format : kFormats) {
    const std::string text = format(entries, {});
    const std::size_t at = text.find("1 of these tracks is for non-commercial use only.");
    REQUIRE(at != std::string::npos);
    CHECK(text.find('\n', at) == text.size() - 1);  // on the last line
  }
  entries[0].non_commercial = true;
  CHECK(credits_text(entries).ends_with("\n\n2 of these tracks are for non-commercial use only.\n"));
  CHECK(credits_csv(entries) == csv);
  CHECK(count_non_commercial(entries) == 2);
}

// CREDIT-16
TEST_CASE("HTML has no tag, attribute or entity from data, and links only to http(s)") {
  const std::string html = credits_html(hostile_entries());
  std::string left = html;
  for (const std::string_view tag : {"<h2>", "</h2>", "<ul>", "</ul>", "<li>", "</li>", "<p>", "</p>", "</a>"}) {
    for (std::size_t at = left.find(tag); at != std::string::npos; at = left.find(tag)) left.erase(at, tag.size());
  }
  for (std::size_t at = left.find('<'); at != std::string::npos; at = left.find('<')) {
    const std::size_t end = left.find('>', at);
    REQUIRE(end != std::string::npos);
    const std::string tag = left.substr(at, end + 1 - at);
    CAPTURE(tag);
    const std::string folded = text::fold_case(tag);
    CHECK((folded.starts_with("<a href=\"http://") || folded.starts_with("<a href=\"https://")));
    CHECK(tag.ends_with("\">"));
    CHECK(std::count(tag.begin(), tag.end(), '"') == 2);
    CHECK(tag.find_first_of("'\n\t`") == std::string::npos);
    left.erase(at, tag.size());
  }
  CHECK(left.find_first_of("<>\"'") == std::string::npos);
  CHECK(credits_html({}).empty());
}

// CREDIT-17
TEST_CASE(
    "The description of a video groups artists and licenses, has no angle brackets, and reports its excess length") {
  std::vector<CreditEntry> entries{rain(), rain(), rain(), rain()};
  for (std::uint32_t i = 0; i < entries.size(); ++i) entries[i].position = i;
  entries[1].artist = "Bob";
  entries[2].title = "Storm <1>";
  entries[2].modifications = {{true}, ""};
  entries[3].artist.clear();
  entries[3].source_page.clear();
  entries[3].license = LicenseId::cc0;
  entries[3].attribution = Attribution::optional;
  CHECK(credits_youtube(entries) ==
        "Credit required\n\nBy Ada, licensed under CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/):\n"
        "\"Rain\" (https://example.org/1)\n\"Storm \u20391\u203a\" (https://example.org/1). Changes: trimmed.\n\n"
        "By Bob, licensed under CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/):\n\"Rain\" "
        "(https://example.org/1)\n\nNo credit needed\n\nMarked with CC0 1.0 "
        "(https://creativecommons.org/publicdomain/zero/1.0/):\n\"Rain\"\n");
  CHECK(credits_youtube({}).empty());

  // One code point under, at and over the limit, in characters of several bytes.
  CreditEntry entry = rain();
  entry.title.clear();
  const auto with_title = [&](std::size_t length) {
    entry.title.clear();
    for (std::size_t i = 0; i < length; ++i) entry.title += "\u00fc";
    return credits_youtube({&entry, 1});
  };
  const std::size_t rest = text::code_points(with_title(1)) - 1;
  CHECK(text::code_points(with_title(kDescriptionMax - rest)) == kDescriptionMax);
  CHECK(with_title(kDescriptionMax - rest).find("more than") == std::string::npos);
  CHECK(with_title(kDescriptionMax + 1'234 - rest)
            .ends_with("\n\nThe text above has 6,234 characters: 1,234 more than the 5,000 of a description.\n"));
  CHECK(with_title(kDescriptionMax + 123 - rest)
            .ends_with(" 5,123 characters: 123 more than the 5,000 of a description.\n"));
  CHECK(with_title(kDescriptionMax + 1'000'000 - rest)
            .ends_with(" 1,005,000 characters: 1,000,000 more than the 5,000 of a description.\n"));
}

namespace {

/// Reads a quoted string with the escapes that TOML and YAML share; rejects anything after it.
std::string unquoted(std::string_view text) {
  REQUIRE(text.size() >= 2);
  REQUIRE(text.front() == '"');
  REQUIRE(text.back() == '"');
  text = text.substr(1, text.size() - 2);
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = text::next_code_point(text, at);
    REQUIRE(c != '"');
    REQUIRE_FALSE(text::is_control(c));
    if (c != '\\') {
      text::append_utf8(plain, c);
      continue;
    }
    const char escape = text.at(at++);
    if (escape == 'u') {
      text::append_utf8(plain, static_cast<char32_t>(std::stoul(std::string(text.substr(at, 4)), nullptr, 16)));
      at += 4;
    } else {
      REQUIRE((escape == '"' || escape == '\\'));
      plain += escape;
    }
  }
  return plain;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

// CREDIT-18
TEST_CASE("REUSE.toml has an annotation for each track; catalog data is only in strings and comments") {
  std::vector<CreditEntry> entries = hostile_entries();
  sort_credits(entries);
  const std::vector<std::string> lines = lines_of(credits_reuse(entries));
  REQUIRE(lines.size() > 4);
  CHECK(lines[0] == "version = 1");
  std::size_t at = 4;
  for (const CreditEntry& entry : entries) {
    REQUIRE(at + 6 <= lines.size());
    CHECK(lines[at].empty());
    CHECK(lines[at + 1] == "[[annotations]]");
    CHECK(lines[at + 2] == "# " + credit_line(entry));
    CHECK(lines[at + 3] == "path = \"**" + entry.track_id + ".*\"");
    const std::string holder = text::one_line(entry.artist);
    REQUIRE(lines[at + 4].starts_with("SPDX-FileCopyrightText = "));
    CHECK(unquoted(lines[at + 4].substr(25)) == (holder.empty() ? "NOASSERTION" : holder));
    CHECK(lines[at + 5] == "SPDX-License-Identifier = \"" + std::string(license(entry.license).spdx) + '"');
    at += 6;
  }
  CHECK(lines.size() - at <= 2);  // the closing line
  CreditEntry odd = rain();
  odd.track_id = R"(a*b\c"d)";
  CHECK(credits_reuse({&odd, 1}).find(R"(path = "**a\\*b\\\\c\"d.*")") != std::string::npos);
}

// CREDIT-19
TEST_CASE("The YAML list has a mapping for each track, whose values are strings in quotes, null or a boolean") {
  CHECK(credits_attributions({}) == "[]\n");
  std::vector<CreditEntry> entries = hostile_entries();
  sort_credits(entries);
  const std::vector<std::string> lines = lines_of(credits_attributions(entries));
  constexpr std::array<std::string_view, 11> kKeys{
      "- track_id: ",    "  title: ",       "  artist: ",  "  source_page: ",     "  license: ",    "  license_name: ",
      "  license_url: ", "  attribution: ", "  changes: ", "  license_changed: ", "  credit_line: "};
  REQUIRE(lines.size() >= entries.size() * kKeys.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::array<std::string, kKeys.size()> values;
    for (std::size_t k = 0; k < kKeys.size(); ++k) {
      const std::string& line = lines[i * kKeys.size() + k];
      CAPTURE(line);
      REQUIRE(line.starts_with(kKeys[k]));
      const std::string value = line.substr(kKeys[k].size());
      const bool is_word = value == "null" || value == "true" || value == "false";
      values[k] = is_word ? value : unquoted(value);
    }
    const std::string title = text::one_line(entries[i].title);
    CHECK(values[0] == entries[i].track_id);
    CHECK(values[1] == (title.empty() ? "null" : title));
    CHECK(values[8] == changes_text(entries[i].modifications).value_or("null"));
    CHECK(values[9] == (entries[i].license_changed ? "true" : "false"));
    CHECK(values[10] == credit_line(entries[i]));
  }
  // Keywords of YAML, and characters that it does not allow.
  CreditEntry odd = rain();
  odd.title = "null";
  odd.artist = "\u0085- x: !!a &b *c\ufeff\uffff\U00010000";
  const std::string yaml = credits_attributions({&odd, 1});
  CHECK(yaml.find("  title: \"null\"\n  artist: \"- x: !!a &b *c\\uFEFF\\uFFFF\U00010000\"\n") != std::string::npos);
}
