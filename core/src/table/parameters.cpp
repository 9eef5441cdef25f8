#include "table/parameters.h"

#include <array>

#include "table/types.h"
#include "tonearm/search.h"
#include "tonearm/track.h"

namespace tonearm::table {
namespace {

using enum ParameterType;
using std::string_view;

constexpr std::array<string_view, 2> kQualities{"any", "good"};
constexpr std::array<string_view, 3> kSearchCredits{"any", "optional", "requested"};
constexpr std::array<string_view, 2> kSimilarCredits{"optional", "requested"};
constexpr std::array<string_view, 7> kSorts{"shuffle", "relevance", "quality", "short", "long", "slow", "fast"};

std::array<string_view, kLicenseCount> license_names() {
  std::array<string_view, kLicenseCount> names;
  for (std::size_t i = 0; i < kLicenseCount; ++i) names[i] = kLicenses[i].name_id;
  return names;
}
const std::array<string_view, kLicenseCount> kLicenseNames = license_names();

constexpr Parameter kLimit{.name = "limit",
                           .type = digits,
                           .min = 1,
                           .max = kPageSizeMax,
                           .description = "Tracks on a page.",
                           .example = "20",
                           .default_value = "20"};
constexpr Parameter kCursor{
    .name = "cursor", .type = cursor, .description = "The cursor of the previous answer.", .example = "20"};

// catalog-api, GET /v1/search; `seed` is C4.6.
constexpr std::array kSearch{
    Parameter{.name = "q",
              .type = text,
              .max = kQueryTextMax,
              .description = "Words for mood, genre, instrument, title or intended use.",
              .example = "rain on a roof"},
    Parameter{.name = "kind",
              .type = choice,
              .values = kKindNames,
              .description = "Music or sound effects.",
              .example = "sfx",
              .default_value = "music"},
    Parameter{.name = "tempo",
              .type = tempo_range,
              .applies = AppliesTo::music,
              .description = "Beats per minute, an inclusive range.",
              .example = "90-120"},
    Parameter{.name = "length",
              .type = choices,
              .values = kLengthNames,
              .description = "Any of these lengths. Music: xs under 30 s, s 30 s to 2 min, m 2 to 5 min, l over 5 min. "
                             "Sound effects: xs under 2 s, s 2 to 10 s, m 10 to 30 s, l over 30 s.",
              .example = "s,m"},
    Parameter{.name = "energy",
              .type = choices,
              .applies = AppliesTo::music,
              .values = kEnergyNames,
              .description = "Any of these energies.",
              .example = "calm,steady"},
    Parameter{
        .name = "tone", .type = choices, .values = kToneNames, .description = "Any of these tones.", .example = "warm"},
    Parameter{.name = "loops",
              .type = boolean_01,
              .description = "true keeps only tracks marked as loops.",
              .example = "true"},
    Parameter{.name = "quality",
              .type = choice,
              .values = kQualities,
              .description = "good hides lower-quality recordings.",
              .example = "good",
              .default_value = "any"},
    Parameter{.name = "genre",
              .type = tags,
              .applies = AppliesTo::music,
              .description = "Any of these genres.",
              .example = "ambient,hip-hop"},
    Parameter{.name = "mood",
              .type = tags,
              .applies = AppliesTo::music,
              .description = "Any of these moods.",
              .example = "calming"},
    Parameter{.name = "use", .type = tags, .description = "Any of these intended uses.", .example = "background"},
    Parameter{.name = "instrument",
              .type = tags,
              .applies = AppliesTo::music,
              .description = "Any of these instruments.",
              .example = "piano"},
    Parameter{.name = "sfx",
              .type = tags,
              .applies = AppliesTo::sfx,
              .description = "Any of these types of sound effect.",
              .example = "rain"},
    Parameter{.name = "category",
              .type = tags,
              .applies = AppliesTo::sfx,
              .description =
                  "Any of these categories or groups of the Broad Sound Taxonomy. Selecting speech, or one of "
                  "its categories, opts in to speech results.",
              .example = "fx-n"},
    Parameter{.name = "credit",
              .type = choice,
              .values = kSearchCredits,
              .description = "optional keeps tracks that need no credit; requested keeps tracks whose license requires "
                             "credit or whose creator or source asks for it.",
              .example = "optional",
              .default_value = "any"},
    Parameter{.name = "license",
              .type = choices,
              .values = kLicenseNames,
              .description = "Any of these licenses.",
              .example = "cc0,cc-by-4.0"},
    Parameter{.name = "commercial",
              .type = boolean,
              .description = "true keeps commercially usable tracks; false keeps only non-commercial ones.",
              .example = "true"},
    Parameter{.name = "share_alike",
              .type = boolean,
              .description = "false keeps tracks with no share-alike condition; true keeps only share-alike ones.",
              .example = "false"},
    Parameter{.name = "creator",
              .type = text,
              .min = 1,
              .max = kCreatorMax,
              .description = "The whole artist name, in any case.",
              .example = "Ada Example"},
    Parameter{.name = "source", .type = domains, .description = "Any of these domains.", .example = "example.org"},
    Parameter{.name = "sort",
              .type = choice,
              .values = kSorts,
              .description =
                  "Order of the results. The default is relevance when q is set, else shuffle: a fixed order, "
                  "so that paging is stable.",
              .example = "quality"},
    Parameter{.name = "seed",
              .type = seed,
              .description = "Picks another fixed shuffle; only where the sort in force is shuffle.",
              .example = "monday"},
    kLimit,
    kCursor,
    Parameter{
        .name = "fields",
        .type = paths,
        .description = "The fields of a track to return; dotted paths reach into tags, category, license and terms.",
        .example = "id,title,license.id"},
};

// catalog-api, GET /v1/meta; bounds are C5.3.
constexpr std::array kMeta{
    Parameter{.name = "limit",
              .type = digits,
              .min = 1,
              .max = kMetaLimitMax,
              .description = "How many creators to list at most.",
              .example = "50",
              .default_value = "50"},
    Parameter{.name = "q",
              .type = text,
              .max = kMetaTextMax,
              .description = "Keeps creators whose name contains it, in any case.",
              .example = "ada"},
};

// What similar lists of a track and of a collection have in common.
constexpr Parameter kMinBpm{
    .name = "min_bpm", .type = decimal, .description = "Lowest tempo, beats per minute.", .example = "90"};
constexpr Parameter kMaxBpm{
    .name = "max_bpm", .type = decimal, .description = "Highest tempo, beats per minute.", .example = "120.5"};
constexpr Parameter kMinSeconds{
    .name = "min_seconds", .type = decimal, .description = "Shortest duration, seconds.", .example = "30"};
constexpr Parameter kMaxSeconds{
    .name = "max_seconds", .type = decimal, .description = "Longest duration, seconds.", .example = "180"};
constexpr Parameter kCommercial{
    .name = "commercial",
    .type = boolean,
    .description = "true keeps commercially usable tracks; false keeps only non-commercial ones.",
    .example = "true"};
constexpr Parameter kCredit{
    .name = "credit",
    .type = choice,
    .values = kSimilarCredits,
    .description =
        "optional keeps tracks that need no credit; requested keeps tracks whose license requires "
        "credit or whose creator or source asks for it.",
    .example = "optional"};
constexpr Parameter kLoopsOnly{
    .name = "loops_only", .type = boolean, .description = "true keeps only tracks marked as loops.", .example = "true"};

// catalog-api, GET /v1/tracks/{id}/similar.
constexpr std::array kSimilar{kLimit,      kCursor,     kMinBpm, kMaxBpm,   kMinSeconds,
                              kMaxSeconds, kCommercial, kCredit, kLoopsOnly};

// catalog-api, GET /v1/collections/{id}/similar.
constexpr std::array kCollectionSimilar{
    Parameter{.name = "seeds",
              .type = ids,
              .min = 1,
              .max = kSimilarSeedsMax,
              .description = "Members whose neighbors are merged; one that is named twice counts once. The default is "
                             "the first ten items.",
              .example = "example-1,example-7"},
    Parameter{.name = "include_members",
              .type = boolean,
              .description = "true lists members of the collection too.",
              .example = "true",
              .default_value = "false"},
    kLimit,
    kCursor,
    kMinBpm,
    kMaxBpm,
    kMinSeconds,
    kMaxSeconds,
    kCommercial,
    kLoopsOnly,
    kCredit,
};

constexpr std::array kCalls{
    Parameter{.name = "limit",
              .type = digits,
              .min = 1,
              .max = 10'000,
              .description = "How many records to list, the latest first.",
              .example = "100",
              .default_value = "100"},
};

// catalog-api, DELETE /v1/collections/{id}.
constexpr std::array kConfirm{
    Parameter{.name = "confirm",
              .type = boolean,
              .description = "true confirms that the collection is to be deleted for good; so does the header "
                             "X-Confirm: true.",
              .example = "true",
              .header = kConfirmHeader},
};

// catalog-api, GET /v1/collections/{id}/credits.
constexpr std::array kCredits{
    Parameter{.name = "format",
              .type = choice,
              .values = kCreditsFormats,
              .description = "How the credits are written.",
              .example = "text",
              .default_value = "json"},
};

std::string alternatives(std::span<const string_view> values) {
  std::string text;
  for (const string_view value : values) {
    if (!text.empty()) text += ", ";
    text += value;
  }
  return text;
}

}  // namespace

const std::span<const Parameter> kSearchParameters{kSearch};
const std::span<const Parameter> kMetaParameters{kMeta};
const std::span<const Parameter> kSimilarParameters{kSimilar};
const std::span<const Parameter> kCollectionSimilarParameters{kCollectionSimilar};
const std::span<const Parameter> kCallsParameters{kCalls};
const std::span<const Parameter> kConfirmParameters{kConfirm};
const std::span<const Parameter> kCreditsParameters{kCredits};

std::string accepts(const Parameter& parameter) {
  const auto bounds = [&] { return std::to_string(parameter.min) + " to " + std::to_string(parameter.max); };
  switch (parameter.type) {
    case text:
      return parameter.min == 0 ? "at most " + std::to_string(parameter.max) + " characters" : bounds() + " characters";
    case choice:
      return "one of " + alternatives(parameter.values);
    case choices:
      return "a comma-separated list of " + alternatives(parameter.values);
    case tags:
      return "a comma-separated list of ids made of a-z, 0-9, _ and -";
    case domains:
      return "a comma-separated list of domains without spaces";
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
      return "a comma-separated list of " + alternatives(names);
    }
    case ids:
      return "a comma-separated list of " + bounds() + " track ids";
  }
  return {};
}

}  // namespace tonearm::table
