#include "settings/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <vector>

#include "settings/layers.h"
#include "settings/nearest.h"
#include "settings/printed_table.h"

namespace tonearm::settings {
namespace {

constexpr Option kConfig{.name = "config",
                         .value = "FILE",
                         .help = "A TOML file of these settings; a key is the name of an option without its dashes",
                         .layers = Layers::flag_alone};

constexpr std::string_view kFooter =
    "Each option can also be set in the environment, as TONEARM_ and its name in capitals with _ for -,\n"
    "and in the file of --config. Flags override the environment, which overrides the file.";

/// A flag that prints the option table.
struct TablePrinter {
  std::string_view flag;
  std::string_view help;
  std::string (*make)(const Program& program);
};
constexpr std::array<TablePrinter, 2> kTablePrinter{{
    {"--completion", "Print a completion for bash and exit", bash_completion},
    {"--man", "Print the manual page, for man(7), and exit", man_page},
}};

/// "account create" -> "account" and "create"; other commands have no group.
std::pair<std::string_view, std::string_view> group_and_name(std::string_view command) {
  const auto space = command.find(' ');
  if (space == std::string_view::npos) return {{}, command};
  return {command.substr(0, space), command.substr(space + 1)};
}

std::string help_of(const Option& option) {
  std::string text(option.help);
  if (!option.standard.empty()) text += " (default " + std::string(option.standard) + ')';
  if (option.presence == Presence::required) text += " (required)";
  return text;
}

bool has_layers(std::span<const Option> options) {
  return std::ranges::any_of(options, [](const Option& it) { return it.layers == Layers::all; });
}

/// Returns the text that help shows after the options.
std::string footer_of(const Program& program) {
  std::string text(has_layers(program.options) ? kFooter : std::string_view());
  if (!text.empty()) text += "\n\n";
  text.append("Exit status:\n  ").append(program.exit_status);
  for (const auto& section : program.sections) {
    text.append("\n\n").append(section.title).append(":\n").append(section.text);
  }
  return text;
}

/// Configures CLI11 from a program's table. CLI11 splits the words and writes the help; this class checks the values.
class Parser {
 public:
  explicit Parser(const Program& program)
      : program_(program), app_(std::string(program.help), std::string(program.name)) {
    constexpr std::size_t kHelpColumn = 34;
    app_.get_formatter()->column_width(kHelpColumn);
    app_.set_version_flag("--version", std::string(program.name) + ' ' + std::string(program.version));
    for (const auto& row : kTablePrinter)
      app_.add_flag_callback(
          std::string(row.flag), [] {}, std::string(row.help));
    app_.fallthrough();
    app_.require_subcommand(program.commands.empty() ? 0 : 1);
    add_options(app_, program.options);
    for (const auto& command : program.commands) add_command(command);
    app_.footer(footer_of(program));  // after the commands, which would inherit it
  }

  /// Returns help or version if the words request it. Throws UsageError.
  std::optional<ExitStatus> parse(std::span<const char* const> words) {
    try {
      std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 expects
      app_.parse(reversed);
      return std::nullopt;
    } catch (const CLI::Success& success) {
      std::ostringstream out;
      app_.exit(success, out, out);
      return ExitStatus{0, out.str(), {}};
    } catch (const CLI::ParseError& error) {
      throw UsageError(explanation(error));
    }
  }

  std::string_view command() const {
    const auto* found = chosen();
    return found == nullptr ? std::string_view() : found->name;
  }

  /// Returns the options of the program and of the command.
  std::vector<Option> options() const {
    std::vector<Option> all(program_.options.begin(), program_.options.end());
    const auto* command = chosen();
    if (command == nullptr) return all;
    for (auto& option : all) {
      if (option.name == command->does_without) option.presence = Presence::optional;
    }
    all.insert(all.end(), command->options.begin(), command->options.end());
    for (auto argument : command->arguments) {
      argument.layers = Layers::flag_alone;
      all.push_back(argument);
    }
    for (auto rest : command->rest) {
      rest.layers = Layers::flag_alone;
      all.push_back(rest);
    }
    return all;
  }

  Values::ByName given(std::span<const Option> options) const {
    Values::ByName result;
    for (const auto& option : options) {
      const auto* found = find(flag_of(option.name));
      if (found == nullptr || found->count() == 0) continue;
      auto texts = found->results();
      if (option.type == Type::on_off) {
        texts.erase(texts.begin(), texts.end() - 1);  // the last one wins
      } else if (!may_repeat(option.type) && texts.size() > 1) {
        throw UsageError(flag_of(option.name) + " is given more than once");
      }
      result[std::string(option.name)] = {std::move(texts), Layer::flag, flag_of(option.name)};
    }
    return result;
  }

  /// Returns the items of all lists in `options` in the order of the words.
  std::vector<Values::Item> items(std::span<const Option> options) const {
    std::map<const CLI::Option*, std::size_t> used;
    std::vector<Values::Item> result;
    for (const auto* app : apps()) {
      for (const auto* option : app->parse_order()) {
        const auto is_it = [&](const Option& it) {
          return it.type == Type::list && flag_of(it.name) == option->get_name();
        };
        const auto found = std::ranges::find_if(options, is_it);
        if (found != options.end()) result.emplace_back(found->name, option->results()[used[option]++]);
      }
    }
    return result;
  }

  /// Returns the path of --config, empty if it was not given, or nothing if no option of the command has layers.
  std::optional<std::string> config() const {
    const auto* found = find(flag_of(kConfig.name));
    if (found == nullptr) return std::nullopt;
    return found->count() == 0 ? "" : found->results().back();
  }

 private:
  /// Adds the options to `app` and, if they have layers, --config.
  static void add_options(CLI::App& app, std::span<const Option> options) {
    for (const auto& option : options) add_option(app, option);
    if (!has_layers(options)) return;
    add_option(app, kConfig);
    app.footer(std::string(kFooter));
  }

  static CLI::Option* add_option(CLI::App& app, const Option& option) {
    const std::string help = help_of(option);
    auto* added = option.type == Type::on_off
                      ? app.add_flag(flag_of(option.name), help)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
                      : app.add_option(
                               flag_of(option.name), [](const CLI::results_t&) { return true; }, help)
                            ->type_name(std::string(option.value))
                            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    if (!option.refusal.empty()) added->group("");  // not in the help
    return added;
  }

  void add_command(const Command& command) {
    const auto [group, name] = group_and_name(command.name);
    auto* added = group_app(group).add_subcommand(std::string(name), std::string(command.help));
    added->fallthrough();
    for (const auto& argument : command.arguments) add_option(*added, argument)->required();
    for (const auto& rest : command.rest) {
      add_option(*added, rest)->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args();
    }
    add_options(*added, command.options);
    commands_.push_back(added);
  }

  CLI::App& group_app(std::string_view group) {
    if (group.empty()) return app_;
    const auto known = app_.get_subcommands([&](const CLI::App* it) { return it->get_name() == group; });
    if (!known.empty()) return *known.front();
    auto* added = app_.add_subcommand(std::string(group), "Commands on " + std::string(group) + 's');
    added->require_subcommand(1);
    added->fallthrough();
    return *added;
  }

  std::size_t chosen_index() const {
    const auto found = std::ranges::find_if(commands_, [](const CLI::App* it) { return it->parsed(); });
    return static_cast<std::size_t>(found - commands_.begin());
  }
  const Command* chosen() const {
    const auto index = chosen_index();
    return index == commands_.size() ? nullptr : &program_.commands[index];
  }
  std::vector<const CLI::App*> apps() const {
    if (chosen() == nullptr) return {&app_};
    return {&app_, commands_[chosen_index()]};
  }
  /// If the program and a command both have the option (--config), returns the one that was given.
  const CLI::Option* find(const std::string& flag) const {
    const CLI::Option* known = nullptr;
    for (const auto* app : apps()) {
      const auto* found = app->get_option_no_throw(flag);
      if (found != nullptr && (known == nullptr || known->count() == 0)) known = found;
    }
    return known;
  }

  /// Explains an error: first an unknown word, then a missing command, then what CLI11 found.
  std::string explanation(const CLI::ParseError& error) const {
    const auto unknown = app_.remaining(true);
    if (!unknown.empty()) return unknown_word(unknown.front());
    if (chosen() == nullptr && !program_.commands.empty()) return "a command is missing" + existing_commands();
    return error.what();
  }

  std::string unknown_word(const std::string& word) const {
    if (word.starts_with('-') && word.size() > 1) {
      const auto flag = word.substr(0, word.find('='));
      const auto all = options();
      const auto is_it = [&](const Option& it) { return flag_of(it.name) == flag; };
      if (std::ranges::any_of(all, is_it)) return flag + " must follow the command " + std::string(command());
      const auto name = flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
      return "there is no option " + flag + hint(name, all, "--");
    }
    if (chosen() != nullptr || program_.commands.empty()) return "unexpected word: " + word;
    return "there is no command " + (group().empty() ? word : std::string(group()) + ' ' + word) + existing_commands();
  }

  /// Returns the group that was named without one of its commands.
  std::string_view group() const {
    for (const auto& command : program_.commands) {
      const auto name = group_and_name(command.name).first;
      if (!name.empty() && app_.got_subcommand(std::string(name))) return name;
    }
    return {};
  }

  /// "; there are build, inspect, verify"
  std::string existing_commands() const {
    std::string names;
    for (const auto& command : program_.commands) {
      const bool fits = group().empty() || group_and_name(command.name).first == group();
      if (fits) names.append(names.empty() ? "" : ", ").append(command.name);
    }
    return "; there are " + names;
  }

  const Program& program_;
  CLI::App app_;
  std::vector<CLI::App*> commands_;  // by their rows
};

std::string config_path(const Parser& parser, const Environment& environment) {
  auto path = parser.config();
  if (!path) return {};
  return path->empty() ? environment(variable_of(kConfig.name)).value_or("") : *path;
}

}  // namespace

std::optional<std::string> process_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): before threads start
  if (value == nullptr) return std::nullopt;
  return value;
}

int print(const ExitStatus& end) {
  std::cout << end.out << std::flush;
  std::cerr << end.errors;
  return end.status;
}

std::variant<Values, ExitStatus> read_values(const Program& program, std::span<const char* const> words,
                                             const Environment& environment) {
  for (const auto& row : kTablePrinter) {
    if (std::ranges::find(words, row.flag) == words.end()) continue;
    if (words.size() > 1) throw UsageError(std::string(row.flag) + " must be the only argument");
    return ExitStatus{0, row.make(program), {}};
  }
  Parser parser(program);
  if (auto end = parser.parse(words)) return *std::move(end);
  auto options = parser.options();
  auto given = parser.given(options);
  add_lower_layers(given, options, environment, config_path(parser, environment));
  check(given, options);
  auto items = parser.items(options);
  for (const auto& option : options) {
    const auto found = given.find(option.name);
    if (option.type != Type::list || found == given.end() || found->second.layer == Layer::flag) continue;
    for (const auto& text : found->second.texts) items.emplace_back(option.name, text);
  }
  return Values(parser.command(), std::move(options), std::move(given), std::move(items));
}

ExitStatus usage_status(const Program& program, const UsageError& error) {
  const std::string name(program.name);
  return {2, {}, name + ": " + error.what() + "\nRun " + name + " --help for more.\n"};
}

}  // namespace tonearm::settings
