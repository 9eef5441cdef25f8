#include "folder/documents.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "files/glob.h"
#include "folder/license_names.h"
#include "scratch_folder.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

std::string message_of(LicenseDocument (*read)(const std::string&, const std::string&), const std::string& text) {
  try {
    read(text, "sounds/doc");
  } catch (const Failure& failure) {
    return failure.what();
  }
  return {};
}

const Statement& named(const LicenseDocument& document, const std::string& path) {
  const auto found = document.by_path.find(path);
  REQUIRE(found != document.by_path.end());
  return document.rules.at(found->second.front()).statement;
}

std::optional<LicenseDocument> list(const std::string& text) {
  const test::ScratchFolder folder;
  folder.write("list.csv", text);
  auto read = read_list(folder.path(), "list.csv");
  auto* document = std::get_if<LicenseDocument>(&read);
  return document == nullptr ? std::nullopt : std::optional(std::move(*document));
}

}  // namespace

// BUILD-11
TEST_CASE("paths in documents stay within the folder") {
  CHECK(path_within("a/", "b.ogg") == "a/b.ogg");
  CHECK(path_within("a/", "./b//c/./d.ogg") == "a/b/c/d.ogg");
  CHECK(path_within("", "..b/c..ogg") == "..b/c..ogg");
  for (const std::string bad : {"", "/etc/passwd", "../b.ogg", "b/../../c.ogg", "b/..", "a\\b.ogg", ".", "./"}) {
    CAPTURE(bad);
    CHECK_FALSE(path_within("a/", bad));
  }
  CHECK_FALSE(path_within("a/", std::string("b\0.ogg", 6)));
}

// BUILD-11
TEST_CASE("a CSV file is a list if it has columns of files and licenses") {
  const auto read =
      list("File,Licence,Author,Source URL,Title\n\"rain, hard.ogg\",CC0-1.0,Ann,https://a.example/,\"A \"\"B\"\"\"\n");
  REQUIRE(read);
  const auto& statement = named(*read, "rain, hard.ogg");
  CHECK(statement.licenses == std::vector<std::string>{"CC0-1.0"});
  CHECK(statement.fields.at("artist") == "Ann");
  CHECK(statement.fields.at("source_page") == "https://a.example/");
  CHECK(statement.fields.at("title") == "A \"B\"");
  CHECK(statement.line == 2);
  CHECK_FALSE(list("name,size\nrain.ogg,1\n"));
  CHECK_THROWS_AS(list(""), Failure);  // without a header
}

TEST_CASE("BUILD-27: the reason why a CSV file is no list names the missing column and the present ones") {
  const test::ScratchFolder folder;
  const auto reason_of = [&](const std::string& header) {
    folder.write("list.csv", header + "\n");
    return std::get<std::string>(read_list(folder.path(), "list.csv"));
  };
  CHECK(reason_of("filename,licence_type") ==
        "is no list of files, because it lacks the column license (license, licence, license_url, licence_url, spdx); "
        "it has: filename, licence_type");
  CHECK(reason_of("sound,license")
            .starts_with("is no list of files, because it lacks the column file (file, filename, file_name, path); it "
                         "has: sound, license"));
  CHECK(reason_of("license," + std::string(10'000, 'x')).size() < 600);
}

TEST_CASE("a list keeps every row of a file and rejects paths outside of the folder") {
  const auto read =
      list("file,license,license_url\na.ogg,CC0-1.0,\na.ogg,CC-BY-4.0,https://x\n../b.ogg,CC0-1.0,\n/c.ogg,CC0-1.0,\n");
  REQUIRE(read);
  CHECK(read->by_path.at("a.ogg").size() == 2);
  CHECK(read->rules.at(1).statement.licenses.size() == 2);
  CHECK(read->rejected == std::vector<std::string>{"../b.ogg", "/c.ogg"});
  CHECK_THROWS_AS(list("file,license\n,CC0-1.0\n"), Failure);
}

// BUILD-11
TEST_CASE("attributions.yml names files, license, holder and source") {
  const auto read = read_attributions(
      "- files: [\"a.ogg\", \"../b.ogg\"]\n  license: \"CC-BY-3.0\"\n  copyright: \"Recorded by Ann Lee, 2020\"\n"
      "  source: \"https://a.example/1\"\n- files:\n    - c.ogg\n  license:\n    - CC0-1.0\n    - CC-BY-4.0\n",
      "sounds/attributions.yml");
  CHECK(named(read, "sounds/a.ogg").licenses == std::vector<std::string>{"CC-BY-3.0"});
  CHECK(named(read, "sounds/a.ogg").fields.at("artist") == "Ann Lee");
  CHECK(named(read, "sounds/a.ogg").fields.at("source_page") == "https://a.example/1");
  CHECK(named(read, "sounds/c.ogg").licenses.size() == 2);
  CHECK(read.rejected == std::vector<std::string>{"../b.ogg"});
}

TEST_CASE("attributions.yml that is not a list of entries is rejected with its line") {
  const auto of = [](const std::string& text) { return message_of(read_attributions, text); };
  CHECK(of("- files: [a\n").find("doc:") != std::string::npos);
  CHECK(of("- &x {files: [a.ogg]}\n- *x\n") == "sounds/doc:2: an alias is not allowed");
  CHECK(of("files: [a.ogg]\n").find("must be a list") != std::string::npos);
  CHECK(of("just words\n").find("must be a list") != std::string::npos);
  CHECK(of("- license: a\n  license: b\n").find("occurs twice") != std::string::npos);
  CHECK(of("- files: [[[[[[[[[[a]]]]]]]]]]\n").find("nested too deep") != std::string::npos);
  CHECK(of("- files: [\"a\\0b.ogg\"]\n").find("not text") != std::string::npos);
  CHECK(of("").empty());
}

TEST_CASE("attributions.yml and REUSE.toml of any depth are rejected with their line") {
  constexpr int kMany = 40'000;
  const auto repeated = [](const std::string& text) {
    std::string result;
    for (int i = 0; i < kMany; ++i) result += text;
    return result;
  };
  for (const std::string part : {"[", "{", "- ", "? ", "{a: ", "[a: ", "&a [", "!x [", "- ? "}) {
    for (const std::string before : {"", "- files: ", "- files:\n  - a\n- "}) {
      CAPTURE(part);
      CAPTURE(before);
      CHECK(message_of(read_attributions, before + repeated(part)).starts_with("sounds/doc:"));
    }
  }
  CHECK(message_of(read_attributions, "- files: &a [x]\n" + repeated("- files: *a\n")) ==
        "sounds/doc:2: an alias is not allowed");
  CHECK(message_of(read_reuse, repeated("a.") + "a = 1\n") == "sounds/doc:1: is nested deeper than 64 levels");
}

// BUILD-11
TEST_CASE("REUSE.toml has annotations with paths and a precedence") {
  const auto read = read_reuse(
      "version = 1\n[[annotations]]\npath = [\"*.ogg\", \"b/**\"]\nprecedence = \"override\"\n"
      "SPDX-FileCopyrightText = \"2020 Ann <ann@a.example>\"\nSPDX-License-Identifier = \"CC0-1.0\"\n",
      "REUSE.toml");
  REQUIRE(read.rules.size() == 1);
  CHECK(read.rules[0].precedence == Precedence::override_all);
  CHECK(read.rules[0].patterns.size() == 2);
  CHECK(read.rules[0].statement.fields.at("artist") == "Ann");
  CHECK(message_of(read_reuse, "version = 2\n").find("must be 1") != std::string::npos);
  CHECK(message_of(read_reuse, "version = 1\n[[annotations]]\n").find("path") != std::string::npos);
  CHECK(message_of(read_reuse, "version = 1\n[[annotations]]\npath = \"a\"\nprecedence = \"best\"\n")
            .find("precedence") != std::string::npos);
  CHECK_FALSE(message_of(read_reuse, "version = \n").empty());
  CHECK_FALSE(message_of(read_reuse, "version = 1 # \xff\n").empty());
}

// BUILD-11
TEST_CASE("Debian's copyright has paragraphs of files") {
  const auto read = read_debian(
      "Format: x\n\nFiles: *\nCopyright: 2016 Ann <a@a.example>\nLicense: MIT\n text\n\nFiles:\n a/*\n b?.ogg\n"
      "Copyright:\n 2018-2021, Bea Lo\nLicense: CC0-1.0\n",
      "debian/copyright");
  REQUIRE(read.rules.size() == 2);
  CHECK(read.folder.empty());
  CHECK(read.rules[0].statement.licenses == std::vector<std::string>{"MIT"});
  CHECK(read.rules[1].patterns == std::vector<std::string>{"a/*", "b?.ogg"});
  CHECK(read.rules[1].statement.fields.at("artist") == "Bea Lo");
  CHECK(message_of(read_debian, "Files: *\n") == "sounds/doc:1: a Files paragraph has no License");
  CHECK(message_of(read_debian, " goes on\n").find("no field before") != std::string::npos);
  CHECK(message_of(read_debian, "Files *\n").find("colon") != std::string::npos);
  CHECK(message_of(read_debian, "License: a\nLicense: b\n").find("occurs twice") != std::string::npos);
  CHECK(message_of(read_debian, "License: \xff\n").find("not UTF-8") != std::string::npos);
  CHECK(message_of(read_debian, std::string("License: a\0\n", 12)).find("NUL") != std::string::npos);
}

TEST_CASE("the copyright files of real sound packages are valid") {
  for (const std::string package : {"sonic-pi-samples", "lomiri-sounds"}) {
    const auto path = "/usr/share/doc/" + package + "/copyright";
    if (!std::filesystem::exists(path)) {
      MESSAGE("skipped: the package is not installed: " << package);
      continue;
    }
    std::ifstream file(path);
    const auto read = read_debian({std::istreambuf_iterator<char>(file), {}}, "copyright");
    CHECK(read.rules.size() > 10);
    for (const auto& rule : read.rules) CHECK_FALSE(rule.statement.licenses.front().empty());
  }
}

// BUILD-11
TEST_CASE("a text beside a file counts only if it mentions licenses") {
  CHECK_FALSE(read_beside("Rain on a tin roof, recorded in spring.\nTitle: Rain\n", "rain.txt", "rain.ogg"));
  const auto stated = read_beside("Title: Rain\nLicense: CC0-1.0\nRecorded in spring.\n", "rain.txt", "rain.ogg");
  REQUIRE(stated);
  CHECK(named(*stated, "rain.ogg").licenses == std::vector<std::string>{"CC0-1.0"});
  CHECK(named(*stated, "rain.ogg").prose.empty());
  const auto limited = read_beside("License: CC0-1.0\nNot for commercial use.\n", "rain.txt", "rain.ogg");
  REQUIRE(limited);
  CHECK_FALSE(named(*limited, "rain.ogg").prose.empty());
  const auto holder =
      read_beside("License: CC0-1.0\nCopyright 2020 Ann, all rights reserved\n", "rain.txt", "rain.ogg");
  REQUIRE(holder);
  CHECK_FALSE(named(*holder, "rain.ogg").prose.empty());
  CHECK(read_beside("anything", "rain.ogg.license", "rain.ogg"));
  CHECK(read_beside("anything", "rain.ogg.license", "rain.ogg")->form == DocumentForm::reuse_beside);
}

// BUILD-11
TEST_CASE("a star in patterns of REUSE and Debian matches different texts") {
  CHECK(native::matches_reuse("*.ogg", "a.ogg"));
  CHECK_FALSE(native::matches_reuse("*.ogg", "b/a.ogg"));
  CHECK(native::matches_reuse("**.ogg", "b/a.ogg"));
  CHECK(native::matches_reuse("b/**", "b/c/a.ogg"));
  CHECK(native::matches_reuse("\\*.ogg", "*.ogg"));
  CHECK_FALSE(native::matches_reuse("\\*.ogg", "a.ogg"));
  CHECK_FALSE(native::matches_reuse("a?.ogg", "ab.ogg"));
  CHECK(native::matches_debian("*.ogg", "b/a.ogg"));
  CHECK(native::matches_debian("a?.ogg", "ab.ogg"));
  CHECK(native::matches_debian("x?y", "x\xC3\xA9y"));
  CHECK_FALSE(native::matches_debian("a\\?.ogg", "ab.ogg"));
  CHECK_FALSE(native::matches_debian("", "a"));
  CHECK_FALSE(native::matches_debian(std::string(2000, '*') + "x", std::string(2000, 'a')));
}

TEST_CASE("a holder is the name without years and mail address") {
  CHECK(holder_of("2018-2021, Ann Lee <ann@a.example>") == "Ann Lee");
  CHECK(holder_of("Copyright (c) 2020 - present Ann") == "Ann");
  CHECK(holder_of("2020").empty());
}

}  // namespace tonearm::builder
