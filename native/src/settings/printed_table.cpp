#include "settings/printed_table.h"

#include <algorithm>
#include <set>

#include "settings/layers.h"

namespace tonearm::settings {
namespace {

/// Escapes text for man(7): `\`, minus signs, and a `.` or `'` at the start of a line.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
      out += "\\&";
      out += c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string sentence(std::string_view text) {
  std::string out(text);
  if (!out.empty() && !out.ends_with('.')) out += '.';
  return out;
}

/// Returns the options that help lists.
std::vector<Option> listed(std::span<const Option> options) {
  std::vector<Option> out;
  std::copy_if(options.begin(), options.end(), std::back_inserter(out),
               [](const Option& it) { return it.refusal.empty(); });
  return out;
}

void append_option(std::string& out, const Option& option) {
  out += ".TP\n\\fB" + roff(flag_of(option.name)) + "\\fR";
  if (!option.value.empty()) out += " \\fI" + roff(option.value) + "\\fR";
  out += "\n" + roff(sentence(option.help));
  if (!option.choices.empty()) {
    out += " One of";
    for (const auto choice : option.choices) out += " \\fB" + roff(choice) + "\\fR";
    out += '.';
  }
  if (!option.standard.empty()) out += " Default: \\fB" + roff(option.standard) + "\\fR.";
  if (option.presence == Presence::required) out += " Required.";
  out += '\n';
}

void append_options(std::string& out, std::span<const Option> options) {
  for (const auto& option : listed(options)) append_option(out, option);
}

std::string title(std::string_view name) {
  std::string out(name);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return out;
}

// ---- bash

/// Whether a file's name is a value of the option, or one of its alternatives: FILE|URL.
bool may_be_path(const Option& option) {
  return option.value == "FILE" || option.value.starts_with("FILE|") || option.value == "DIR";
}

std::string words_of(std::span<const Option> options) {
  std::string out;
  for (const auto& option : listed(options)) out += ' ' + flag_of(option.name);
  return out;
}

/// Appends a `case` row for each option with a value: its choices, or nothing, so that bash completes file names.
void append_values(std::string& out, std::span<const Option> options, std::set<std::string>& seen) {
  for (const auto& option : listed(options)) {
    if (option.type == Type::on_off || !seen.insert(flag_of(option.name)).second) continue;
    std::string choices;
    for (const auto choice : option.choices) choices.append(choices.empty() ? "" : " ").append(choice);
    if (choices.empty() && !may_be_path(option)) continue;
    out +=
        "    " + flag_of(option.name) + ") " +
        (choices.empty() ? std::string("return") : "COMPREPLY=($(compgen -W '" + choices + "' -- \"$word\")); return") +
        " ;;\n";
  }
}

}  // namespace

std::string man_page(const Program& program) {
  const std::string name(program.name);
  std::string out =
      ".TH " + title(name) + " 1 \"\" \"" + name + ' ' + std::string(program.version) + "\" \"Tonearm\"\n";
  out += ".SH NAME\n" + roff(name) + " \\- " + roff(program.help) + "\n.SH SYNOPSIS\n";
  out += "\\fB" + roff(name) + "\\fR [\\fIOPTION\\fR]...";
  out += program.commands.empty() ? "\n" : " \\fICOMMAND\\fR ...\n";
  if (!program.options.empty()) out += ".SH OPTIONS\n";
  append_options(out, program.options);
  if (!program.commands.empty()) out += ".SH COMMANDS\n";
  for (const auto& command : program.commands) {
    out += ".SS " + roff(command.name);
    for (const auto& argument : command.arguments) out += ' ' + std::string(argument.name);
    for (const auto& rest : command.rest) {
      const bool is_optional = rest.presence == Presence::optional;
      out += (is_optional ? " [" : " ") + std::string(rest.name) + (is_optional ? "]..." : "...");
    }
    out += '\n' + roff(sentence(command.help)) + '\n';
    append_options(out, command.options);
  }
  out +=
      ".SH ENVIRONMENT AND FILES\n"
      "Most options can also be set in the environment, as TONEARM_ and the name in capitals with _ for \\-, and in "
      "the TOML "
      "file that \\fB\\-\\-config\\fR names. Flags override the environment, which overrides the file.\n"
      ".SH EXIT STATUS\n";
  out += roff(program.exit_status) + '\n';
  for (const auto& section : program.sections) {
    out += ".SH " + title(section.title) + "\n.nf\n" + roff(section.text) + "\n.fi\n";
  }
  return out;
}

std::string bash_completion(const Program& program) {
  std::string function = '_' + std::string(program.name);
  std::replace(function.begin(), function.end(), '-', '_');
  std::string names;
  std::string commands;
  std::string groups;
  std::string words;
  std::string values;
  std::set<std::string> seen;
  append_values(values, program.options, seen);
  std::set<std::string_view> known_groups;
  for (const auto& command : program.commands) {
    const auto space = command.name.find(' ');
    if (space == std::string_view::npos) {
      names.append(" ").append(command.name);
    } else if (const auto group = command.name.substr(0, space); known_groups.insert(group).second) {
      names.append(" ").append(group);
      std::string inner;
      for (const auto& other : program.commands) {
        if (other.name.starts_with(std::string(group) + ' ')) inner.append(" ").append(other.name.substr(space + 1));
      }
      groups.append("|").append(group);
      words += "    '" + std::string(group) + "') words='" + inner.substr(1) + "' ;;\n";
    }
    commands += "|'" + std::string(command.name) + '\'';
    words += "    '" + std::string(command.name) + "') words='" +
             (words_of(program.options) + words_of(command.options) + " --help").substr(1) + "' ;;\n";
    append_values(values, command.options, seen);
  }
  std::string out = "# Completion of " + std::string(program.name) + " for bash.\n" + function + "() {\n" +
                    "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= words i\n";
  if (!commands.empty()) {
    out += "  for ((i = 1; i < COMP_CWORD; i++)); do\n    case \"${command:+$command }${COMP_WORDS[i]}\" in\n      " +
           (commands + groups).substr(1) + ") command=${command:+$command }${COMP_WORDS[i]} ;;\n    esac\n  done\n";
  }
  out += "  case $before in\n" + values + "    *) ;;\n  esac\n  case $command in\n" + words + "    *) words='" +
         (names + words_of(program.options) + " --help --version").substr(1) + "' ;;\n  esac\n" +
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\ncomplete -o default -F " + function + ' ' +
         std::string(program.name) + '\n';
  return out;
}

}  // namespace tonearm::settings
