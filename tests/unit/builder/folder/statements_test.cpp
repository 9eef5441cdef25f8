#include "folder/statements.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "mapping/mapping.h"
#include "runtime/embedded.h"
#include "scratch_folder.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

const std::vector<LicenseRule>& rules() {
  static const auto kMapping = parse_mapping(embedded_file("data/folder.toml"), "data/folder.toml");
  return kMapping.licenses;
}

/// A folder with `sounds/rain.ogg` and documents.
class Folder {
 public:
  Folder& put(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(folder_.path(name)).parent_path());
    folder_.write(name, text);
    return *this;
  }
  FileStatement rain(const std::vector<std::string>& tag_licenses = {}) {
    put("sounds/rain.ogg", "");
    Statement tags;
    tags.document = "tags";
    tags.licenses = tag_licenses;
    return statements().statement_of("sounds/rain.ogg", tags, rules());
  }
  Statements statements() const { return {folder_.path(), walk_folder(folder_.path())}; }
  const test::ScratchFolder& scratch() const { return folder_; }

 private:
  test::ScratchFolder folder_;
};

const std::string kCc0List = "file,license,title\nsounds/rain.ogg,CC0-1.0,Rain\n";

std::string license_of(const FileStatement& stated) {
  if (stated.document.empty()) return "none";
  return stated.license.id.empty() ? std::string(reason_row(stated.license.reason).name) : stated.license.id;
}

}  // namespace

// BUILD-11
TEST_CASE("each document alone states the license of a file") {
  CHECK(license_of(Folder().rain()) == "none");
  CHECK(license_of(Folder().rain({"https://creativecommons.org/licenses/by/4.0/"})) == "cc-by-4.0");
  CHECK(license_of(Folder().put("list.csv", kCc0List).rain()) == "cc0");
  CHECK(license_of(Folder().put("sounds/attributions.yml", "- files: [rain.ogg]\n  license: CC-BY-3.0\n").rain()) ==
        "cc-by-3.0");
  CHECK(license_of(Folder().put("copyright", "Files: *\nLicense: CC-BY-4.0\n").rain()) == "cc-by-4.0");
  CHECK(license_of(Folder().put("sounds/rain.txt", "License: CC0-1.0\n").rain()) == "cc0");
  CHECK(license_of(Folder().put("sounds/rain.ogg.license", "SPDX-License-Identifier: CC0-1.0\n").rain()) == "cc0");
  CHECK(license_of(Folder().put("LICENSE", "Licensed under CC BY 4.0\n").rain()) == "cc-by-4.0");
  CHECK(license_of(Folder().put("license_notes.txt", "Licensed under CC BY 4.0\n").rain()) == "none");
}

TEST_CASE("documents that name a file must agree") {
  CHECK(license_of(Folder().put("list.csv", kCc0List).rain({"CC0 1.0"})) == "cc0");
  CHECK(license_of(Folder().put("list.csv", kCc0List).rain({"CC BY-NC 4.0"})) == "license_ambiguous");
  CHECK(license_of(Folder().put("list.csv", kCc0List + "sounds/./rain.ogg,CC-BY-4.0,\n").rain()) ==
        "license_ambiguous");
  CHECK(license_of(Folder().put("list.csv", kCc0List).put("sounds/more.csv", "path,licence\nrain.ogg,MIT\n").rain()) ==
        "license_ambiguous");
  // A license without a version agrees with one that has it. Alone, it rejects the file later.
  CHECK(license_of(Folder().put("LICENSE", "CC BY 4.0").rain({"CC BY"})) == "cc-by-4.0");
  CHECK(license_of(Folder().put("list.csv", kCc0List).rain({"CC0"})) == "cc0");
  CHECK(license_of(Folder().rain({"CC BY 4.0 or CC0 1.0"})) == "license_ambiguous");
}

// LINE-8
TEST_CASE("the names of CC0 need no version, and a public domain mark is none of them") {
  for (const std::string name :
       {"CC0", "CC 0", "cc-zero", "Creative Commons 0", "Creative Commons Zero", "Creative Commons CC0 License",
        "CC0 Public Domain Dedication", "CC0 Universal", "Creative Commons Zero (CC-0)", "CC0 1.0",
        "CC0 1.0 Universal (CC0 1.0) Public Domain Dedication", "https://creativecommons.org/publicdomain/zero/",
        "http://creativecommons.org/publicdomain/zero"}) {
    CAPTURE(name);
    CHECK(license_of(Folder().rain({name})) == "cc0");
    CHECK(license_of(Folder().put("LICENSE", name + "\n").rain()) == "cc0");
  }
  for (const std::string name : {"Public Domain", "Public Domain Mark 1.0", "CC-PDDC", "PD",
                                 "https://creativecommons.org/publicdomain/mark/1.0/"}) {
    CAPTURE(name);
    CHECK(license_of(Folder().rain({name})) == "license_not_offered");
  }
  for (const std::string name : {"CC0 2.0", "Zero", "CC0 NonCommercial"}) {
    CAPTURE(name);
    CHECK(license_of(Folder().rain({name})) == "license_unknown");
  }
}

// BUILD-11
TEST_CASE("a LICENSE of any Creative Commons license contradicts documents that name a file") {
  const auto with = [](const std::string& text) {
    return Folder().put("list.csv", kCc0List).put("LICENSE", text).rain();
  };
  CHECK(license_of(with("CC0 1.0 Universal\n")) == "cc0");
  for (const std::string text :
       {"CC BY-NC 4.0", "CC BY-ND 4.0", "Creative Commons BY 2.0", "CC Sampling Plus 1.0",
        "Creative Commons Sampling+ 1.0", "Creative Commons NonCommercial Sampling Plus 1.0", "License: CC BY 3.0 DE",
        "This work is licensed under https://creativecommons.org/licenses/by/3.0/de/",
        "https://creativecommons.org/licenses/by/2.5/", "https://creativecommons.org/licenses/sampling+/1.0/"}) {
    CAPTURE(text);
    CHECK(license_of(with(text)) == "license_ambiguous");
  }
  // The license of a program does not cover its sounds.
  CHECK(license_of(with("License: MIT\n")) == "cc0");
  CHECK(license_of(with("Permission is hereby granted, free of charge, to any person\n")) == "cc0");
}

// BUILD-11
TEST_CASE("the closest LICENSE counts for files that no document names") {
  CHECK(license_of(Folder().put("LICENSE", "CC BY 4.0").put("sounds/LICENSE", "CC0 1.0").rain()) == "cc0");
  CHECK(license_of(Folder().put("LICENSE", "CC BY 4.0").put("other/LICENSE", "CC0 1.0").rain()) == "cc-by-4.0");
  CHECK(license_of(Folder().put("LICENSE", "CC BY 4.0").put("LICENSE.txt", "CC0 1.0").rain()) == "license_ambiguous");
  CHECK(license_of(Folder().put("LICENSE", "CC BY 4.0, but not the drums").rain()) == "license_ambiguous");
  CHECK(license_of(Folder().put("LICENSE", "License: CC0-1.0\nThe drums are CC BY-NC 4.0.\n").rain()) ==
        "license_ambiguous");
  CHECK(license_of(Folder().put("LICENSE", "\xff\xfe CC0 1.0").rain()) == "license_ambiguous");
  CHECK(license_of(Folder().put("LICENSE", "CC0 1.0 \xE2\x80\xAEton").rain()) == "license_ambiguous");
  CHECK(license_of(Folder().put("LICENSE", std::string("CC0 1.0\0", 8)).rain()) == "license_ambiguous");
}

// BUILD-11
TEST_CASE("the exact legal code is a license, but not with an additional word") {
  const std::filesystem::path path = "/usr/share/common-licenses/CC0-1.0";
  if (!std::filesystem::exists(path)) {
    MESSAGE("skipped: the legal code of CC0 is not installed");
    return;
  }
  std::ifstream file(path);
  const std::string code{std::istreambuf_iterator<char>(file), {}};
  CHECK(license_of(Folder().put("LICENSE", code).rain()) == "cc0");
  CHECK(license_of(Folder().put("LICENSE", code).put("list.csv", kCc0List).rain()) == "cc0");
  CHECK(license_of(Folder().put("LICENSE", code).rain({"CC BY 4.0"})) == "license_ambiguous");
  CHECK(license_of(Folder().put("LICENSE", code + "\nThis is not for the drums.\n").rain()) == "license_ambiguous");
  CHECK(license_of(Folder().put("LICENSE", "All but the drums:\n" + code).rain()) == "license_ambiguous");
  auto changed = code;
  changed.replace(changed.find("irrevocably"), 11, "revocably");
  CHECK(license_of(Folder().put("LICENSE", changed).rain()) == "license_ambiguous");
}

// BUILD-11
TEST_CASE("the last annotation of REUSE.toml counts, by its precedence") {
  const auto annotation = [](const std::string& path, const std::string& license, const std::string& precedence) {
    return "[[annotations]]\npath = \"" + path + "\"\nprecedence = \"" + precedence +
           "\"\nSPDX-License-Identifier = \"" + license + "\"\n";
  };
  const std::string head = "version = 1\n";
  const std::string beside = "SPDX-License-Identifier: CC-BY-4.0\n";
  const auto closest = head + annotation("**", "CC-BY-NC-4.0", "closest");
  CHECK(license_of(Folder().put("REUSE.toml", closest + annotation("sounds/*", "CC0-1.0", "closest")).rain()) == "cc0");
  CHECK(license_of(Folder().put("REUSE.toml", closest).rain({"CC0 1.0"})) == "license_ambiguous");
  // A FILE.license replaces the closest annotation, but not one that overrides or aggregates.
  CHECK(license_of(Folder().put("REUSE.toml", closest).put("sounds/rain.ogg.license", beside).rain()) == "cc-by-4.0");
  CHECK(license_of(Folder()
                       .put("REUSE.toml", head + annotation("**", "CC0-1.0", "override"))
                       .put("sounds/rain.ogg.license", beside)
                       .rain({"CC BY 3.0"})) == "cc0");
  CHECK(license_of(Folder()
                       .put("REUSE.toml", head + annotation("**", "CC0-1.0", "aggregate"))
                       .put("sounds/rain.ogg.license", beside)
                       .rain()) == "license_ambiguous");
  CHECK(license_of(Folder()
                       .put("REUSE.toml", closest)
                       .put("sounds/REUSE.toml", head + annotation("*", "CC0-1.0", "closest"))
                       .rain()) == "cc0");
}

// BUILD-11
TEST_CASE("the last matching paragraph of Debian's copyright counts") {
  CHECK(license_of(
            Folder().put("debian/copyright", "Files: *\nLicense: MIT\n\nFiles: sounds/*\nLicense: CC0-1.0\n").rain()) ==
        "cc0");
  CHECK(license_of(Folder().put("copyright", "Files: sounds/*\nLicense: CC0-1.0\n\nFiles: *\nLicense: MIT\n").rain()) ==
        "license_not_offered");
}

TEST_CASE("values come from the most specific document, and differing titles are detected") {
  Folder folder;
  folder.put("list.csv", kCc0List).put("sounds/list.csv", "file,license,title\nrain.ogg,CC0-1.0,Hard rain\n");
  CHECK(folder.rain().fields.at("title") == "Hard rain");
  CHECK(folder.rain().titles_differ);
  CHECK_FALSE(Folder().put("list.csv", kCc0List).rain().titles_differ);
}

// BUILD-11
TEST_CASE("invalid documents end the build, and paths without audio are reported") {
  CHECK_THROWS_AS(Folder().put("sounds/attributions.yml", "- files: [a\n").rain(), Failure);
  CHECK_THROWS_AS(Folder().put("REUSE.toml", "version = 9\n").rain(), Failure);
  CHECK_THROWS_AS(Folder().put("LICENSE", std::string((std::size_t{16} << 20U) + 65'536, ' ')).rain(), Failure);
  Folder folder;
  folder.put("list.csv", kCc0List + "../out.ogg,CC0-1.0,\ngone.ogg,CC0-1.0,\n").rain();
  CHECK(folder.statements().ignored_paths() == std::vector<std::string>{"../out.ogg", "gone.ogg"});
}

// BUILD-10
TEST_CASE("hidden files and symbolic links are skipped") {
  Folder folder;
  folder.put("b.WAV", "").put("a/c.flac", "").put(".hidden/d.ogg", "").put(".e.ogg", "").put("f.mp4", "");
  folder.put("elsewhere/LICENSE", "CC0 1.0");
  std::filesystem::create_symlink("b.WAV", folder.scratch().path("link.wav"));
  std::filesystem::create_directory_symlink(folder.scratch().path("a"), folder.scratch().path("loop"));
  std::filesystem::create_symlink("elsewhere/LICENSE", folder.scratch().path("LICENSE"));
  const auto files = walk_folder(folder.scratch().path());
  CHECK(files.audio == std::vector<std::string>{"a/c.flac", "b.WAV"});
  CHECK(files.documents == std::vector<std::string>{"elsewhere/LICENSE"});
  CHECK_THROWS_AS(walk_folder(folder.scratch().path("nothing")), Failure);
}

}  // namespace tonearm::builder
