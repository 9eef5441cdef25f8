// Readers of small inputs: canonical lines, names of files, TOML, and the documents that state licenses.

#include <array>
#include <fstream>

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
  std::ifstream file(TONEARM_SOURCE_DIR "/tests/cases/catalog.jsonl");
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
    expect(builder::is_track_id(track.id), "a track has no valid id");
    expect(evaluation || track.duration_ms > 0, "a track has no duration");
    for (const auto* text : {&track.title, &track.artist, &track.description, &track.credit_as, &track.source_page}) {
      expect(text::is_utf8(*text), "a text of a track is not UTF-8");
    }
  }
}

void run_file_name(std::string_view input) {
  number_in_address(input);
  id_in_page_url(input);
  address_forms(input);
  const std::string name = text::valid_utf8(input);
  const auto read = read_file_name(name);
  expect(read.ids.size() <= kIdEndsMax && read.readings.size() <= kReadingsMax, "a name has too many readings");
  for (const auto& ids : read.ids) expect(ids.size() <= kIdsPerEndMax, "an end has too many ids");
  for (const auto& reading : read.readings) expect(text::is_utf8(reading.text), "a reading is not UTF-8");
  expect(text::is_utf8(letters_and_digits(name)), "the letters of a name are not UTF-8");
  expect(name.find(without_audio_extension(name)) == 0, "the name without its extension is another name");
}

/// An option of each type.
constexpr std::array kOptions{
    settings::Option{.name = "catalog", .value = "FILE"},
    settings::Option{.name = "threads", .type = settings::Type::number, .value = "N", .bounds = {1, 1024}},
    settings::Option{.name = "strict", .type = settings::Type::on_off},
    settings::Option{.name = "trusted-proxies", .type = settings::Type::list, .value = "ADDRESSES"}};

void run_toml(std::string_view input) {
  const std::string text(input);
  allow_failure([&] { builder::parse_mapping(text, "input.toml"); });
  allow_failure([&] { builder::read_reuse(text, "REUSE.toml"); });
  const auto path = write_scratch("settings.toml", input);
  allow_failure([&] { settings::read_settings_file(path, kOptions); });
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
const Target kFileNames{"file_names", nullptr, run_file_name};
const Target kToml{"toml", nullptr, run_toml};
const Target kDocuments{"documents", nullptr, run_documents};

}  // namespace tonearm::fuzz
