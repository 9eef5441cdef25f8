#include "reflection/parameters.h"

#include "reflection/track_type.h"

namespace tonearm::table {
namespace {

using enum ParameterType;
using std::string_view;

}  // namespace

std::string comma_list(std::span<const string_view> values) {
  std::string text;
  for (const string_view value : values) {
    if (!text.empty()) text += ", ";
    text += value;
  }
  return text;
}

std::string accepts(const Accepts& parameter) {
  const auto bounds = [&] { return std::to_string(parameter.min) + " to " + std::to_string(parameter.max); };
  switch (parameter.type) {
    case text:
      return parameter.min == 0 ? "at most " + std::to_string(parameter.max) + " characters" : bounds() + " characters";
    case line:
      return bounds() + " characters, some of them visible and none a control character";
    case choice:
      return "one of " + comma_list(parameter.values);
    case choices:
      return "a comma-separated list of " + comma_list(parameter.values);
    case tags:
      return "a comma-separated list of ids made of a-z, 0-9, _ and -";
    case domains:
      return "a comma-separated list of domains without spaces";
    case words:
      return "a comma-separated list of words and phrases, " + bounds() + " characters in all";
    case boolean:
      return "true or false";
    case boolean_01:
      return "true, false, 1 or 0";
    case tempo_range:
      return "<min>-<max>, each 1 to 3 digits, min not above max";
    case digits:
      return "a whole number from " + bounds();
    case cursor:
      return "the cursor of the previous answer: 1 to 9 digits";
    case decimal:
      return "a number of at most 6 digits and at most 3 decimals, not negative";
    case seed:
      return "1 to " + std::to_string(kSeedMax) + " of A-Z, a-z, 0-9, _ and -";
    case paths: {
      const std::vector<string_view> names(track_paths().begin(), track_paths().end());
      return "a comma-separated list of " + comma_list(names);
    }
    case ids:
      return "a comma-separated list of " + bounds() + " track ids";
    case path_segment:
      return "a segment of the path";
  }
  return {};
}

}  // namespace tonearm::table
