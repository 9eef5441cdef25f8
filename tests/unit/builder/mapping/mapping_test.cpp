#include "mapping/mapping.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "mapping/adapter.h"
#include "scratch_folder.h"
#include "system/system_ports.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

std::string failure_of(const std::string& mapping) {
  try {
    parse_mapping(mapping, "m.toml");
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "no failure";
}

}  // namespace

TEST_CASE("an invalid mapping is rejected with the line of the error") {
  const std::string head = "name='m'\ndomain='m.example'\nid_prefix='m'\nkind='sfx'\n";
  const std::string input = "[[input]]\nfile='f'\nformat='csv'\nkey='k'\n";
  CHECK(failure_of("name = ").find("m.toml:1") != std::string::npos);
  CHECK(failure_of(head).find("input is missing") != std::string::npos);
  CHECK(failure_of(head + "colour='red'\n" + input).find("m.toml:5: colour is not known") != std::string::npos);
  CHECK(failure_of(head + "[[input]]\nfile='f'\nformat='xml'\nkey='k'\n").find("format must be") != std::string::npos);
  CHECK(failure_of(head + input + "[input.fields]\nbitrate={column='b'}\n").find("bitrate") != std::string::npos);
  CHECK(failure_of(head + input + "[input.fields]\ntitle={column='b', remove=['(']}\n").find("regular expression") !=
        std::string::npos);
  CHECK(failure_of(head + "[vocabulary.v]\nx=['colour:red']\n" + input).find("facet:tag-id") != std::string::npos);
  CHECK(failure_of(head + "[[license]]\nmatch='x'\n" + input).find("left_out must be given") != std::string::npos);
  CHECK(failure_of(head + input) == "no failure");
  CHECK(failure_of("k" + [] {
          std::string parts;
          for (int i = 1; i < 40'000; ++i) parts += ".k";
          return parts;
        }() + " = 1") == "m.toml:1: is nested deeper than 64 levels");
  CHECK_THROWS_WITH_AS(find_mapping("nowhere"),
                       doctest::Contains("no source nowhere. Known are folder, audio, bsd10k-bst-classes,"), Failure);
  CHECK_THROWS_WITH_AS(find_mapping("Freesond"), doctest::Contains("; did you mean freesound? Known are"), Failure);
  CHECK_THROWS_WITH_AS(find_mapping("foldr"), doctest::Contains("; did you mean folder? Known are"), Failure);
}

TEST_CASE("errors in a mapping have their line") {
  const std::string head = "name='m'\ndomain='m.example'\nid_prefix='m'\nkind='sfx'\n";
  const std::string input = "[[input]]\nfile='f'\nformat='csv'\nkey='k'\n";
  struct Case {
    std::string mapping;
    const char* message;
  };
  const std::vector<Case> cases{
      Case{head + input + "[input.fields]\ntitel={column='t'}\n", "m.toml:10: input[0].fields.titel is not a key"},
      Case{head + input + "[input.fields]\ntitle={colum='t'}\n", "m.toml:10: input[0].fields.title.colum is not"},
      Case{head + input + "[input.fields]\ntitle={column='t',constant='x'}\n",
           "m.toml:10: input[0].fields.title.constant is given together with another"},
      Case{head + input + "[input.fields]\ntitle={template='a{b'}\n",
           "m.toml:10: input[0].fields.title.template has an unpaired { or }"},
      Case{head + input + "[input.fields]\ntitle={template='a}b'}\n", "has an unpaired"},
      Case{head + input + "[input.fields]\ntitle={template='{a{b}'}\n", "has an unpaired"},
      Case{head + input + "[input.fields]\ntitle={template='{}'}\n", "names no column"},
      Case{head + "[[license]]\nmatch='x'\nid='cc-by-5.0'\n" + input,
           "m.toml:7: license[0].id is not a license of the catalog: cc-by-5.0"},
      Case{head + "[[input]]\nfile='*/*.csv'\nformat='csv'\nkey='k'\n", "m.toml:6: input[0].file may contain one *"},
      Case{head + "[[input]]\nfile='a*b*.csv'\nformat='csv'\nkey='k'\n", "m.toml:6: input[0].file may contain one *"},
      Case{head + "[[input]]\nfile='f'\nformat='csv'\n", "m.toml:5: input[0].key is missing"},
      Case{head + input + "[[input.join]]\nfile='g'\nformat='csv'\non='a'\nto='b'\n",
           "m.toml:9: input[0].join[0].prefix is missing"},
      Case{head + input + "[[input.join]]\nfile='g'\nformat='csv'\non='a'\nto='b'\nprefix='x.'\n" +
               "[[input.join]]\nfile='g'\nformat='csv'\non='a'\nto='b'\nprefix='x.y.'\n",
           "m.toml:20: input[0].join[1].prefix begins like the prefix of another join"},
      Case{head + "license_lists=['nowhere']\n" + input, "m.toml:5: license_lists names a list"},
      Case{"name='words'\n" + head.substr(9) + input, "m.toml:1: name means something else"},
  };
  for (const auto& row : cases) {
    CAPTURE(row.message);
    const auto message = failure_of(row.mapping);
    CAPTURE(message);
    CHECK(message.find(row.message) != std::string::npos);
  }
}

namespace {

constexpr const char* kAlbums = R"(
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
[input.fields]
artist = { column = "album.by" }
license = { column = "rights" }
[[input.tags]]
column = "words"
facet = "sfx"
)";

/// Returns the failure of reading the source.
std::string end_of(const std::string& mapping, const test::ScratchFolder& folder) {
  Report report;
  native::OpensslHashing hashing;
  try {
    read_source(find_mapping(mapping), folder.path(), hashing, report,
                [](std::uint64_t, const std::variant<Line, Rejection>&) {});
  } catch (const Failure& failure) {
    return failure.what();
  }
  std::string unseen;
  for (const auto& column : report.columns_not_found) unseen += column + "\n";
  return unseen;
}

}  // namespace

TEST_CASE("a column that the file's header lacks is a failure with the mapping's line") {
  const test::ScratchFolder folder;
  const auto mapping = folder.write("mine.toml", kAlbums);
  folder.write("tracks.csv", "key,album,rights,words\n");
  folder.write("albums.csv", "id,by\n");
  CHECK(end_of(mapping, folder).empty());
  for (const auto& [name, text, line, column] : {
           std::array{"albums.csv", "id,bi\n", "17: input[0].fields.artist.column", "album.by"},
           std::array{"albums.csv", "idd,by\n", "14: input[0].join[0].to", "id"},
           std::array{"tracks.csv", "kei,album,rights,words\n", "9: input[0].key", "key"},
           std::array{"tracks.csv", "key,albun,rights,words\n", "13: input[0].join[0].on", "album"},
           std::array{"tracks.csv", "key,album,right,words\n", "18: input[0].fields.license.column", "rights"},
           std::array{"tracks.csv", "key,album,rights,word\n", "20: input[0].tags[0].column", "words"},
       }) {
    const auto before = folder.read(name);
    folder.write(name, text);
    const auto message = end_of(mapping, folder);
    CAPTURE(message);
    CHECK(message.starts_with(mapping + ":" + line + " names the column "));
    CHECK(message.find(folder.path(name)) != std::string::npos);
    folder.write(name, before);
  }
  folder.write("tracks.csv", "key,album,rights,words,album.by\n");
  CHECK(end_of(mapping, folder).find("its column album.by begins with the prefix of a join") != std::string::npos);
}

TEST_CASE("a column that no JSON row has is reported") {
  const test::ScratchFolder folder;
  const auto mapping = folder.write("mine.toml", R"(
name = "mine"
domain = "mine.example"
id_prefix = "mine"
kind = "sfx"
[[input]]
file = "a.json"
format = "json"
key = "key"
[input.fields]
title = { column = "name" }
artist = { column = "artst" }
)");
  folder.write("a.json", R"([{"key":"1","artist":"A"},{"key":"2","name":null}])");
  CHECK(end_of(mapping, folder) == mapping + ":12: input[0].fields.artist.column: artst\n");
}

TEST_CASE("a general word means at most one tag of a facet") {
  const auto words = facet_words("");
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    const auto name = std::string(kFacetNames[facet]) + ":";
    CHECK(words.general[facet].size() > 10);
    const auto is_of_facet = [&](const std::string& target) { return target.starts_with(name); };
    for (const auto& entry : words.general[facet]) {
      INFO(entry.first);
      CHECK(std::count_if(entry.second.begin(), entry.second.end(), is_of_facet) == 1);
    }
  }
}

}  // namespace tonearm::builder
