#pragma once
// Parameters of requests, each declared once: the parser, its messages, the OpenAPI description and the MCP schemas
// come from these rows. `table/arguments.h` lists what each route takes; `table/describe_parameters.h` makes the rows.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::table {

enum class ParameterType : std::uint8_t {
  text,          // min..max code points
  line,          // the same, counted without white space around it: something that shows, and no control character
  choice,        // one of `values`
  choices,       // comma list of `values`
  tags,          // comma list of [a-z0-9_-]+
  domains,       // comma list of domains
  words,         // comma list of words and phrases, min..max code points in all
  boolean,       // true, false
  boolean_01,    // 0, 1, true, false
  tempo_range,   // <min>-<max>, each 1 to 3 digits
  digits,        // a whole number, min..max
  cursor,        // 1 to 9 digits
  decimal,       // [0-9]{1,6}(\.[0-9]{1,3})?
  seed,          // 1 to 64 of [A-Za-z0-9_-]
  paths,         // comma list of field paths of Track
  ids,           // comma list of min..max track ids, repeated ones not counted; whether there are such is not looked at
  path_segment,  // a {name} of the route's path
};

enum class AppliesTo : std::uint8_t { both, music, sfx };

/// One parameter as it was given. What is filled follows from the parameter's type.
struct Value {
  std::string text;                 // decoded: every type
  std::vector<std::string> items;   // tags, domains, words, paths, ids: each once
  std::vector<std::size_t> chosen;  // choice, choices: indices into `values`, each once
  std::uint64_t number = 0;         // digits, cursor; decimal in thousandths; boolean as 0 or 1; index of a choice
  std::uint64_t range_min = 0;      // tempo_range, in hundredths
  std::uint64_t range_max = 0;
};

/// What a message may offer for a wrong value: the nearest one, or only one of the same letters and digits (ERROR-3).
enum class Hints : std::uint8_t { near, same_letters };

/// What values a parameter accepts.
struct Accepts {
  ParameterType type;
  std::uint32_t min = 0;  // of code points (text, words), of the value (digits) or of items (ids)
  std::uint32_t max = 0;
  std::span<const std::string_view> values{};
  Hints hints = Hints::near;
};

struct Parameter : Accepts {
  std::string_view name{};
  std::string_view description{};
  std::string_view example{};
  AppliesTo applies = AppliesTo::both;
  std::string_view default_value{};  // empty: none
  std::string_view header{};         // a header field that says the same; empty: none
  bool required = false;             // in the query string; those of the path always are
  /// Puts the value into the struct of the route's arguments. Made by `describe_parameters.h`.
  void (*store)(void* arguments, const Value& value) = nullptr;
};

/// The parameters of a route.
struct ParameterTable {
  std::span<const Parameter> path;  // in the order of its {names}
  std::span<const Parameter> query;
};
/// Those that fill an `Arguments`.
template <class Arguments>
struct Parameters : ParameterTable {};

// LIMIT-11, and the bounds of the parameters themselves.
inline constexpr std::uint32_t kQueryTextMax = 500;
inline constexpr std::uint32_t kMetaTextMax = 100;
inline constexpr std::uint32_t kCreatorMax = 200;
inline constexpr std::uint32_t kExcludeMax = 200;
inline constexpr std::uint32_t kTracksAtOnceMax = 50;
inline constexpr std::uint32_t kPageSizeMax = 50;
inline constexpr std::uint32_t kMetaLimitMax = 200;       // META-3
inline constexpr std::uint32_t kCursorDigitsMax = 9;      // QUERY-4
inline constexpr std::uint32_t kSeedMax = 64;             // SORT-4
inline constexpr std::uint32_t kLicenseChangesMax = 200;  // COLLECTION-14
inline constexpr std::uint32_t kHeadingMax = 80;          // CREDIT-14
inline constexpr std::uint32_t kRevisionMax = 999'999'999;
inline constexpr std::uint32_t kTrackIdMax = 200;
inline constexpr std::uint32_t kSimilarSeedsMax = 10;
inline constexpr std::uint32_t kCallsMax = 10'000;
inline constexpr std::uint32_t kAccountsMax = 1'000;
inline constexpr std::uint32_t kCursorTextMax = 40;
inline constexpr std::uint32_t kDomainMax = 253;

inline constexpr std::string_view kConfirmHeader = "X-Confirm";  // COLLECTION-8

/// What the parameter accepts, in plain words: "a whole number from 1 to 50".
std::string accepts(const Accepts& parameter);

}  // namespace tonearm::table
