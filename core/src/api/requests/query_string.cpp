#include "api/requests/query_string.h"

#include <algorithm>
#include <array>

#include "api/requests/hints.h"
#include "reflection/track_type.h"
#include "text/percent.h"
#include "text/unicode.h"
#include "text/unique.h"
#include "text/visible.h"
#include "tonearm/ascii.h"

namespace tonearm::api {
namespace {

using table::Parameter;
using table::ParameterType;

constexpr std::uint64_t kHundredths = 100;

/// Parses a number; one of more than 18 digits saturates.
std::uint64_t to_number(std::string_view digits) {
  std::uint64_t number = 0;
  for (const char c : digits) {
    if (number > 100'000'000'000'000'000U) return ~std::uint64_t{0};
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

bool is_ascii_word(char c) { return ascii::is_lower(c) || ascii::is_digit(c) || c == '_' || c == '-'; }

bool is_tag(std::string_view item) { return std::all_of(item.begin(), item.end(), is_ascii_word); }

bool is_seed_character(char c) { return is_ascii_word(c) || ascii::is_upper(c); }

/// Accepts a domain in any script: no spaces, controls, or ASCII punctuation other than dot, hyphen and underscore.
bool is_domain(std::string_view item) {
  if (item.size() > table::kDomainMax) return false;
  for (std::size_t at = 0; at < item.size();) {
    const char32_t c = text::next_code_point(item, at);
    const bool plain = c < 0x80 ? is_seed_character(static_cast<char>(c)) || c == '.' : !text::is_control(c);
    if (!plain || text::is_line_break(c) || c == 0xa0 || c == 0x3000) return false;
  }
  return true;
}

// ---- Error messages

Error invalid_parameter(std::string_view name, const std::string& problem) {
  std::string quotable = text::quotable(name);
  std::string message = quotable + problem;
  return {ErrorCode::invalid_parameter, std::move(message), 0, std::move(quotable)};
}

Error invalid(const Parameter& parameter, std::string_view given, std::string_view hint = {}) {
  std::string problem = " must be " + accepts(parameter);
  if (!given.empty()) problem += "; got \"" + text::quotable(given) + '"';
  problem += '.';
  if (!hint.empty()) problem += " Did you mean " + std::string(hint) + '?';
  return invalid_parameter(parameter.name, problem);
}

Error undecodable(const Parameter& parameter, std::string_view raw) {
  if (text::has_broken_escape(raw)) {
    return invalid_parameter(parameter.name,
                             " has a % without two hexadecimal digits after it; write %25 for the character % itself.");
  }
  return invalid_parameter(
      parameter.name,
      " is invalid UTF-8: its percent-encoded bytes must be UTF-8, and it must be " + accepts(parameter) + '.');
}

Error unknown_parameter(std::string_view name, std::span<const Parameter> parameters) {
  const std::string quotable = text::quotable(name);
  std::string message = "The parameter \"" + quotable + "\" is not known here.";
  if (const auto hint = meant_name<Parameter>(name, parameters)) {
    message += " Did you mean " + std::string(*hint) + '?';
  } else if (parameters.empty()) {
    message += " This endpoint takes no parameters.";
  } else {
    message += " Accepted are";
    for (const Parameter& parameter : parameters) {
      message += (&parameter == parameters.data() ? " " : ", ") + std::string(parameter.name);
    }
    message += '.';
  }
  return {ErrorCode::invalid_parameter, std::move(message), 0, quotable};
}

Error repeated_parameter(const std::string& name) { return invalid_parameter(name, " is given more than once."); }
Error empty_parameter(const std::string& name, const Parameter& parameter) {
  return invalid_parameter(name, " is empty; it must be " + accepts(parameter) + '.');
}
Error missing_parameter(const Parameter& parameter) {
  return invalid_parameter(parameter.name, " is missing; it must be " + accepts(parameter) + '.');
}

// ---- Values by type

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> items;
  while (true) {
    const std::size_t comma = list.find(',');
    items.emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return items;
    list.remove_prefix(comma + 1);
  }
}

Result<Value> parse_choices(const Parameter& parameter, Value value) {
  std::vector<std::string> items{value.text};
  if (parameter.type == ParameterType::choices) items = split(value.text);
  for (const std::string& item : items) {
    const auto found = std::find(parameter.values.begin(), parameter.values.end(), item);
    if (found == parameter.values.end()) {
      const auto hint = parameter.hints == table::Hints::near ? near_choice(parameter.name, item, parameter.values)
                                                              : same_letters(item, parameter.values);
      return invalid(parameter, item.empty() ? std::string_view{value.text} : item, hint.value_or(""));
    }
    const auto index = static_cast<std::size_t>(found - parameter.values.begin());
    if (std::find(value.chosen.begin(), value.chosen.end(), index) == value.chosen.end()) value.chosen.push_back(index);
  }
  value.number = value.chosen.front();
  return value;
}

/// Returns what may be offered for a malformed item of a list; empty if nothing.
std::string offer_for(const Parameter& parameter, const std::string& item) {
  if (parameter.type == ParameterType::tags) return tag_id_of(item);
  if (parameter.type == ParameterType::domains) {
    const std::string_view domain = text::trimmed(item);
    return is_domain(domain) ? std::string(domain) : std::string();
  }
  if (parameter.type != ParameterType::paths) return {};
  const std::vector<std::string_view> names(table::track_paths().begin(), table::track_paths().end());
  return std::string(near_match(item, names).value_or(""));
}

Result<Value> parse_list(const Parameter& parameter, Value value) {
  const auto is_good = [&](const std::string& item) {
    if (item.empty()) return false;
    if (parameter.type == ParameterType::tags) return is_tag(item);
    if (parameter.type == ParameterType::domains) return is_domain(item);
    if (parameter.type == ParameterType::words) return !text::one_line(item).empty();
    if (parameter.type == ParameterType::ids) return text::code_points(item) <= table::kTrackIdMax;
    const auto& paths = table::track_paths();
    return std::find(paths.begin(), paths.end(), item) != paths.end();
  };
  for (std::string& item : split(value.text)) {
    if (!is_good(item)) {
      return invalid(parameter, item.empty() ? std::string_view{value.text} : item, offer_for(parameter, item));
    }
    value.items.push_back(std::move(item));
  }
  text::keep_first_of_equals(value.items);
  if (parameter.type == ParameterType::words && text::code_points(value.text) > parameter.max)
    return invalid(parameter, {});
  if (parameter.type == ParameterType::ids && value.items.size() > parameter.max) return invalid(parameter, value.text);
  return value;
}

Result<Value> parse_range(const Parameter& parameter, Value value) {
  const std::size_t dash = value.text.find('-');
  if (dash == std::string::npos) return invalid(parameter, value.text);
  const std::string_view low = std::string_view(value.text).substr(0, dash);
  const std::string_view high = std::string_view(value.text).substr(dash + 1);
  if (!ascii::is_digits(low) || !ascii::is_digits(high) || low.size() > 3 || high.size() > 3)
    return invalid(parameter, value.text);
  value.range_min = to_number(low) * kHundredths;
  value.range_max = to_number(high) * kHundredths;
  if (value.range_min > value.range_max) return invalid(parameter, value.text);
  return value;
}

/// QUERY-5: [0-9]{1,6}(\.[0-9]{1,3})?, stored in thousandths.
Result<Value> parse_decimal(const Parameter& parameter, Value value) {
  const std::string_view given = value.text;
  const std::size_t dot = given.find('.');
  const std::string_view whole = given.substr(0, dot);
  std::string fraction = dot == std::string_view::npos ? "0" : std::string(given.substr(dot + 1));
  if (!ascii::is_digits(whole) || whole.size() > 6 || !ascii::is_digits(fraction) || fraction.size() > 3) {
    return invalid(parameter, given);
  }
  fraction.resize(3, '0');
  value.number = to_number(whole) * 1000 + to_number(fraction);
  return value;
}

Result<Value> parse_boolean(const Parameter& parameter, Value value) {
  const std::string_view given = value.text;
  const bool accepts_digits = parameter.type == ParameterType::boolean_01;
  if (given == "true" || (accepts_digits && given == "1")) {
    value.number = 1;
  } else if (given != "false" && !(accepts_digits && given == "0")) {
    return invalid(parameter, given);
  }
  return value;
}

Result<Value> parse_digits(const Parameter& parameter, Value value) {
  if (!ascii::is_digits(value.text)) return invalid(parameter, value.text);
  value.number = to_number(value.text);
  if (value.number < parameter.min || value.number > parameter.max) return invalid(parameter, value.text);
  return value;
}

Result<Value> parse_one_line(const Parameter& parameter, Value value) {
  const std::string line(text::trimmed(value.text));
  const std::size_t length = text::code_points(line);
  bool is_good = length >= parameter.min && length <= parameter.max && text::has_visible(line);
  for (std::size_t at = 0; is_good && at < line.size();) {
    const char32_t c = text::next_code_point(line, at);
    is_good = !text::is_control(c) && !text::is_bidi_override(c) && !text::is_line_break(c);
  }
  if (!is_good) return invalid(parameter, {});
  value.text = line;
  return value;
}

Result<Value> parse_value(const Parameter& parameter, Value value) {
  switch (parameter.type) {
    case ParameterType::text:
      if (text::code_points(value.text) > parameter.max) return invalid(parameter, {});
      return value;
    case ParameterType::line:
      return parse_one_line(parameter, std::move(value));
    case ParameterType::choice:
    case ParameterType::choices:
      return parse_choices(parameter, std::move(value));
    case ParameterType::tags:
    case ParameterType::domains:
    case ParameterType::words:
    case ParameterType::paths:
    case ParameterType::ids:
      return parse_list(parameter, std::move(value));
    case ParameterType::boolean:
    case ParameterType::boolean_01:
      return parse_boolean(parameter, std::move(value));
    case ParameterType::tempo_range:
      return parse_range(parameter, std::move(value));
    case ParameterType::digits:
      return parse_digits(parameter, std::move(value));
    case ParameterType::cursor:
      if (!ascii::is_digits(value.text) || value.text.size() > table::kCursorDigitsMax)
        return invalid(parameter, value.text);
      value.number = to_number(value.text);
      return value;
    case ParameterType::decimal:
      return parse_decimal(parameter, std::move(value));
    case ParameterType::seed:
      if (value.text.size() > table::kSeedMax ||
          !std::all_of(value.text.begin(), value.text.end(), is_seed_character)) {
        return invalid(parameter, value.text);
      }
      return value;
    case ParameterType::path_segment:
      break;
  }
  return value;
}

}  // namespace

const Value* Values::find(std::string_view name) const {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (parameters_[i].name == name) return values_[i] ? &*values_[i] : nullptr;
  }
  return nullptr;
}

void Values::store(void* arguments) const {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (values_[i]) parameters_[i].store(arguments, *values_[i]);
  }
}

Result<Values> parse_query(std::string_view query, std::span<const Parameter> parameters) {
  Values values(parameters);
  std::vector<bool> seen(parameters.size());
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.empty()) continue;  // QUERY-1
    const std::size_t equals = pair.find('=');
    const std::string_view raw_name = pair.substr(0, equals);
    const auto name = text::decode_query_component(raw_name);
    const auto row = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& parameter) { return name && parameter.name == *name; });
    if (row == parameters.end()) return unknown_parameter(name.value_or(std::string(raw_name)), parameters);
    const auto index = static_cast<std::size_t>(row - parameters.begin());
    if (seen[index]) return repeated_parameter(*name);
    seen[index] = true;

    const std::string_view raw = equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1);
    auto decoded = text::decode_query_component(raw);
    if (!decoded) return undecodable(*row, raw);
    if (decoded->empty()) {
      if (row->type == ParameterType::text && row->min == 0) continue;  // QUERY-2: an empty q counts as no q
      return empty_parameter(*name, *row);
    }
    Value given;
    given.text = std::move(*decoded);
    auto value = parse_value(*row, std::move(given));
    if (!value) return value.error();
    values.replace(index, std::move(*value));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].required && !values.at(i)) return missing_parameter(parameters[i]);
  }
  return values;
}

}  // namespace tonearm::api
