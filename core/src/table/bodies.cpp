#include "table/bodies.h"

#include <array>

#include "domain/api_key.h"
#include "domain/collection.h"
#include "domain/plan.h"
#include "table/parameters.h"

namespace tonearm::table {
namespace {

using enum FieldType;
using std::string_view;

constexpr std::array kPlanFields{BodyField{
    .name = "plan", .type = string, .values = kPlanNames, .description = "The plan.", .example = R"("free")"}};

constexpr std::array kSessionFields{BodyField{.name = "ttl_s",
                                              .type = integer,
                                              .required = false,
                                              .min = 1,
                                              .max = kSessionSecondsMax,
                                              .description = "Seconds until the session ends; the default is the most.",
                                              .example = "3600"}};

// catalog-api, Collections: the bodies of its requests.
constexpr BodyField kName{.name = "name",
                          .type = string,
                          .min = 1,
                          .max = kCollectionNameMax,
                          .text = BodyText::name,
                          .description = "Its name; white space around it is cut off.",
                          .example = R"("Rainy evenings")"};
constexpr BodyField kCommercial{.name = "commercial",
                                .type = boolean,
                                .required = false,
                                .description = "Whether it is for commercial use.",
                                .example = "false"};
constexpr BodyField kRevision{.name = "revision",
                              .type = integer,
                              .required = false,
                              .min = 1,
                              .description = "The revision that the change is meant for: another one is refused.",
                              .example = "3"};
constexpr BodyField kNote{.name = "note",
                          .type = string,
                          .required = false,
                          .nullable = Nullable::yes,
                          .max = kNoteMax,
                          .text = BodyText::note,
                          .description = "A note of your own; empty or null clears it.",
                          .example = R"("for the opening")"};

constexpr std::array kModificationFields{
    BodyField{.name = "chips",
              .type = strings,
              .required = false,
              .values = kChipNames,
              .description = "What was done to the track: a set.",
              .example = R"(["trimmed","looped"])"},
    BodyField{.name = "text",
              .type = string,
              .required = false,
              .nullable = Nullable::yes,
              .max = kModificationTextMax,
              .text = BodyText::note,
              .description = "What was done to it, in words.",
              .example = R"("fades out early")"},
};
constexpr BodyType kModificationsBody{kModificationFields};
constexpr BodyField kModifications{
    .name = "modifications",
    .type = object,
    .required = false,
    .nullable = Nullable::yes,
    .object = &kModificationsBody,
    .description = "How the track was changed; replaces what stood there, null clears it.",
    .example = R"({"chips":["trimmed"]})"};

constexpr BodyField required(BodyField field) {
  field.required = true;
  return field;
}
constexpr BodyField optional(BodyField field) {
  field.required = false;
  return field;
}
constexpr BodyField ignored_beside(BodyField field, string_view other) {
  field.ignored_beside = other;
  return field;
}

constexpr std::array kCollectionFields{kName, kCommercial};
constexpr std::array kCollectionChangeFields{required(kRevision), optional(kName), kCommercial};
constexpr std::array<string_view, 2> kCollectionChanges{"name", "commercial"};

constexpr std::uint32_t kBulkMax = 25;
constexpr std::array kItemsFields{
    BodyField{.name = "track",
              .type = string,
              .required = false,
              .min = 1,
              .max = kTrackIdMax,
              .description = "Id of one track to add.",
              .example = R"("example-1042")"},
    BodyField{.name = "tracks",
              .type = strings,
              .required = false,
              .min = 1,
              .max = kBulkMax,
              .item_min = 1,
              .item_max = kTrackIdMax,
              .description = "Ids of several tracks to add, all or none.",
              .example = R"(["example-1042","example-7"])"},
    ignored_beside(kNote, "tracks"),
    ignored_beside(kModifications, "tracks"),
    kRevision,
};
constexpr std::array<string_view, 2> kItemsChoice{"track", "tracks"};

constexpr std::array kItemChangeFields{
    kNote,
    kModifications,
    BodyField{.name = "position",
              .type = integer,
              .required = false,
              .description = "Where to move it, from 0; past the end means last.",
              .example = "0"},
    kRevision,
};
constexpr std::array<string_view, 3> kItemChanges{"note", "modifications", "position"};

constexpr std::array kOrderFields{
    BodyField{.name = "tracks",
              .type = strings,
              .item_min = 1,
              .item_max = kTrackIdMax,
              .description = "Ids of all tracks of the collection, each once, in their new order.",
              .example = R"(["example-7","example-1042"])"},
    kRevision,
};

std::string listed(std::span<const string_view> values) {
  std::string text;
  for (const string_view value : values) {
    if (!text.empty()) text += ", ";
    text += value;
  }
  return text;
}

/// "at least 1", "at most 500", "1 to 25", or nothing
std::string bounds(std::int64_t min, std::int64_t max) {
  if (max == kUnbounded) return min == 0 ? std::string() : "at least " + std::to_string(min);
  if (min == 0) return "at most " + std::to_string(max);
  return std::to_string(min) + " to " + std::to_string(max);
}

std::string accepted_text(const BodyField& field) {
  if (!field.values.empty()) return "one of " + listed(field.values);
  std::string text = "a string";
  if (const std::string length = bounds(field.min, field.max); !length.empty()) text += " of " + length + " characters";
  if (field.text == BodyText::name) text += " without control and direction-override characters";
  if (field.text == BodyText::note) text += " without control characters other than line breaks and tabs";
  return text;
}

std::string accepted_texts(const BodyField& field) {
  std::string text = "an array of";
  if (const std::string count = bounds(field.min, field.max); !count.empty()) text += ' ' + count;
  if (!field.values.empty()) return text + " strings, each one of " + listed(field.values);
  const std::string length = bounds(field.item_min, field.item_max);
  return text + " strings" + (length.empty() ? std::string() : " of " + length + " characters");
}

std::string accepted_number(const BodyField& field) {
  if (field.max == kUnbounded) return "a whole number, " + std::to_string(field.min) + " or more";
  return "a whole number from " + bounds(field.min, field.max);
}

}  // namespace

const BodyType kNoBody{};
const BodyType kPlanBody{kPlanFields};
const BodyType kSessionBody{kSessionFields};
const BodyType kCollectionBody{kCollectionFields};
const BodyType kCollectionChangeBody{.fields = kCollectionChangeFields, .at_least_one_of = kCollectionChanges};
const BodyType kItemsBody{.fields = kItemsFields, .exactly_one_of = kItemsChoice};
const BodyType kItemChangeBody{.fields = kItemChangeFields, .at_least_one_of = kItemChanges};
const BodyType kOrderBody{kOrderFields};

std::string accepts(const BodyField& field) {
  std::string text;
  switch (field.type) {
    case integer:
      text = accepted_number(field);
      break;
    case boolean:
      text = "true or false";
      break;
    case strings:
      text = accepted_texts(field);
      break;
    case string:
      text = accepted_text(field);
      break;
    default:
      text = "an object";
      break;
  }
  return field.nullable == Nullable::yes ? text + ", or null" : text;
}

}  // namespace tonearm::table
