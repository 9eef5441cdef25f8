#pragma once
// Parameters of requests, each declared once: the parser, its messages, the OpenAPI description and the MCP
// schemas come from these rows.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tonearm::table {

enum class ParameterType : std::uint8_t {
  text,         // min..max code points
  choice,       // one of `values`
  choices,      // comma list of `values`
  tags,         // comma list of [a-z0-9_-]+
  domains,      // comma list of domains
  boolean,      // true, false
  boolean_01,   // 0, 1, true, false
  tempo_range,  // <min>-<max>, each 1 to 3 digits
  digits,       // a whole number, min..max
  cursor,       // 1 to 9 digits
  decimal,      // [0-9]{1,6}(\.[0-9]{1,3})?
  seed,         // 1 to 64 of [A-Za-z0-9_-]
  paths,        // comma list of field paths of Track
  ids,          // comma list of min..max track ids, repeated ones not counted; whether there are such is not looked at
};

enum class AppliesTo : std::uint8_t { both, music, sfx };

struct Parameter {
  std::string_view name;
  ParameterType type;
  AppliesTo applies = AppliesTo::both;
  std::uint32_t min = 0;  // of code points (text), of the value (digits) or of items (ids)
  std::uint32_t max = 0;
  std::span<const std::string_view> values{};
  std::string_view description;
  std::string_view example;
  std::string_view default_value{};  // empty: none
  std::string_view header{};         // a header field that says the same; empty: none
};

// The named limits of catalog-api, Limits.
inline constexpr std::uint32_t kQueryTextMax = 500;
inline constexpr std::uint32_t kMetaTextMax = 100;
inline constexpr std::uint32_t kCreatorMax = 200;
inline constexpr std::uint32_t kPageSizeMax = 50;
inline constexpr std::uint32_t kPageSizeDefault = 20;
inline constexpr std::uint32_t kMetaLimitMax = 200;     // C5.3
inline constexpr std::uint32_t kMetaLimitDefault = 50;  // C5.3
inline constexpr std::uint32_t kCursorDigitsMax = 9;    // C2.4
inline constexpr std::uint32_t kSeedMax = 64;           // C4.6
inline constexpr std::uint32_t kTrackIdMax = 200;
inline constexpr std::uint32_t kSimilarSeedsMax = 10;
inline constexpr std::uint32_t kDomainMax = 253;

inline constexpr std::string_view kConfirmHeader = "X-Confirm";  // C6.14

extern const std::span<const Parameter> kSearchParameters;
extern const std::span<const Parameter> kMetaParameters;
extern const std::span<const Parameter> kSimilarParameters;
extern const std::span<const Parameter> kCollectionSimilarParameters;
extern const std::span<const Parameter> kCallsParameters;
extern const std::span<const Parameter> kConfirmParameters;
extern const std::span<const Parameter> kCreditsParameters;

/// Values of the parameter `format`.
enum class CreditsFormat : std::uint8_t { json, text, markdown, csv };
inline constexpr std::array<std::string_view, 4> kCreditsFormats{"json", "text", "markdown", "csv"};

/// What the parameter accepts, in plain words: "a whole number from 1 to 50".
std::string accepts(const Parameter& parameter);

}  // namespace tonearm::table
