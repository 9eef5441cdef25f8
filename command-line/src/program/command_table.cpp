#include "program/command_table.h"

#include <algorithm>
#include <array>

#include "table/arguments.h"
#include "table/credits_files.h"

namespace tonearm::cli {
namespace {

using settings::Layers;
using settings::Option;
using settings::Presence;
using settings::Type;
using table::Parameter;
using table::ParameterType;

constexpr std::array kOptions{
    Option{.name = "api", .value = "URL", .help = "Address of the API", .standard = "http://127.0.0.1:8081"},
    Option{.name = "key-file", .value = "FILE", .help = "Holds your API key; readable by you alone (chmod 600)"},
    Option{.name = "ca-file", .value = "FILE", .help = "PEM certificates to trust in place of the system's"},
    Option{
        .name = "json", .type = Type::on_off, .help = "Print JSON, even on a terminal", .layers = Layers::flag_alone},
    Option{.name = "table",
           .type = Type::on_off,
           .help = "Print a table, even if stdout is not a terminal",
           .layers = Layers::flag_alone},
    Option{.name = "no-color", .type = Type::on_off, .help = "Print without colors", .layers = Layers::flag_alone},
};

constexpr Option kCollection{.name = "COLLECTION", .help = "col_..., as collection list shows it"};
constexpr Option kTrack{.name = "TRACK", .help = "Id of a track"};
constexpr Option kTracks{.name = "TRACK", .type = Type::list, .help = "Ids of tracks", .presence = Presence::required};
constexpr Option kWords{.name = "WORD", .type = Type::list, .help = "Words for mood, genre, instrument, title or use"};
constexpr Option kName{.name = "NAME", .help = "Its name"};
constexpr Option kPath{.name = "PATH",
                       .help =
                           "A folder, an audio file, a film or mix (.mp4, .mov, .mkv, .webm, .m4a), or an edit list "
                           "(.otio, .fcpxml, .xml, .edl)"};

constexpr Option kNewName{.name = "name", .value = "NAME", .help = "A new name", .layers = Layers::flag_alone};
constexpr Option kCommercial{.name = "commercial",
                             .type = Type::on_off,
                             .help = "For commercial use: rejects non-commercial tracks; =false allows them",
                             .layers = Layers::flag_alone};
constexpr Option kRevision{.name = "revision",
                           .type = Type::number,
                           .value = "N",
                           .help = "Change nothing if the collection is at another revision",
                           .bounds = {1, table::kRevisionMax},
                           .layers = Layers::flag_alone};
constexpr Option kYes{
    .name = "yes", .type = Type::on_off, .help = "Yes, delete it for good", .layers = Layers::flag_alone};
constexpr Option kHeading{.name = "heading",
                          .value = "TEXT",
                          .help = "Replaces the first heading of the credits",
                          .layers = Layers::flag_alone};
constexpr Option kFormat{.name = "format",
                         .value = "NAME",
                         .help = "Print only the credits, in this format",
                         .choices = table::kCreditsFormats,
                         .layers = Layers::flag_alone};

/// The formats of the API, and that of an edit's cue sheet.
constexpr auto kProjectFormats = [] {
  std::array<std::string_view, table::kCreditsFormats.size() + 1> formats{};
  std::copy(table::kCreditsFormats.begin(), table::kCreditsFormats.end(), formats.begin());
  formats.back() = "cue-sheet";
  return formats;
}();
constexpr Option kProjectFormat{
    .name = "format",
    .value = "NAME",
    .help = "Print only the credits, in this format; cue-sheet: CSV of an edit list or film",
    .choices = kProjectFormats,
    .layers = Layers::flag_alone};
constexpr Option kReceipts{.name = "receipts",
                           .value = "FILE",
                           .help = "Also write the license receipts of the credited tracks, one on each line",
                           .layers = Layers::flag_alone};
constexpr std::array<std::string_view, 8> kFrameRates{"23.976", "24", "25", "29.97", "30", "50", "59.94", "60"};
constexpr Option kFrameRate{.name = "fps",
                            .value = "N",
                            .help = "Frames per second of an EDL, which does not state them",
                            .standard = "25",
                            .choices = kFrameRates};

constexpr std::array<std::string_view, 2> kUses{"commercial", "non-commercial"};
constexpr Option kUse{
    .name = "use", .value = "USE", .help = "What the project is for", .standard = "commercial", .choices = kUses};
constexpr std::uint64_t kScoreMax = 100;
constexpr Option kMinScore{
    .name = "min-score",
    .type = Type::number,
    .value = "N",
    .help = "Minimum score of a match: 99 by sound (90 in a film), 98 by bytes, 50 to 85 by name",
    .standard = "70",
    .bounds = {0, kScoreMax}};
constexpr Option kIgnore{.name = "ignore",
                         .type = Type::list,
                         .value = "PATTERN",
                         .help = "Skip files or folders of your own: * within a folder, ** anywhere"};

constexpr Option kNote{
    .name = "note", .value = "TEXT", .help = "A note of your own; empty clears it", .layers = Layers::flag_alone};
constexpr Option kChips{.name = "changes",
                        .value = "LIST",
                        .help = "Modifications, separated by commas: trimmed, loudness adjusted, looped, edited",
                        .layers = Layers::flag_alone};
constexpr Option kChangesText{
    .name = "changes-text", .value = "TEXT", .help = "Other modifications", .layers = Layers::flag_alone};
constexpr Option kPosition{.name = "position",
                           .type = Type::number,
                           .value = "N",
                           .help = "Where to move it, from 0",
                           .bounds = {0, kCollectionTracksMax},
                           .layers = Layers::flag_alone};

constexpr std::uint64_t kLoginSecondsMax = 3'600;
constexpr Option kNoBrowser{.name = "no-browser",
                            .type = Type::on_off,
                            .help = "Print the address of the page, but do not open it",
                            .layers = Layers::flag_alone};
constexpr Option kWait{.name = "wait",
                       .type = Type::number,
                       .value = "SECONDS",
                       .help = "How long to wait for you to sign in",
                       .standard = "300",
                       .bounds = {1, kLoginSecondsMax},
                       .layers = Layers::flag_alone};

constexpr Option kReceiptFile{.name = "FILE", .help = "A license receipt, or a file with one on each line"};
constexpr Option kLogFile{.name = "FILE", .help = "The log of a catalog's releases"};
constexpr Option kHead{.name = "head",
                       .value = "HASH",
                       .help = "The hash of the last line when you read the log before: it must still be there",
                       .layers = Layers::flag_alone};
constexpr Option kLoggedReceipts{.name = "receipt",
                                 .value = "FILE",
                                 .help = "Receipts, as of verify-receipt, whose catalogs must be in the log",
                                 .layers = Layers::flag_alone};
constexpr Option kPublicKey{.name = "key",
                            .value = "FILE",
                            .help = "The public key of the catalog's publisher (PEM)",
                            .presence = Presence::required,
                            .layers = Layers::flag_alone};

constexpr std::array kSections{
    settings::Section{"Examples",
                      "  tonearm login --api https://tonearm.example\n"
                      "  tonearm search rain on a roof --commercial --limit 5\n"
                      "  tonearm track example-1042\n"
                      "  tonearm collection create 'Rainy evenings'\n"
                      "  tonearm credits game/assets --use commercial\n"
                      "  tonearm credits game/assets --format markdown > CREDITS.md\n"
                      "  tonearm verify-receipt receipt.json --key publisher.pem\n"
                      "  tonearm verify-log catalog-log.jsonl --key publisher.pem --receipt receipt.json"},
    settings::Section{"Environment",
                      "  TONEARM_API      the address of the API, as --api\n"
                      "  TONEARM_API_KEY  your API key, where no file is named; otherwise the login is used, or\n"
                      "                   the file tonearm/key in XDG_CONFIG_HOME or ~/.config\n"
                      "  NO_COLOR         no colors\n"
                      "  https_proxy      a proxy; no_proxy the hosts that need none"},
};
constexpr std::string_view kExitStatus =
    "0: success. 1: credits found a file that is unknown or not allowed, or verify-receipt or verify-log one that\n"
    "  proves nothing. 2: wrong usage. 3: the server is unreachable or returned an error. 4: other failure.";

std::vector<CommandRow> all_rows() {
  constexpr std::string_view kOne = "/v1/collections/{COLLECTION}";
  constexpr std::string_view kItems = "/v1/collections/{COLLECTION}/items";
  constexpr std::string_view kItem = "/v1/collections/{COLLECTION}/items/{TRACK}";
  const auto query = [](const table::ParameterTable& of) { return of.query; };
  return {
      {"login",
       "Sign in with a browser, instead of with an API key",
       {},
       {},
       Shape::fields,
       {},
       {},
       {kNoBrowser, kWait}},
      {"logout", "End the login, and delete its tokens", {}, {}, Shape::fields},
      {"search",
       "Search tracks: those with all words, then with fewer, then related ones",
       "GET",
       "/v1/search",
       Shape::tracks,
       {},
       {kWords},
       {},
       query(table::kSearchParameters)},
      {"track", "Show tracks by their ids", "GET", "/v1/tracks", Shape::track, {}, {kTracks}},
      {"similar",
       "Find tracks like a track",
       "GET",
       "/v1/tracks/{TRACK}/similar",
       Shape::tracks,
       {kTrack},
       {},
       {},
       query(table::kSimilarParameters)},
      {"filters",
       "List what searches can be narrowed by",
       "GET",
       "/v1/meta",
       Shape::filters,
       {},
       {},
       {},
       query(table::kMetaParameters)},
      {"usage", "Show the limits of your account, and its calls", "GET", "/v1/usage", Shape::usage},
      {"credits",
       "Identify the tracks in a project, check whether it may be published, and list the credits",
       "POST",
       "/v1/credits/match",
       Shape::credits,
       {kPath},
       {},
       {kUse, kProjectFormat, kHeading, kMinScore, kIgnore, kFrameRate, kReceipts}},
      {"verify-receipt",
       "Check a license receipt without a server, and print what it proves",
       {},
       {},
       Shape::receipts,
       {kReceiptFile},
       {},
       {kPublicKey}},
      {"verify-log",
       "Check without a server that no release was changed or removed from the log of a catalog",
       {},
       {},
       Shape::release_log,
       {kLogFile},
       {},
       {kPublicKey, kHead, kLoggedReceipts}},
      {"collection list", "List your collections", "GET", "/v1/collections", Shape::collections},
      {"collection show", "Show a collection", "GET", kOne, Shape::collection, {kCollection}},
      {"collection create",
       "Create a collection",
       "POST",
       "/v1/collections",
       Shape::collection,
       {kName},
       {},
       {kCommercial}},
      {"collection update",
       "Rename a collection, or set whether it is for commercial use",
       "PATCH",
       kOne,
       Shape::collection,
       {kCollection},
       {},
       {kNewName, kCommercial, kRevision}},
      {"collection delete",
       "Delete a collection and its license records",
       "DELETE",
       kOne,
       Shape::fields,
       {kCollection},
       {},
       {kYes, kRevision}},
      {"collection add", "Add tracks to a collection", "POST", kItems, Shape::collection, {kCollection}, {kTracks}},
      {"collection remove",
       "Remove a track from a collection",
       "DELETE",
       kItem,
       Shape::collection,
       {kCollection, kTrack},
       {},
       {kRevision}},
      {"collection edit",
       "Edit the note of a track in a collection, or move it",
       "PATCH",
       kItem,
       Shape::collection,
       {kCollection, kTrack},
       {},
       {kNote, kChips, kChangesText, kPosition, kRevision}},
      {"collection order",
       "Reorder all tracks of a collection",
       "PUT",
       "/v1/collections/{COLLECTION}/order",
       Shape::collection,
       {kCollection},
       {kTracks},
       {kRevision}},
      {"collection credits",
       "Print the credits of a collection",
       "GET",
       "/v1/collections/{COLLECTION}/credits",
       Shape::credits,
       {kCollection},
       {},
       {kFormat, kHeading}},
      {"collection similar",
       "Find tracks like those of a collection",
       "GET",
       "/v1/collections/{COLLECTION}/similar",
       Shape::tracks,
       {kCollection},
       {},
       {},
       query(table::kCollectionSimilarParameters)},
      {"collection changes",
       "List tracks whose license changed since they were added",
       "GET",
       "/v1/license-changes",
       Shape::changes,
       {},
       {},
       {},
       query(table::kLicenseChangesParameters)},
  };
}

std::string_view value_name(const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::choice:
      return "NAME";
    case ParameterType::digits:
    case ParameterType::cursor:
    case ParameterType::decimal:
      return "N";
    case ParameterType::tempo_range:
      return "MIN-MAX";
    case ParameterType::text:
    case ParameterType::line:
    case ParameterType::seed:
      return "TEXT";
    default:
      return "LIST";
  }
}

}  // namespace

std::string option_name(const Parameter& parameter) {
  std::string name(parameter.name);
  std::ranges::replace(name, '_', '-');
  return name;
}

CommandTable::CommandTable() : rows_(all_rows()) {
  commands_.reserve(rows_.size());
  for (auto& row : rows_) {
    add_parameters(row);
    commands_.push_back({.name = row.name,
                         .help = row.help,
                         .options = row.options,
                         .arguments = row.arguments,
                         .does_without = is_offline(row.shape) ? std::string_view("api") : std::string_view(),
                         .rest = row.rest});
  }
  program_ = {.name = "tonearm",
              .version = TONEARM_VERSION,
              .help = "Finds music and sounds, and shows what their licenses allow and whom to credit",
              .options = kOptions,
              .commands = commands_,
              .exit_status = kExitStatus,
              .sections = kSections};
}

void CommandTable::add_parameters(CommandRow& row) {
  for (const auto& parameter : row.parameters) {
    // The words of the command are q.
    if (!row.rest.empty() && parameter.name == "q") continue;
    const bool is_switch = parameter.type == ParameterType::boolean || parameter.type == ParameterType::boolean_01;
    row.options.push_back(
        {.name = names_.emplace_back(option_name(parameter)),
         .type = is_switch ? Type::on_off : Type::text,
         .value = is_switch ? std::string_view() : value_name(parameter),
         .help = parameter.description,
         .standard = is_switch ? std::string_view() : parameter.default_value,
         .choices = parameter.type == ParameterType::choice ? parameter.values : std::span<const std::string_view>(),
         .layers = Layers::flag_alone});
  }
}

const CommandRow& CommandTable::row(std::string_view name) const {
  return *std::ranges::find(rows_, name, &CommandRow::name);
}

}  // namespace tonearm::cli
