#include "table/bodies.h"

#include <array>

#include "domain/fingerprint.h"
#include "reflection/describe_bodies.h"
#include "reflection/parameters.h"
#include "tonearm/sql.h"

namespace tonearm::table {
namespace {

using enum FieldType;
using std::string_view;

constexpr std::uint32_t kBulkMax = 25;

constexpr BodyRows kPlan(body_field<&PlanBody::plan>("plan", {.values = kPlanNames}, "The plan.", R"("free")"));

constexpr BodyRows kSession(body_field<&SessionBody::ttl_s>("ttl_s",
                                                            {.required = false, .min = 1, .max = kSessionSecondsMax},
                                                            "Seconds until the session ends; the default is the most.",
                                                            "3600"));

constexpr BodyRows kMove(body_field<&MoveBody::database>("database", {.min = 1, .max = sql::kDatabasesMax},
                                                         "The number of the database to which the account is moved.",
                                                         "2"));

constexpr std::int64_t kReasonMax = 500;
constexpr BodyRows kTakeDown(
    body_field<&TakeDownBody::track_id>("track_id", {.min = 1, .max = kTrackIdMax, .aliases = "id track"},
                                        "Id of the track.", R"("example-1042")"),
    body_field<&TakeDownBody::reason>("reason", {.min = 1, .max = kReasonMax, .aliases = "note why"},
                                      "Why, for the operator alone.", R"("Claim of 2026-01-14")"),
    body_field<&TakeDownBody::added>("added", {.required = false}, "When it was taken down (UTC), if not now.",
                                     R"("2026-01-15T12:00:00Z")"));

// ---- Collections (docs/spec/collections.md)

template <auto... Name>
constexpr auto name_field(BodyRule rule) {
  rule.min = 1;
  rule.max = kCollectionNameMax;
  rule.text = BodyText::name;
  rule.aliases = "title label collection_name";
  return body_field<Name...>("name", rule, "Its name; white space around it is cut off.", R"("Rainy evenings")");
}
template <auto... Commercial>
constexpr auto commercial_field() {
  return body_field<Commercial...>("commercial", {.required = false, .aliases = "is_commercial commercial_use"},
                                   "Whether it is for commercial use.", "false");
}
template <auto Revision>
constexpr auto revision_field(BodyRule rule = {.required = false}) {
  rule.min = 1;
  return body_field<Revision>("revision", rule, "The revision that the change is meant for: another one is refused.",
                              "3");
}
/// A text that the account writes: empty or null clears it.
template <auto... Text>
constexpr auto note_field(string_view name, std::int64_t max, string_view ignored_beside, string_view description,
                          string_view example) {
  return body_field<Text...>(name,
                             {.required = false,
                              .nullable = Nullable::yes,
                              .max = max,
                              .text = BodyText::note,
                              .ignored_beside = ignored_beside},
                             description, example);
}
template <auto... Note>
constexpr auto item_note(string_view ignored_beside = {}) {
  return note_field<Note...>("note", kNoteMax, ignored_beside, "A note of your own; empty or null clears it.",
                             R"("for the opening")");
}

constexpr BodyRows kModificationRows(
    body_field<&Modifications::chips>("chips", {.required = false, .values = kChipNames},
                                      "What was done to the track: a set.", R"(["trimmed","looped"])"),
    note_field<&Modifications::text>("text", kModificationTextMax, {}, "What was done to it, in words.",
                                     R"("fades out early")"));
constexpr Body<Modifications> kModificationsBody = body_of(kModificationRows);

template <auto... Changes>
constexpr auto item_modifications(string_view ignored_beside = {}) {
  return body_field<Changes...>(
      "modifications", kModificationsBody,
      {.required = false, .nullable = Nullable::yes, .ignored_beside = ignored_beside, .aliases = "changes edits"},
      "How the track was changed; replaces what stood there, null clears it.", R"({"chips":["trimmed"]})");
}

constexpr BodyRows kCollection(name_field<&CollectionBody::name>({}), commercial_field<&CollectionBody::commercial>());

constexpr BodyRows kCollectionChange(revision_field<&CollectionChangeBody::revision>({}),
                                     name_field<&CollectionChangeBody::settings, &Settings::name>({.required = false}),
                                     commercial_field<&CollectionChangeBody::settings, &Settings::commercial>());
constexpr std::array<string_view, 2> kCollectionChanges{"name", "commercial"};

constexpr BodyRows kItems(
    body_field<&ItemsBody::track>("track", {.required = false, .min = 1, .max = kTrackIdMax, .aliases = "track_id id"},
                                  "Id of one track to add.", R"("example-1042")"),
    body_field<&ItemsBody::tracks>("tracks",
                                   {.required = false,
                                    .min = 1,
                                    .max = kBulkMax,
                                    .item_min = 1,
                                    .item_max = kTrackIdMax,
                                    .aliases = "track_ids ids items"},
                                   "Ids of several tracks to add, all or none.", R"(["example-1042","example-7"])"),
    item_note<&ItemsBody::note>("tracks"), item_modifications<&ItemsBody::modifications>("tracks"),
    revision_field<&ItemsBody::revision>());
constexpr std::array<string_view, 2> kItemsChoice{"track", "tracks"};

constexpr BodyRows kItemChange(item_note<&ItemChangeBody::change, &ItemChange::note>(),
                               item_modifications<&ItemChangeBody::change, &ItemChange::modifications>(),
                               body_field<&ItemChangeBody::change, &ItemChange::position>(
                                   "position", {.required = false, .aliases = "index order place"},
                                   "Where to move it, from 0; past the end means last.", "0"),
                               revision_field<&ItemChangeBody::revision>());
constexpr std::array<string_view, 3> kItemChanges{"note", "modifications", "position"};

constexpr BodyRows kOrder(
    body_field<&OrderBody::tracks>("tracks",
                                   {.item_min = 1, .item_max = kTrackIdMax, .aliases = "track_ids ids items order"},
                                   "Ids of all tracks of the collection, each once, in their new order.",
                                   R"(["example-7","example-1042"])"),
    revision_field<&OrderBody::revision>());

// ---- Files whose tracks are searched for (CREDIT-12)

constexpr std::int64_t kFilesMax = 100;
constexpr std::int64_t kFileNameMax = 1'024;
constexpr std::int64_t kAddressMax = 2'048;
constexpr std::int64_t kFingerprintMax = 8'192;
constexpr std::int64_t kDurationSecondsMax = 49 * 86'400;

constexpr BodyRule optional_text(std::int64_t min, std::int64_t max, BodyText text) {
  return {.required = false, .nullable = Nullable::yes, .min = min, .max = max, .text = text};
}

constexpr BodyRows kFileRows(
    body_field<&FileBody::name>("name", {.min = 1, .max = kFileNameMax}, "Its name, with or without its folder.",
                                R"("104183__ada__morning-rain.wav")"),
    body_field<&FileBody::url>("url", optional_text(1, kAddressMax, BodyText::web_address),
                               "Where it is from: the address of the file, or of the track's page.",
                               R"("https://example.org/tracks/1042")"),
    body_field<&FileBody::sha256>("sha256", optional_text(64, 64, BodyText::sha256), "The SHA-256 of its bytes.",
                                  R"("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")"),
    body_field<&FileBody::duration_s>(
        "duration_s", {.required = false, .nullable = Nullable::yes, .min = 0, .max = kDurationSecondsMax},
        "How long it is, in seconds.", "183.5"),
    body_field<&FileBody::fingerprint>(
        "fingerprint", optional_text(1, kFingerprintMax, BodyText::fingerprint),
        "Chromaprint's fingerprint of at most the first two minutes, as fpcalc prints it.",
        R"("AQAABUmiREmiKJKSKAgUjUqybFkQMMkiUeEG")"));
constexpr Body<FileBody> kFileBody = body_of(kFileRows);

constexpr BodyRows kFiles(body_field<&FilesBody::files>("files", kFileBody, {.min = 1, .max = kFilesMax}, "The files.",
                                                        R"([{"name":"Ada Example - Morning Rain.mp3"}])"));

// ---- Pieces of a mix in which tracks are searched for (CREDIT-29)

constexpr std::int64_t kPiecesMax = 4;

constexpr BodyRows kPieceRows(body_field<&PieceBody::fingerprint>(
    "fingerprint", {.min = 1, .max = kFingerprintMax, .text = BodyText::fingerprint},
    "Chromaprint's fingerprint of the piece, of about two minutes at most.",
    R"("AQAABUmiREmiKJKSKAgUjUqybFkQMMkiUeEG")"));
constexpr Body<PieceBody> kPieceBody = body_of(kPieceRows);

constexpr BodyRows kPieces(body_field<&PiecesBody::pieces>(
    "pieces", kPieceBody, {.min = 1, .max = kPiecesMax}, "Pieces of a film or another mix.",
    R"([{"fingerprint":"AQAABUmiREmiKJKSKAgUjUqybFkQMMkiUeEG"}])"));

/// Returns "at least 1", "at most 500", "1 to 25", or an empty text.
std::string bounds(std::int64_t min, std::int64_t max) {
  if (max == kUnbounded) return min == 0 ? std::string() : "at least " + std::to_string(min);
  if (min == 0) return "at most " + std::to_string(max);
  return std::to_string(min) + " to " + std::to_string(max);
}

std::string accepted_text(const BodyField& field) {
  if (!field.values.empty()) return "one of " + comma_list(field.values);
  if (field.text == BodyText::sha256) return "64 hexadecimal digits";
  std::string text = "a string";
  if (field.text == BodyText::fingerprint) {
    text = "a compressed Chromaprint fingerprint of algorithm 1 and at most " + std::to_string(kFingerprintValuesMax) +
           " values, in base64";
  }
  if (field.text == BodyText::web_address) text = "an http or https address";
  if (const std::string length = bounds(field.min, field.max); !length.empty()) text += " of " + length + " characters";
  if (field.text == BodyText::name) text += ", one of them visible, without control and direction-override characters";
  if (field.text == BodyText::note) text += " without control characters other than line breaks and tabs";
  return text;
}

std::string accepted_texts(const BodyField& field) {
  std::string text = "an array of";
  if (const std::string count = bounds(field.min, field.max); !count.empty()) text += ' ' + count;
  if (!field.values.empty()) return text + " strings, each one of " + comma_list(field.values);
  const std::string length = bounds(field.item_min, field.item_max);
  return text + " strings" + (length.empty() ? std::string() : " of " + length + " characters");
}

std::string accepted_objects(const BodyField& field) {
  return "an array of " + bounds(field.min, field.max) + " objects";
}

std::string accepted_number(const BodyField& field) {
  if (field.type == number) {
    return "a number above " + std::to_string(field.min) + ", at most " + std::to_string(field.max);
  }
  if (field.max == kUnbounded) return "a whole number, " + std::to_string(field.min) + " or more";
  return "a whole number from " + bounds(field.min, field.max);
}

}  // namespace

const Body<NoBody> kNoBody{};
const Body<PlanBody> kPlanBody = body_of(kPlan);
const Body<SessionBody> kSessionBody = body_of(kSession);
const Body<MoveBody> kMoveBody = body_of(kMove);
const Body<TakeDownBody> kTakeDownBody = body_of(kTakeDown);
const Body<CollectionBody> kCollectionBody = body_of(kCollection);
const Body<CollectionChangeBody> kCollectionChangeBody =
    body_of(kCollectionChange, {.at_least_one_of = kCollectionChanges});
const Body<ItemsBody> kItemsBody = body_of(kItems, {.exactly_one_of = kItemsChoice});
const Body<ItemChangeBody> kItemChangeBody = body_of(kItemChange, {.at_least_one_of = kItemChanges});
const Body<OrderBody> kOrderBody = body_of(kOrder);
const Body<FilesBody> kFilesBody = body_of(kFiles, {}, kBodyBytesMax);
const Body<PiecesBody> kPiecesBody = body_of(kPieces);

std::string accepts(const BodyField& field) {
  std::string text;
  switch (field.type) {
    case integer:
    case number:
      text = accepted_number(field);
      break;
    case objects:
      text = accepted_objects(field);
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
