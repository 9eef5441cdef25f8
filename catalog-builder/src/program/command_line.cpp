#include "program/command_line.h"

#include <array>

#include "values/web_address.h"

namespace tonearm::builder {
namespace {

using settings::Layers;
using settings::Option;
using settings::Presence;
using settings::Type;
using settings::Values;

constexpr std::array<std::string_view, 2> kProfiles{"standard", "evaluation"};

constexpr std::array kBuild{
    Option{.name = "input",
           .type = Type::list,
           .value = "FILE",
           .help = "Canonical lines (JSON Lines, also .gz or .zst); may be repeated"},
    Option{.name = "source",
           .type = Type::list,
           .value = "NAME:PATH",
           .help = "A known source, or the .toml file of its mapping, and its folder; or folder:DIR, a folder of "
                   "audio; may be repeated"},
    Option{.name = "output", .value = "FILE", .help = "The snapshot to write", .presence = Presence::required},
    Option{.name = "report", .value = "FILE", .help = "Write what was kept, left out and repaired into this JSON file"},
    Option{.name = "strict", .type = Type::on_off, .help = "Stop without a snapshot when a line breaks a rule"},
    Option{.name = "profile",
           .value = "NAME",
           .help = "evaluation also keeps rows without title, duration or license",
           .standard = "standard",
           .choices = kProfiles},
    Option{.name = "allow-share-alike", .type = Type::on_off, .help = "Keep tracks under ShareAlike licenses"},
    Option{.name = "policy", .value = "FILE", .help = "A TOML file of tracks to leave out or take down"},
    Option{.name = "synonyms",
           .value = "FILE",
           .help = "Synonyms for search, a set per line separated by commas, in place of the built-in ones"},
    Option{.name = "site-url",
           .value = "URL",
           .help = "Address of the site, for page_url",
           .standard = "http://127.0.0.1:8080"},
    Option{.name = "media-url", .value = "URL", .help = "Prefix of relative media paths (default: /media of the site)"},
    Option{.name = "media-output",
           .value = "DIR",
           .help = "Write previews and waveforms of folders of audio into this folder"},
    Option{.name = "measurements",
           .value = "FILE",
           .help = "The cache of audio measurements (default: the output's name and .measurements)"},
    Option{.name = "signing-key", .value = "FILE", .refusal = "this version cannot sign snapshots; nothing was built"},
};
constexpr std::array kInspect{
    Option{.name = "json", .type = Type::on_off, .help = "Print one JSON object", .layers = Layers::flag_alone}};
constexpr std::array kSnapshot{Option{.name = "FILE", .help = "The snapshot"}};

constexpr std::array<settings::Command, 3> kCommands{{
    {"build", "Build a snapshot from canonical lines and known sources", kBuild, {}},
    {"inspect", "Print what a snapshot holds", kInspect, kSnapshot},
    {"verify", "Check a snapshot from end to end", {}, kSnapshot},
}};

constexpr settings::Program kProgram{.name = "tonearm-catalog",
                                     .version = TONEARM_VERSION,
                                     .help = "Builds catalog snapshots for Tonearm, and looks into them",
                                     .commands = kCommands};

/// Inputs in the order of the command line: the first track of an id stays.
std::vector<InputChoice> inputs_of(const Values& values) {
  std::vector<InputChoice> inputs;
  for (const auto& [option, text] : values.items()) {
    if (option == "input") {
      inputs.push_back({"", text});
      continue;
    }
    const auto colon = text.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) {
      values.refuse("source", "NAME:PATH, not " + text);
    }
    inputs.push_back({text.substr(0, colon), text.substr(colon + 1)});
  }
  if (inputs.empty()) throw settings::UsageError("build needs at least one --input or --source");
  return inputs;
}

BuildOptions build_of(const Values& values) {
  BuildOptions build;
  build.inputs = inputs_of(values);
  build.output = values.text("output");
  build.report = values.text("report");
  build.strict = values.is_on("strict");
  build.evaluation = values.text("profile") == "evaluation";
  build.allow_share_alike = values.is_on("allow-share-alike");
  build.policy = values.text("policy");
  if (auto synonyms = values.text("synonyms"); !synonyms.empty()) build.synonyms = std::move(synonyms);
  build.site_url = values.text("site-url");
  build.media_url = values.text("media-url");
  build.media_output = values.text("media-output");
  build.measurements = values.text("measurements");
  for (const auto* name : {"site-url", "media-url"}) {
    if (values.is_given(name) && !values.text(name).empty() && !is_http_url(values.text(name))) {
      values.refuse(name, "an http(s) URL");
    }
  }
  return build;
}

Request request_of(const Values& values) {
  Request request;
  if (values.command() == "build") {
    request.build = build_of(values);
    return request;
  }
  request.command = values.command() == "inspect" ? Command::inspect : Command::verify;
  request.snapshot = values.text("FILE");
  request.json = request.command == Command::inspect && values.is_on("json");
  return request;
}

}  // namespace

std::variant<Request, settings::ExitStatus> parse_command_line(std::span<const char* const> words,
                                                               const settings::Environment& environment) {
  return settings::read_settings<Request>(kProgram, words, environment, request_of);
}

}  // namespace tonearm::builder
