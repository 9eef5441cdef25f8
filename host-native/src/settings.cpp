#include "settings.h"

#include <toml++/toml.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace tonearm::native {
namespace {

constexpr std::string_view kConfig = "config";

std::string flag(std::string_view name) { return "--" + std::string(name); }

/// "site-url" -> "TONEARM_SITE_URL"
std::string variable(std::string_view name) {
  std::string out = "TONEARM_";
  for (const char c : name) out += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return out;
}

std::string text_of(const toml::node& node, const std::string& where) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  if (const auto flag_value = node.value_exact<bool>()) return *flag_value ? "true" : "false";
  throw std::runtime_error(where + " must be a string, a whole number, true or false");
}

}  // namespace

std::optional<std::string> process_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): before threads start
  if (value == nullptr) return std::nullopt;
  return value;
}

Settings::Settings(CLI::App& app, std::span<const SettingRow> rows) : rows_(rows) {
  const auto add = [&](std::string_view name, std::string_view help) {
    const auto take = [this, key = std::string(name)](const std::string& value) { values_[key] = value; };
    app.add_option_function<std::string>(flag(name), take, std::string(help))
        ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  };
  for (const auto& row : rows_) {
    if (row.takes == SettingRow::Takes::value) {
      add(row.name, row.help);
    } else {
      const auto turn_on = [this, key = std::string(row.name)](std::int64_t count) {
        values_[key] = count > 0 ? "true" : "false";  // --flag=false counts as less than none
      };
      app.add_flag_function(flag(row.name), turn_on, std::string(row.help));
    }
  }
  add(kConfig, "FILE, a TOML file with settings: a key is a flag's name without its dashes");
}

void Settings::complete(const Environment& environment) {
  const auto from_environment = [&](std::string_view name) {
    if (find(name) != nullptr) return;
    if (const auto value = environment(variable(name))) values_[std::string(name)] = *value;
  };
  from_environment(kConfig);
  for (const auto& row : rows_) from_environment(row.name);
  if (const auto* path = find(kConfig)) read_file(*path);
  check_switches();
}

void Settings::read_file(const std::string& path) {
  toml::table table;
  try {
    table = toml::parse_file(path);
  } catch (const toml::parse_error& error) {
    const auto line = error.source().begin.line;
    throw std::runtime_error(path + (line > 0 ? ':' + std::to_string(line) : "") + ": " +
                             std::string(error.description()));
  }
  for (const auto& [key, node] : table) {
    const auto known = [name = key.str()](const SettingRow& row) { return row.name == name; };
    if (std::none_of(rows_.begin(), rows_.end(), known)) {
      throw std::runtime_error(path + ": there is no setting " + std::string(key.str()));
    }
    const auto value = text_of(node, path + ": " + std::string(key.str()));
    values_.try_emplace(std::string(key.str()), value);
  }
}

void Settings::check_switches() const {
  for (const auto& row : rows_) {
    const auto* value = row.takes == SettingRow::Takes::nothing ? find(row.name) : nullptr;
    if (value == nullptr || *value == "true" || *value == "false" || *value == "1" || *value == "0") continue;
    throw UsageFault(std::string(row.name) + " must be true or false");
  }
}

const std::string* Settings::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

std::string Settings::text_or(std::string_view name, std::string_view otherwise) const {
  const auto* value = find(name);
  return value == nullptr ? std::string(otherwise) : *value;
}

const std::string& Settings::required(std::string_view name) const {
  const auto* value = find(name);
  if (value == nullptr || value->empty()) throw UsageFault(flag(name) + " is required");
  return *value;
}

bool Settings::is_on(std::string_view name) const {
  const auto* value = find(name);
  return value != nullptr && (*value == "true" || *value == "1");
}

std::optional<EarlyEnd> parse_words(CLI::App& app, std::span<const char* const> words) {
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 takes a vector
    app.parse(reversed);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream errors;
    const int status = app.exit(error, out, errors);
    return EarlyEnd{status == 0 ? 0 : 2, out.str(), errors.str()};
  }
}

}  // namespace tonearm::native
