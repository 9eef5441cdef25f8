#include "settings/layers.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "settings/nearest.h"
#include "settings/settings_file.h"

namespace tonearm::settings {
namespace {

bool is_small(char c) { return c >= 'a' && c <= 'z'; }

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string quoted_value(const Option& option, const Given& given) {
  return option.secrecy == Secrecy::secret ? "" : ", not " + given.texts.front();
}

std::string missing(const Option& option) {
  const std::string name(option.name);
  auto text = flag_of(name) + " is required";
  if (option.layers == Layers::flag_alone) return text;
  return text + " (or " + variable_of(name) + ", or " + name + " in the file of --config)";
}

std::string list_of_choices(std::span<const std::string_view> choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    text += i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ";
    text += choices[i];
  }
  return text;
}

/// Returns what the option's value must be; empty if `text` is valid.
std::string unmet_requirement(const Option& option, const std::string& text) {
  if (option.type == Type::number) {
    const auto number = whole_number(text);
    if (number && *number >= option.bounds.least && *number <= option.bounds.most) return {};
    if (option.bounds.most == Bounds().most) return "a whole number";
    return "a whole number from " + std::to_string(option.bounds.least) + " to " + std::to_string(option.bounds.most);
  }
  if (option.choices.empty() || std::ranges::find(option.choices, text) != option.choices.end()) return {};
  return list_of_choices(option.choices);
}

void check_switch(const Option& option, Given& given) {
  auto& text = given.texts.front();
  if (text == "1") text = "true";
  if (text == "0") text = "false";
  if (text == "true" || text == "false") return;
  throw_for(given.layer, given.origin + " must be true or false" + quoted_value(option, given));
}

bool is_list(const Option& option) { return option.type == Type::list; }

bool has_list(const Values::ByName& given, std::span<const Option> options) {
  return std::ranges::any_of(options, [&](const Option& it) { return is_list(it) && given.contains(it.name); });
}

/// Adds the values of `layer` that `given` does not have.
void add_layer(Values::ByName& given, std::span<const Option> options, Values::ByName layer) {
  const bool lists_are_given = has_list(given, options);
  for (const auto& option : options) {
    const auto found = layer.find(option.name);
    if (found == layer.end() || (is_list(option) && lists_are_given)) continue;
    given.try_emplace(std::string(option.name), std::move(found->second));
  }
}

Values::ByName read_environment(std::span<const Option> options, const Environment& environment) {
  Values::ByName layer;
  for (const auto& option : options) {
    if (option.layers == Layers::flag_alone) continue;
    const auto variable = variable_of(option.name);
    const auto text = environment(variable);
    if (!text || text->empty()) continue;
    layer[std::string(option.name)] = {may_repeat(option.type) ? lines_of(*text) : std::vector{*text},
                                       Layer::environment, variable};
  }
  return layer;
}

}  // namespace

std::string flag_of(std::string_view name) {
  return std::ranges::any_of(name, is_small) ? "--" + std::string(name) : std::string(name);
}

std::string variable_of(std::string_view name) {
  std::string variable = "TONEARM_";
  for (const char c : name) variable += c == '-' ? '_' : is_small(c) ? static_cast<char>(c - 'a' + 'A') : c;
  return variable;
}

std::string hint(std::string_view name, std::span<const Option> options, std::string_view prefix) {
  std::vector<std::string_view> names;
  for (const auto& option : options) {
    if (option.refusal.empty()) names.push_back(option.name);
  }
  const auto found = nearest(name, names);
  return found ? "; did you mean " + std::string(prefix) + std::string(*found) + '?' : "";
}

void add_lower_layers(Values::ByName& given, std::span<const Option> options, const Environment& environment,
                      const std::string& config_path) {
  add_layer(given, options, read_environment(options, environment));
  if (config_path.empty()) return;
  std::vector<Option> keys;
  std::ranges::copy_if(options, std::back_inserter(keys), [](const Option& it) { return it.layers == Layers::all; });
  add_layer(given, options, read_settings_file(config_path, keys));
}

void check(Values::ByName& given, std::span<const Option> options) {
  for (const auto& option : options) {
    const auto found = given.find(option.name);
    const bool is_missing = found == given.end() ||
                            (!is_list(option) && (found->second.texts.empty() || found->second.texts.front().empty()));
    if (is_missing && option.presence == Presence::required) throw UsageError(missing(option));
    if (found == given.end()) continue;
    auto& value = found->second;
    if (!option.refusal.empty()) throw Failure(value.origin + ": " + std::string(option.refusal));
    if (option.type == Type::on_off) {
      check_switch(option, value);
    } else if (!may_repeat(option.type)) {
      const auto requirement = unmet_requirement(option, value.texts.front());
      if (requirement.empty()) continue;
      throw_for(value.layer, value.origin + " must be " + requirement + quoted_value(option, value));
    }
  }
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return number;
}

void throw_for(Layer layer, const std::string& message) {
  if (layer == Layer::flag) throw UsageError(message);
  throw Failure(message);
}

}  // namespace tonearm::settings
