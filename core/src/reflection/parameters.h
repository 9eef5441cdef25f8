#pragma once
// Parameters of requests, each declared once: the parser, its messages, the OpenAPI description and the MCP schemas
// come from these rows. `table/arguments.h` lists the parameters of each route; `describe_parameters.h` makes the rows.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::table {

enum class ParameterType : std::uint8_t {
  text,          // min..max code points
  line,          // like text, but trimmed; with a visible character and without control characters
  choice,        // one of `values`
  choices,       // comma list of `values`
  tags,          // comma list of [a-z0-9_-]+
  domains,       // comma list of domains
  words,         // comma list of words and phrases, min..max code points in total
  boolean,       // true, false
  boolean_01,    // 0, 1, true, false
  tempo_range,   // <min>-<max>, each 1 to 3 digits
  digits,        // a whole number, min..max
  cursor,        // 1 to 9 digits
  decimal,       // [0-9]{1,6}(\.[0-9]{1,3})?
  seed,          // 1 to 64 of [A-Za-z0-9_-]
  paths,         // comma list of field paths of Track
  ids,           // comma list of min..max different track ids, which may not exist
  path_segment,  // a {name} of the route's path
};

enum class AppliesTo : std::uint8_t { both, music, sfx };

/// The value of a parameter. The parameter's type determines which members are set.
struct Value {
  std::string text;                 // decoded: every type
  std::vector<std::string> items;   // tags, domains, words, paths, ids: each once
  std::vector<std::size_t> chosen;  // choice, choices: indices into `values`, each once
  std::uint64_t number = 0;         // digits, cursor; decimal in thousandths; boolean as 0 or 1; index of a choice
  std::uint64_t range_min = 0;      // tempo_range, in hundredths
  std::uint64_t range_max = 0;
};

/// What a message may suggest for a wrong value: the nearest value, or only one with the same letters and digits
/// (ERROR-3).
enum class Hints : std::uint8_t { near, same_letters };

/// The values that a parameter accepts.
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
  /// Names of other APIs for it, separated by spaces: not accepted, but offered this one (ERROR-3).
  std::string_view aliases{};
  AppliesTo applies = AppliesTo::both;
  std::string_view default_value{};  // empty: none
  std::string_view header{};         // a header field that may replace the parameter; empty: none
  bool required = false;             // only for the query string; path parameters always are
  /// Stores the value in the struct of the route's arguments. Made by `describe_parameters.h`.
  void (*store)(void* arguments, const Value& value) = nullptr;
};

/// The parameters of a route.
struct ParameterTable {
  std::span<const Parameter> path;  // in the order of its {names}
  std::span<const Parameter> query;
};
/// The parameters that fill a struct `Arguments`.
template <class Arguments>
struct Parameters : ParameterTable {};

// LIMIT-11, and other bounds of parameters.
inline constexpr std::uint32_t kQueryTextMax = 500;
inline constexpr std::uint32_t kMetaTextMax = 100;
inline constexpr std::uint32_t kCreatorMax = 200;
inline constexpr std::uint32_t kExcludeMax = 200;
inline constexpr std::uint32_t kTracksAtOnceMax = 50;
inline constexpr std::uint32_t kPageSizeMax = 50;
inline constexpr std::uint32_t kMetaLimitMax = 200;       // META-3
inline constexpr std::uint32_t kCompletionsMax = 20;      // COMPLETE-6
inline constexpr std::uint32_t kCursorDigitsMax = 9;      // QUERY-4
inline constexpr std::uint32_t kSeedMax = 64;             // SORT-4
inline constexpr std::uint32_t kLicenseChangesMax = 200;  // COLLECTION-14
inline constexpr std::uint32_t kChangesMax = 1'000;       // CHANGE-1
inline constexpr std::uint32_t kVersionTextMax = 64;      // CHANGE-1
inline constexpr std::uint32_t kHeadingMax = 80;          // CREDIT-14
inline constexpr std::uint32_t kRevisionMax = 999'999'999;
inline constexpr std::uint32_t kTrackIdMax = 200;
inline constexpr std::uint32_t kSimilarSeedsMax = 10;
inline constexpr std::uint32_t kCallsMax = 10'000;
inline constexpr std::uint32_t kAccountsMax = 1'000;
inline constexpr std::uint32_t kTakeDownsPageMax = 1'000;
inline constexpr std::uint32_t kCursorTextMax = 40;
inline constexpr std::uint32_t kDomainMax = 253;

inline constexpr std::string_view kConfirmHeader = "X-Confirm";  // COLLECTION-8

/// Returns a text that describes what the parameter accepts: "a whole number from 1 to 50".
std::string accepts(const Accepts& parameter);

/// Joins values: "a, b, c".
std::string comma_list(std::span<const std::string_view> values);

}  // namespace tonearm::table
