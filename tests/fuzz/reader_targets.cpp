// Readers of small inputs: canonical lines, names of files, TOML, and the documents that state licenses.

#include <array>
#include <sstream>

#include "canonical/check.h"
#include "canonical/json_line.h"
#include "domain/file_names.h"
#include "folder/documents.h"
#include "mapping/mapping.h"
#include "settings/settings_file.h"
#include "target.h"
#include "text/unicode.h"

namespace tonearm::fuzz {
namespace {

std::vector<std::string> lines_of_cases() {
  std::istringstream file(source_file("tests/cases/catalog.jsonl"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

void run_line(std::string_view input) {
  static builder::JsonLineParser strict(false);
  static builder::JsonLineParser lenient(true);
  for (auto* parser : {&strict, &lenient}) {
    const bool evaluation = parser == &lenient;
    builder::KeyCounts unknown;
    auto line = parser->parse(std::string(input), unknown);
    if (!std::holds_alternative<builder::Line>(line)) continue;
    const auto checked = builder::check(std::move(std::get<builder::Line>(line)), {evaluation, true});
    const auto* candidate = std::get_if<builder::Candidate>(&checked);
    if (candidate == nullptr) continue;
    const Track& track = candidate->track;
    require(builder::is_track_id(track.id), "a track has no valid id");
    require(evaluation || track.duration_ms > 0, "a track has no duration");
    for (const auto* text : {&track.title, &track.artist, &track.description, &track.credit_as, &track.source_page}) {
      require(text::is_utf8(*text), "a text of a track is not UTF-8");
    }
  }
}

std::vector<std::string> file_name_seeds() {
  auto seeds = hostile_texts();
  for (const auto* name :
       {"Paper Lanterns - Rain on a Tin Roof (1) [320kbps].mp3", "03 - Midnight Tram.wav", "12345__user__rain-01.wav",
        "12345_678-hq.mp3", "https://freesound.org/people/user/sounds/12345/",
        "https://www.jamendo.com/track/123/rain?x=1", "https://site.example/tracks/os-101", "rain-os-101.flac",
        "a%20b%2Fc.ogg"}) {
    seeds.emplace_back(name);
  }
  return seeds;
}

void run_file_name(std::string_view input) {
  read_file_address(input);
  const std::string name = text::valid_utf8(input);
  const auto read = read_file_name(name);
  require(read.ids.size() <= kIdEndsMax && read.readings.size() <= kReadingsMax, "a name has too many readings");
  for (const auto& ids : read.ids) require(ids.size() <= kIdsPerEndMax, "an end has too many ids");
  for (const auto& reading : read.readings) require(text::is_utf8(reading.text), "a reading is not UTF-8");
  require(text::is_utf8(letters_and_digits(name)), "the letters of a name are not UTF-8");
  require(name.find(without_audio_extension(name)) == 0, "the name without its extension is another name");
}

/// An option of each type.
constexpr std::array kOptions{
    settings::Option{.name = "catalog", .value = "FILE"},
    settings::Option{.name = "threads", .type = settings::Type::number, .value = "N", .bounds = {1, 1024}},
    settings::Option{.name = "strict", .type = settings::Type::on_off},
    settings::Option{.name = "trusted-proxies", .type = settings::Type::list, .value = "ADDRESSES"}};

std::vector<std::string> toml_seeds() {
  auto seeds = source_files("catalog-builder/sources");
  for (const auto* path : {"packaging/server.toml", "tests/unit/domain/golden/credits.toml"})
    seeds.push_back(source_file(path));
  seeds.emplace_back("catalog = \"a.sqlite\"\nthreads = 4\nstrict = true\ntrusted-proxies = [\"127.0.0.1/32\"]\n");
  return seeds;
}

void run_toml(std::string_view input) {
  const std::string text(input);
  allow_failure([&] { builder::parse_mapping(text, "input.toml"); });
  allow_failure([&] { builder::read_reuse(text, "REUSE.toml"); });
  const auto path = write_scratch("settings.toml", input);
  allow_failure([&] { settings::read_settings_file(path, kOptions); });
}

std::vector<std::string> document_seeds() {
  std::vector<std::string> seeds{source_file("LICENSE"), source_file("tests/unit/domain/golden/credits.yaml")};
  seeds.emplace_back("file,license,title,artist\r\nrain.wav,CC-BY-4.0,\"Rain, \"\"long\"\"\",Ada\r\n");
  seeds.emplace_back(
      "SPDX-License-Identifier: CC-BY-4.0\nSPDX-FileCopyrightText: 2018-2021, Ann Lee <ann@example.org>\n");
  seeds.emplace_back("rain by Ada: https://creativecommons.org/licenses/by/4.0/\n");
  seeds.emplace_back(
      "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *.wav\n drums/*\n"
      "Copyright: 2020 Ada\nLicense: CC0-1.0\n\nLicense: CC0-1.0\n A text.\n .\n More.\n");
  seeds.emplace_back("- file: rain.wav\n  license: &l CC-BY-4.0\n  author: \"Ada\"\n- {file: a.wav, license: *l}\n");
  return seeds;
}

void run_documents(std::string_view input) {
  const std::string text(input);
  const auto path = write_scratch("LIST.csv", input);
  const auto root = path.substr(0, path.rfind('/'));
  allow_failure([&] { builder::read_attributions(text, "attributions.yml"); });
  allow_failure([&] { builder::read_debian(text, "copyright"); });
  allow_failure([&] { builder::read_notice_file(text, "LICENSE"); });
  allow_failure([&] { builder::read_beside(text, "rain.wav.license", "rain.wav"); });
  allow_failure([&] { builder::read_beside(text, "rain.txt", "rain.wav"); });
  allow_failure([&] { builder::read_list(root, "LIST.csv"); });
}

}  // namespace

const Target kLine{"line", lines_of_cases, run_line};
const Target kFileNames{"file_names", file_name_seeds, run_file_name};
const Target kToml{"toml", toml_seeds, run_toml};
const Target kDocuments{"documents", document_seeds, run_documents};

}  // namespace tonearm::fuzz
