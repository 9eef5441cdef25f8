#include "command_line.h"

#include <CLI/CLI.hpp>
#include <array>

#include "failure.h"
#include "toml_file.h"

namespace tonearm::builder {
namespace {

/// The values of `build` as texts, wherever they come from.
struct Settings {
  std::vector<std::string> inputs;
  std::vector<std::string> sources;
  std::string output;
  std::string report;
  bool strict = false;
  std::string profile = "standard";
  bool allow_share_alike = false;
  std::string policy;
  std::string synonyms;
  std::string site_url = "http://127.0.0.1:8080";
  std::string media_url;
  std::string signing_key;
};

struct TextSetting {
  const char* name;
  std::string Settings::*value;
  const char* help;
};
constexpr std::array<TextSetting, 9> kTexts{{
    {"output", &Settings::output, "The snapshot to write"},
    {"report", &Settings::report, "Write what was kept, left out and repaired into this JSON file"},
    {"profile", &Settings::profile, "standard, or evaluation: rows without title, duration or license stay"},
    {"policy", &Settings::policy, "A TOML file of what is left out or taken down"},
    {"synonyms", &Settings::synonyms, "Phrases that mean the same, a line a set, instead of the built-in ones"},
    {"site-url", &Settings::site_url, "Address of the site, for page_url"},
    {"media-url", &Settings::media_url, "Address that relative paths are put behind (default: the site's /media)"},
    {"signing-key", &Settings::signing_key, "Sign the snapshot (not available in this version)"},
    {"config", nullptr, "A TOML file of these settings"},
}};

struct ListSetting {
  const char* name;
  std::vector<std::string> Settings::*value;
  const char* help;
};
constexpr std::array<ListSetting, 2> kLists{{
    {"input", &Settings::inputs, "A file of canonical lines (JSON Lines, also .gz or .zst)"},
    {"source", &Settings::sources, "NAME:PATH, a known source (or its mapping, a .toml file) and its folder"},
}};

struct SwitchSetting {
  const char* name;
  bool Settings::*value;
  const char* help;
};
constexpr std::array<SwitchSetting, 2> kSwitches{{
    {"strict", &Settings::strict, "End without a snapshot when a line breaks a rule"},
    {"allow-share-alike", &Settings::allow_share_alike, "Keep ShareAlike tracks"},
}};

std::string flag(const char* name) { return "--" + std::string(name); }

/// "site-url" -> "TONEARM_SITE_URL"
std::string variable(const char* name) {
  std::string out = "TONEARM_";
  for (const char c : std::string_view(name)) {
    out += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return out;
}

bool parse_switch(const std::string& text, const std::string& name) {
  if (text == "1" || text == "true") return true;
  if (text == "0" || text == "false" || text.empty()) return false;
  throw Failure(name + " must be true or false, not " + text);
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    if (end != begin) result.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

/// Takes what the flags left open from the environment and then from the file.
class Fallback {
 public:
  Fallback(const CLI::App& command, const Environment& environment, const std::string& config)
      : command_(command), environment_(environment), path_(config) {
    if (path_.empty()) return;
    file_ = read_toml(path_);
    TomlTable(file_, path_)
        .allow_only({"input", "source", "output", "report", "strict", "profile", "allow-share-alike", "policy",
                     "synonyms", "site-url", "media-url", "signing-key"});
  }

  void fill(Settings& settings) const {
    const TomlTable table(file_, path_);
    for (const auto& row : kTexts) {
      if (row.value == nullptr || is_given(row.name)) continue;
      if (const auto text = environment_(variable(row.name))) {
        settings.*row.value = *text;
      } else if (const auto value = table.string(row.name)) {
        settings.*row.value = *value;
      }
    }
    for (const auto& row : kSwitches) {
      if (is_given(row.name)) continue;
      if (const auto text = environment_(variable(row.name))) {
        settings.*row.value = parse_switch(*text, variable(row.name));
      } else if (const auto value = table.boolean(row.name)) {
        settings.*row.value = *value;
      }
    }
    fill_lists(settings, table);
  }

 private:
  bool is_given(const char* name) const { return command_.get_option(flag(name))->count() != 0; }

  /// Inputs are one setting: where any is given by a flag, the others' lists are not added to it.
  void fill_lists(Settings& settings, const TomlTable& table) const {
    if (is_given("input") || is_given("source")) return;
    bool any = false;
    for (const auto& row : kLists) {
      const auto text = environment_(variable(row.name));
      if (!text) continue;
      settings.*row.value = split_lines(*text);
      any = true;
    }
    if (any) return;
    for (const auto& row : kLists) settings.*row.value = table.strings(row.name);
  }

  const CLI::App& command_;
  const Environment& environment_;
  std::string path_;
  toml::table file_;
};

EarlyEnd wrong(const std::string& message) {
  return {2, {}, "tonearm-catalog: " + message + "\nRun tonearm-catalog --help for more.\n"};
}

/// Inputs in the order of the command line, which decides what track of an id stays.
std::vector<InputChoice> ordered_inputs(const CLI::App& command, const Settings& settings,
                                        std::optional<std::string>& wrong_source) {
  std::vector<InputChoice> result;
  const auto add_source = [&](const std::string& text) {
    const auto colon = text.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) wrong_source = text;
    result.push_back({text.substr(0, colon), colon == std::string::npos ? "" : text.substr(colon + 1)});
  };
  std::size_t next_input = 0;
  std::size_t next_source = 0;
  for (const auto* option : command.parse_order()) {
    if (option->get_name() == "--input" && next_input < settings.inputs.size()) {
      result.push_back({"", settings.inputs[next_input++]});
    } else if (option->get_name() == "--source" && next_source < settings.sources.size()) {
      add_source(settings.sources[next_source++]);
    }
  }
  while (next_input < settings.inputs.size()) result.push_back({"", settings.inputs[next_input++]});
  while (next_source < settings.sources.size()) add_source(settings.sources[next_source++]);
  return result;
}

std::variant<Request, EarlyEnd> build_request(const CLI::App& command, const Settings& settings) {
  Request request;
  auto& build = request.build;
  std::optional<std::string> wrong_source;
  build.inputs = ordered_inputs(command, settings, wrong_source);
  if (wrong_source) return wrong("--source must be NAME:PATH, not " + *wrong_source);
  if (build.inputs.empty()) return wrong("build needs at least one --input or --source");
  if (settings.output.empty()) return wrong("build needs --output");
  if (settings.profile != "standard" && settings.profile != "evaluation") {
    return wrong("--profile must be standard or evaluation, not " + settings.profile);
  }
  if (!settings.signing_key.empty()) {
    throw Failure("--signing-key: signing is not available in this version; nothing was built");
  }
  build.output = settings.output;
  build.report = settings.report;
  build.strict = settings.strict;
  build.evaluation = settings.profile == "evaluation";
  build.allow_share_alike = settings.allow_share_alike;
  build.policy = settings.policy;
  if (!settings.synonyms.empty()) build.synonyms = settings.synonyms;
  build.site_url = settings.site_url;
  build.media_url = settings.media_url;
  return request;
}

}  // namespace

std::variant<Request, EarlyEnd> parse_command_line(const std::vector<std::string>& arguments,
                                                   const Environment& environment) {
  Settings settings;
  std::string config = environment("TONEARM_CONFIG").value_or("");
  Request request;
  CLI::App app("Builds catalog snapshots for Tonearm, and looks into them", "tonearm-catalog");
  app.set_version_flag("--version", std::string("tonearm-catalog ") + TONEARM_VERSION);
  app.require_subcommand(1);
  auto* build = app.add_subcommand("build", "Build a snapshot from canonical lines and known sources");
  for (const auto& row : kLists)
    build->add_option(flag(row.name), settings.*row.value, row.help)->allow_extra_args(false);
  for (const auto& row : kTexts) {
    auto& value = row.value == nullptr ? config : settings.*row.value;
    build->add_option(flag(row.name), value, row.help)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  }
  for (const auto& row : kSwitches) build->add_flag(flag(row.name), settings.*row.value, row.help);
  auto* inspect = app.add_subcommand("inspect", "Print what a snapshot holds");
  inspect->add_option("FILE", request.snapshot, "The snapshot")->required();
  inspect->add_flag("--json", request.json, "As one JSON object");
  auto* verify = app.add_subcommand("verify", "Check a snapshot from end to end");
  verify->add_option("FILE", request.snapshot, "The snapshot")->required();
  try {
    auto reversed = arguments;
    std::reverse(reversed.begin(), reversed.end());
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream errors;
    const int status = app.exit(error, out, errors);
    return EarlyEnd{status == 0 ? 0 : 2, out.str(), errors.str()};
  }
  if (build->parsed()) {
    Fallback(*build, environment, config).fill(settings);
    return build_request(*build, settings);
  }
  request.command = inspect->parsed() ? Command::inspect : Command::verify;
  return request;
}

}  // namespace tonearm::builder
