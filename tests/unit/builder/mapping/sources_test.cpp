#include "mapping/adapter.h"

#include <doctest/doctest.h>

#include "canonical/check.h"
#include "mapping/row_adapter.h"
#include "runtime/embedded.h"
#include "scratch_folder.h"
#include "system/system_ports.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

native::OpensslHashing& hashing() {
  static native::OpensslHashing hashing;
  return hashing;
}

/// Returns the line or rejection of each row.
std::vector<std::variant<Line, Rejection>> lines_of(const std::string& mapping, const test::ScratchFolder& folder,
                                                    Report& report) {
  std::vector<std::variant<Line, Rejection>> lines;
  read_source(find_mapping(mapping), folder.path(), hashing(), report,
              [&](std::uint64_t, std::variant<Line, Rejection> line) { lines.push_back(std::move(line)); });
  return lines;
}

/// Returns the license of each line, or why it was rejected.
std::vector<std::string> outcomes_of(const std::vector<std::variant<Line, Rejection>>& lines) {
  std::vector<std::string> outcomes;
  outcomes.reserve(lines.size());
  for (const auto& line : lines) {
    const auto* rejection = std::get_if<Rejection>(&line);
    outcomes.push_back(rejection == nullptr ? std::get<Line>(line).license.value_or("none")
                                            : std::string(reason_row(rejection->reason).name));
  }
  return outcomes;
}

Row row_of(std::initializer_list<std::pair<const char*, const char*>> cells) {
  Row row;
  row.number = 1;
  for (const auto& [column, value] : cells) row.cells[column].emplace_back(value);
  return row;
}

/// Returns the line or rejection of a row of the source's first file.
std::variant<Line, Rejection> read(const std::string& source, const Row& row, Report& report) {
  const auto mapping = find_mapping(source);
  return line_of_row(row, mapping, mapping.inputs.front(), hashing(), report);
}

Line line_of(const std::string& source, const Row& row) {
  Report report;
  auto result = read(source, row, report);
  if (const auto* rejection = std::get_if<Rejection>(&result)) FAIL(rejection->message);
  return std::get<Line>(result);
}

/// Returns the license id of a freemusi.cc release with that URL, or why it is rejected.
std::string freemusi_license(const std::string& url) {
  Report report;
  const auto row =
      row_of({{"trackurl", "http://a.example/1.mp3"}, {"title", "T"}, {"release.licenseurl", url.c_str()}});
  const auto result = read("freemusi-cc", row, report);
  if (const auto* rejection = std::get_if<Rejection>(&result)) return std::string(reason_row(rejection->reason).name);
  return std::get<Line>(result).license.value_or("none");
}

constexpr const char* kCredit =
    "\nRain Kevin MacLeod (incompetech.com)Licensed under Creative Commons: By Attribution 3.0 "
    "Licensehttp://creativecommons.org/licenses/by/3.0/";

Row incompetech_row(const std::string& description) {
  return row_of({{"usuan", "USUAN1100726"},
                 {"title", "Rain"},
                 {"description", description.c_str()},
                 {"length", "1:46"},
                 {"bpm", "86"}});
}

}  // namespace

TEST_CASE("an id is the prefix and 15 digits of the key's SHA-256") {
  // The first 8 bytes of SHA-256("abc") are ba7816bf8f01cfea: 13436514500253700074.
  CHECK(id_from_key("freemusi", "abc", hashing()) == "freemusi-514500253700074");
  CHECK(is_track_id(id_from_key("x", "", hashing())));
}

TEST_CASE("every built-in mapping can be read") {
  std::size_t count = 0;
  for (const auto& file : embedded_files()) {
    if (!file.name.starts_with("sources/")) continue;
    CHECK_NOTHROW(parse_mapping(file.text, std::string(file.name)));
    ++count;
  }
  CHECK(count >= 18);
  CHECK_NOTHROW(built_in_labels());
}

TEST_CASE("a license URL of freemusi.cc is exactly one of the catalog's licenses, or rejected") {
  struct Case {
    const char* url;
    const char* expected;
  };
  // Written from the URLs of the licenses, not from the mapping.
  const Case cases[] = {
      {"http://creativecommons.org/publicdomain/zero/1.0/", "cc0"},
      {"https://creativecommons.org/publicdomain/zero/1.0", "cc0"},
      {"https://creativecommons.org/publicdomain/zero/", "cc0"},
      {"https://creativecommons.org/publicdomain/zero", "cc0"},
      {"https://creativecommons.org/publicdomain/zero/2.0/", "license_unknown"},
      {"http://creativecommons.org/licenses/by/3.0/", "cc-by-3.0"},
      {"http://creativecommons.org/licenses/by/4.0/", "cc-by-4.0"},
      {"http://creativecommons.org/licenses/by-nc/3.0/", "cc-by-nc-3.0"},
      {"http://creativecommons.org/licenses/by-nc/4.0/", "cc-by-nc-4.0"},
      {"http://creativecommons.org/licenses/by-sa/3.0/", "cc-by-sa-3.0"},
      {"http://creativecommons.org/licenses/by-nc-sa/4.0/", "cc-by-nc-sa-4.0"},
      {"http://creativecommons.org/licenses/by-nc-nd/3.0/", "no_derivatives"},
      {"http://creativecommons.org/licenses/by-nd/4.0/", "no_derivatives"},
      {"http://creativecommons.org/licenses/by-nd-nc/1.0/", "no_derivatives"},
      {"http://creativecommons.org/licenses/by/3.0/de/", "license_ported"},
      {"http://creativecommons.org/licenses/by-nc/3.0/us/", "license_ported"},
      {"http://creativecommons.org/licenses/by-nc-sa/2.5/scotland/", "license_ported"},
      {"http://creativecommons.org/licenses/by/2.5/", "license_old_version"},
      {"http://creativecommons.org/licenses/by/1.0/", "license_old_version"},
      {"http://creativecommons.org/licenses/nc-sampling+/1.0/", "sampling"},
      {"http://creativecommons.org/licenses/publicdomain/", "license_not_offered"},
      {"http://creativecommons.org/publicdomain/mark/1.0/", "license_not_offered"},
      {"http://freemusicarchive.org/FMA_License", "license_not_offered"},
      {"http://creativecommons.org/licenses/by/3.0/de/legalcode", "license_ported"},
      {" HTTPS://WWW.CreativeCommons.org/Licenses/BY-NC/3.0/\n", "cc-by-nc-3.0"},
      {"https://www.creativecommons.org/publicdomain/zero/1.0/legalcode", "cc0"},
      {"http://creativecommons.org/licenses/by/4.0/legalcode/", "cc-by-4.0"},
      {"https://creativecommons.org/licenses/by-sa/4.0/deed", "cc-by-sa-4.0"},
      {"http://creativecommons.org/licenses/by/", "cc-by"},
      {"https://creativecommons.org/licenses/by/4.0/rdf", "license_unknown"},
      {"https://creativecommons.org/licenses/by/3.0/legal", "license_unknown"},
      {"https://creativecommons.org/licenses/by/5.0/", "license_unknown"},
      {"https://creativecommons.org/licenses/by/40/", "license_unknown"},
      {"https://creativecommons.org/licenses/nc-by/4.0/", "license_unknown"},
      {"https://creativecommons.org/licenses/sa/1.0/", "license_old_version"},
      {"http://creativecommons.org/licenses/by/3.0/igo/", "license_ported"},
      {"http://creativecommons.org/licenses/sampling+/1.0/", "sampling"},
      {"http://creativecommons.org/licenses/by-nc-nd/2.0/de/", "no_derivatives"},
      {"http://creativecommons.org/licenses/by-sa/2.0/fr/", "license_ported"},
      {"https://creativecommons.org/licenses/by/3.0/deed.de", "cc-by-3.0"},
      {"http://creativecommons.org.evil.example/licenses/by/3.0/", "license_unknown"},
      {"https://evil.example/creativecommons.org/licenses/by/4.0", "license_unknown"},
      {"https://evil.example/?https://creativecommons.org/licenses/by/4.0/", "license_unknown"},
      {"https://creativecommons.org@evil.example/licenses/by-nd/4.0/", "license_unknown"},
      {"https://xcreativecommons.org/licenses/by/4.0/", "license_unknown"},
      {"http://example.org/mine", "license_unknown"},
      // ^ and $ match the ends of the text, not of its lines.
      {"http://example.org/mine\nhttp://creativecommons.org/licenses/by/3.0/", "license_unknown"},
      {"http://creativecommons.org/licenses/by/3.0/\nAll rights reserved", "license_unknown"},
  };
  for (const auto& one : cases) {
    CAPTURE(one.url);
    CHECK(freemusi_license(one.url) == one.expected);
  }
}

TEST_CASE("several licenses in one row are rejected") {
  Report report;
  auto row = row_of({{"trackurl", "http://a.example/1.mp3"},
                     {"title", "T"},
                     {"release.licenseurl", "http://creativecommons.org/publicdomain/zero/1.0/"}});
  row.cells["release.licenseurl"].emplace_back("http://creativecommons.org/licenses/by-nc-nd/3.0/");
  CHECK(std::get<Rejection>(read("freemusi-cc", row, report)).reason == Reason::license_ambiguous);
}

TEST_CASE("joined rows with one key have a license only if they agree") {
  const test::ScratchFolder folder;
  folder.write("tracks.csv", "key,album\nk1,same\nk2,differ\nk3,none\nk4,labels\nk5,\nk6,one\n");
  folder.write("albums.csv",
               "id,by,label\nsame,Ann,a\nsame,Bob,a\ndiffer,Ann,a\ndiffer,Ann,b\nnone,Ann,\nnone,Ann,a\n"
               "labels,Ann,c\n,Ann,a\none,Ann,a\nbroken\n");
  folder.write("labels.json", R"([{"id":"a","type":"by","version":"3.0"},{"id":"b","type":"by","version":"4.0"},
                                  {"id":"c","type":"by","version":"3.0"},{"id":"c","type":"by","version":"4.0"},
                                  {"id":"","type":"by","version":"3.0"},{"id":"d","id":"e"},7])");
  const auto path = folder.write("mine.toml", R"(
name = "mine"
domain = "mine.example"
id_prefix = "mine"
kind = "sfx"
[[input]]
file = "tracks.csv"
format = "csv"
key = "key"
[[input.join]]
file = "albums.csv"
format = "csv"
on = "album"
to = "id"
prefix = "album."
[[input.join]]
file = "labels.json"
format = "json"
on = "album.label"
to = "id"
prefix = "label."
[input.fields]
artist = { column = "album.by" }
license = { template = "{label.type}/{label.version}" }
[[license]]
match = '^by/3\.0$'
id = "cc-by-3.0"
)");
  Report report;
  const auto outcomes = outcomes_of(lines_of(path, folder, report));
  CHECK(outcomes == std::vector<std::string>{"cc-by-3.0", "license_ambiguous", "license_ambiguous", "license_ambiguous",
                                             "none", "cc-by-3.0"});
  CHECK(report.count(Reason::row_broken) == 3);
  REQUIRE(report.broken_entries().size() == 3);
  CHECK(report.broken_entries()[0].file == folder.path("albums.csv"));
  CHECK(report.broken_entries()[0].line == 11);
  CHECK(report.broken_entries()[1].file == folder.path("labels.json"));
  CHECK(report.inputs().size() == 1);
}

TEST_CASE("a row of freemusi.cc without a license gets none, and the check rejects it") {
  const auto line = line_of("freemusi-cc", row_of({{"trackurl", "http://a.example/1.mp3"}, {"title", "T"}}));
  CHECK_FALSE(line.license);
}

TEST_CASE("a row of freemusi.cc becomes a line") {
  const auto line =
      line_of("freemusi-cc", row_of({{"trackurl", "http://www.archive.org/download/x/1.mp3"},
                                     {"title", "CanÃ§Ã£o"},
                                     {"trackartist", " KÃ¤mmerer\n"},
                                     {"duration", "245"},
                                     {"activity", "3"},
                                     {"rating", "4"},
                                     {"release.genre", "Electronic, Funk / Soul"},
                                     {"release.style", "Trip Hop, Drum & Bass, Dark, Compilation, Piano, R&B"},
                                     {"release.url", "http://archive.org/details/x"},
                                     {"release.licenseurl", "http://creativecommons.org/licenses/by/3.0/"}}));
  CHECK(line.title == "Canção");
  CHECK(line.artist == "Kämmerer");
  CHECK(line.kind == "music");
  CHECK(line.duration_s == "245");
  CHECK(line.energy == "driving");
  CHECK(line.quality == "0.8");
  CHECK(line.tone == "dark");
  CHECK(line.source == "archive.org");
  CHECK(line.source_page == "http://archive.org/details/x");
  CHECK(line.original_url == "http://www.archive.org/download/x/1.mp3");
  CHECK(line.tags[0] == std::vector<std::string>{"electronic", "funk", "soul", "trip-hop", "drum-and-bass", "rnb"});
  CHECK(line.tags[1] == std::vector<std::string>{"dark"});
  CHECK(line.tags[3] == std::vector<std::string>{"piano"});
}

TEST_CASE("unset values of freemusi.cc are absent") {
  const auto line =
      line_of("freemusi-cc", row_of({{"trackurl", "http://a.example/1"}, {"activity", "0"}, {"rating", "0"}}));
  CHECK_FALSE(line.energy);
  CHECK_FALSE(line.quality);
  CHECK_FALSE(line.title);
  CHECK_FALSE(line.duration_s);
}

TEST_CASE("a row of incompetech has only the license of its own statement") {
  CHECK(line_of("incompetech", incompetech_row(std::string("Calm.") + kCredit)).license == "cc-by-3.0");
  CHECK(line_of("incompetech", incompetech_row(std::string("Calm.") + kCredit)).credit_as ==
        "Kevin MacLeod (incompetech.com)");
  CHECK_FALSE(line_of("incompetech", incompetech_row("Calm.")).license);
  CHECK(line_of("incompetech", incompetech_row("Calm.")).credit_as.empty());
  CHECK_FALSE(line_of("incompetech", incompetech_row("By Attribution 3.0, they say.")).license);
  Report report;
  const auto other = read("incompetech", incompetech_row("x\nLicensed under Creative Commons: Something Else"), report);
  CHECK(std::get<Rejection>(other).reason == Reason::license_unknown);
}

TEST_CASE("the credit text is removed from descriptions of incompetech in all its forms") {
  struct Case {
    std::string given;
    const char* expected;
  };
  std::string credit = kCredit;
  std::string spaced = credit;
  spaced.replace(5, 1, "\n ");  // "\nRain\n Kevin"
  for (const auto& one : {Case{"Calm. Two lines.\nSecond." + credit, "Calm. Two lines.\nSecond."},
                          Case{"Calm.\nSheet Music:Available!" + credit, "Calm."}, Case{credit.substr(1), ""},
                          Case{"Calm." + spaced, "Calm."}, Case{"\nFeel:\nCool." + credit, "Cool."},
                          Case{"Kevin MacLeod plays this.", "Kevin MacLeod plays this."}}) {
    CAPTURE(one.given);
    CHECK(line_of("incompetech", incompetech_row(one.given)).description == one.expected);
  }
}

TEST_CASE("defects in incompetech's columns are repaired and counted") {
  struct Case {
    const char* bpm;
    std::optional<std::string> expected;
    std::size_t repairs;
  };
  for (const auto& one : {Case{"120", "120", 0}, Case{"0", "0", 0}, Case{"7094 bpm", {}, 1}, Case{"12389", {}, 1}}) {
    Report report;
    auto row = incompetech_row(kCredit);
    row.cells["bpm"] = {one.bpm};
    const auto line = std::get<Line>(read("incompetech", row, report));
    CAPTURE(one.bpm);
    CHECK(line.bpm == one.expected);
    CHECK(report.repairs.size() == one.repairs);
  }
  Report report;
  auto row = incompetech_row(kCredit);
  row.cells["genre"] = {"HolidayHoliday"};
  row.cells["feel"] = {"Dark,,  Action, bright,Calm, Unnerving,"};
  row.cells["instruments"] = {"Flutes, flute, Orchestral - Full, Xylophone., Basses. Piano, Uilleann Pipes"};
  const auto line = std::get<Line>(read("incompetech", row, report));
  CHECK(line.tags[0] == std::vector<std::string>{"holiday"});
  CHECK(line.tags[1] == std::vector<std::string>{"dark", "action", "bright", "calming", "unnerving"});
  CHECK(line.tags[3] ==
        std::vector<std::string>{"flute", "flute", "orchestra", "xylophone", "double-bass", "piano", "uilleann-pipes"});
  CHECK_FALSE(line.tone);    // dark and bright
  CHECK_FALSE(line.energy);  // driving and calm
  CHECK(report.repairs.at("incompetech: doubled word repaired") == 1);
  CHECK(report.unlisted_values().contains("incompetech: instruments: Uilleann Pipes"));
}

TEST_CASE("a row without a stable key, or malformed as a whole, is rejected") {
  Report report;
  CHECK(std::get<Rejection>(read("freemusi-cc", row_of({{"title", "T"}}), report)).reason == Reason::id_invalid);
  Row broken;
  broken.broken = "has 3 fields";
  CHECK(std::get<Rejection>(read("freemusi-cc", broken, report)).reason == Reason::row_broken);
}

TEST_CASE("a user's mapping declares columns, joins, templates, patterns, vocabularies and licenses") {
  const test::ScratchFolder folder;
  folder.write("sounds.csv",
               "key,name,album,secs,words,rights\nk1,Rain,a1,12.5,rain;Storm,CC Zero\nk2,Sea,a2,9,,All mine\n");
  folder.write("albums.json", R"([{"id":"a1","by":"Ann"}])");
  const auto path = folder.write("mine.toml", R"(
name = "mine"
domain = "Mine.Example"
id_prefix = "mine"
kind = "sfx"
[[input]]
file = "sounds.csv"
format = "csv"
key = "key"
[[input.join]]
file = "albums.json"
format = "json"
on = "album"
to = "id"
prefix = "album."
[input.fields]
title = { column = "name" }
artist = { column = "album.by" }
duration_s = { column = "secs", form = "number" }
license = { column = "rights" }
source_page = { template = "https://mine.example/{name}?k={key}" }
category = { constant = "fx-n" }
[[input.tags]]
column = "words"
split = ";"
facet = "sfx"
[[license]]
match = '^CC Zero$'
id = "cc0"
[[license]]
match = 'mine'
left_out = "reserved"
)");
  Report report;
  const auto lines = lines_of(path, folder, report);
  REQUIRE(lines.size() == 2);
  const auto& line = std::get<Line>(lines[0]);
  CHECK(line.source == "mine.example");
  CHECK(line.artist == "Ann");
  CHECK(line.source_page == "https://mine.example/Rain?k=k1");
  CHECK(line.tags[4] == std::vector<std::string>{"rain", "storm"});
  CHECK(line.category == "fx-n");
  CHECK(line.license == "cc0");
  CHECK(std::get<Rejection>(lines[1]).reason == Reason::license_not_offered);
  CHECK_THROWS_WITH_AS(read_source(find_mapping(path), folder.path("none"), hashing(), report,
                                   [](std::uint64_t, const std::variant<Line, Rejection>&) {}),
                       doctest::Contains("sounds.csv: cannot be opened"), Failure);
}

TEST_CASE("a joined row removes nothing from its row") {
  const test::ScratchFolder folder;
  folder.write("tracks.json", R"([{"key":"1","album":"a","album.license":"nd"},{"key":"2","album":"a"}])");
  folder.write("albums.csv", "id,license\na,zero\n");
  const auto mapping = folder.write("mine.toml", R"(
name = "mine"
domain = "mine.example"
id_prefix = "mine"
kind = "sfx"
[[input]]
file = "tracks.json"
format = "json"
key = "key"
[[input.join]]
file = "albums.csv"
format = "csv"
on = "album"
to = "id"
prefix = "album."
[input.fields]
license = { column = "album.license" }
[[license]]
match = '^zero$'
id = "cc0"
)");
  Report report;
  const auto outcomes = outcomes_of(lines_of(mapping, folder, report));
  CHECK(outcomes == std::vector<std::string>{"license_ambiguous", "cc0"});
}

TEST_CASE("a row whose value is too complex for a pattern is rejected, but its license counts") {
  const test::ScratchFolder folder;
  const std::string intricate(40, 'a');
  const std::string head = "name='m'\ndomain='m.example'\nid_prefix='m'\nkind='sfx'\n";
  const std::string license = "[[license]]\nmatch='^zero$'\nid='cc0'\n[[license]]\nmatch='(a+)+$'\nid='cc-by-3.0'\n";
  folder.write("rows.csv", "k,text,license\n1," + intricate + "!,zero\n2,b,zero\n");
  struct Case {
    const char* what;
    std::string mapping;
    const char* license;  // of the first row
  };
  const std::string input = "[[input]]\nfile='rows.csv'\nformat='csv'\nkey='k'\n";
  const std::string fields = "[input.fields]\nlicense={column='license'}\n";
  const std::vector<Case> cases{
      Case{"only", head + input + "only=[{column='text',pattern='^(?:(a+)+|b)$'}]\n" + fields + license, "none"},
      Case{"field", head + input + fields + "title={column='text',pattern='^(?:(a+)+|b)$'}\n" + license, "cc0"},
      Case{"lines",
           head +
               "[[input]]\nfile='rows.csv'\nformat='lines'\npattern='^(\\d+),(?:(?:a+)+|b),(zero)$'\n"
               "columns=['k','license']\nskip='^k'\nkey='k'\n" +
               fields + license,
           "none"},
  };
  for (const auto& row : cases) {
    CAPTURE(row.what);
    Report report;
    const auto lines = lines_of(folder.write("m.toml", row.mapping), folder, report);
    REQUIRE(lines.size() == 2);
    REQUIRE(std::holds_alternative<Rejection>(lines[0]));
    CHECK(std::get<Rejection>(lines[0]).reason == Reason::row_broken);
    CHECK(std::get<Rejection>(lines[0]).message.find("too complex") != std::string::npos);
    CHECK(std::get<Rejection>(lines[0]).license.value_or("none") == row.license);
    CHECK(std::get<Line>(lines[1]).license == "cc0");
  }
}

TEST_CASE("repeated words are repaired only for the source that declares it") {
  for (const char* word : {"tamtam", "tomtom", "chacha", "cancan", "murmur", "couscous", "123123"}) {
    const auto row = row_of({{"id", "7"}, {"name", "n"}, {"tags", word}});
    const auto line = line_of("freesound", row);
    CHECK(line.tags[4].size() + line.tags[3].size() == 1);
    if (!line.tags[4].empty()) CHECK(line.tags[4][0] == word);
  }
}

TEST_CASE("the words of a row and the reported unlisted values are bounded") {
  const auto mapping = find_mapping("freemusi-cc");
  Report report;
  auto row = row_of({{"trackurl", "http://a.example/1.mp3"}});
  auto& styles = row.cells["release.style"];
  for (int i = 0; i < 1200; ++i) styles.push_back("word" + std::to_string(i));
  const auto result = line_of_row(row, mapping, mapping.inputs.front(), hashing(), report);
  CHECK(std::get<Line>(result).tags[0].size() == 1000);
  CHECK(report.repairs.at("freemusi-cc: words of release.style beyond 1000 dropped") == 1);
  for (int i = 0; i < 12'000; ++i) report.count_unlisted("value " + std::to_string(i));
  report.count_unlisted(std::string(1000, 'x'));
  CHECK(report.unlisted_values().size() == Report::kUnlistedMax);
  CHECK(report.to_json().find(R"("unlisted_values_not_named":3001,)") != std::string::npos);
}

}  // namespace tonearm::builder
