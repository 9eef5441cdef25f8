#include "output/listings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "output/json_values.h"
#include "output/table.h"
#include "tonearm/terminal.h"

namespace tonearm::cli {
namespace {

namespace json = boost::json;

/// More than a catalog has: bounds numbers of the server, which is untrusted.
constexpr std::int64_t kTracksMax = 1'000'000'000'000;

std::string or_dash(std::string text) { return text.empty() ? "-" : std::move(text); }

/// "3:05"
std::string duration(const json::object& track) {
  const auto* const value = find(track, {"duration_s"});
  if (value == nullptr || !value->is_number()) return "-";
  constexpr double kSecondsMax = 1e9;
  const auto seconds = static_cast<std::int64_t>(std::clamp(value->to_number<double>(), 0.0, kSecondsMax));
  return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

Cell commercial(const json::object& track) {
  const auto allowed = bool_at(track, {"terms", "commercial"});
  if (!allowed) return std::string("-");
  return *allowed ? Cell("yes", Color::good) : Cell("no", Color::bad);
}

std::string table_text(const Table& table, const Screen& screen) {
  return table.is_empty() ? "nothing\n" : table.text(screen);
}

// ---- Tracks

/// Returns a line for the tracks of a search that have `words` of its words, or nothing for those that have all.
std::string words_line(std::int64_t words, std::int64_t words_of_search) {
  if (words == words_of_search) return {};
  if (words == 0) return "Related tracks: they have none of the words";
  return fmt::format("Tracks with {} of {} words", words, words_of_search);
}

/// Returns the position of a page's first of `count` tracks in the whole result: a page ends at its cursor, or at the
/// total.
std::int64_t page_start(const json::object& answer, std::int64_t count) {
  std::int64_t end = number_at(answer, {"total"});
  if (const std::string cursor = text_at(answer, {"cursor"}); !cursor.empty()) {
    std::from_chars(cursor.data(), cursor.data() + cursor.size(), end);
  }
  return std::clamp(end, count, kTracksMax) - count;
}

/// CLI-14. Returns the line before each of the page's tracks; for most an empty one.
std::vector<std::string> lines_before(const json::object& answer, std::size_t tracks) {
  std::vector<std::string> lines(tracks);
  const auto words = number_at(answer, {"words"});
  const auto count = static_cast<std::int64_t>(tracks);
  std::int64_t begin = -page_start(answer, count);  // of the tier, on the page
  for (const auto* const tier : objects_at(answer, {"matched"})) {
    const std::int64_t end = begin + std::clamp(number_at(*tier, {"total"}), std::int64_t{0}, kTracksMax);
    if (begin >= count) break;
    if (end > 0 && end > begin) {
      lines[static_cast<std::size_t>(std::max(begin, std::int64_t{0}))] =
          words_line(number_at(*tier, {"words"}), words);
    }
    begin = end;
  }
  return lines;
}

Table table_of_tracks(const json::object& answer) {
  const std::vector<const json::object*> tracks = objects_at(answer, {"tracks"});
  Table table({{"ID"},
               {"TITLE"},
               {"ARTIST"},
               {"LENGTH", Shrink::never},
               {"LICENSE"},
               {"COMMERCIAL", Shrink::never},
               {"CREDIT", Shrink::never}});
  const std::vector<std::string> lines = lines_before(answer, tracks.size());
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const auto* const track = tracks[i];
    if (!lines[i].empty()) table.add_line(lines[i]);
    table.add({text_at(*track, {"id"}), or_dash(text_at(*track, {"title"})), or_dash(text_at(*track, {"artist"})),
               duration(*track), or_dash(text_at(*track, {"license", "name"})), commercial(*track),
               or_dash(text_at(*track, {"attribution"}))});
  }
  return table;
}

std::string facets_text(const json::object& answer, const Screen& screen) {
  const auto* const facets = find(answer, {"facets"});
  if (facets == nullptr || !facets->is_object()) return {};
  Table table({{"FILTER", Shrink::never}, {"VALUE"}, {"LABEL"}, {"TRACKS", Shrink::never}});
  for (const auto& facet : facets->get_object()) {
    const std::string_view name(facet.key().data(), facet.key().size());
    for (const auto* const value : objects_at(facets->get_object(), {name})) {
      table.add({std::string(name), text_at(*value, {"id"}), text_at(*value, {"label"}), text_at(*value, {"count"})});
    }
  }
  std::string out;
  if (!table.is_empty()) out.append("\n").append(table.text(screen));
  return out;
}

std::string page_notes(const json::object& answer) {
  std::string notes;
  if (const auto total = text_at(answer, {"total"}); !total.empty()) notes += total + " in all";
  if (const auto cursor = text_at(answer, {"cursor"}); !cursor.empty()) notes += "; the next page: --cursor " + cursor;
  if (!notes.empty()) notes = note(notes);
  for (const auto* const suggestion : objects_at(answer, {"suggestions"})) {
    notes += note("perhaps: " + text_at(*suggestion, {"message"}));
  }
  if (const auto* const missing = find(answer, {"missing"}); missing != nullptr && missing->is_array()) {
    for (const auto& id : missing->get_array()) {
      if (id.is_string()) notes += note("no track has the id " + std::string(id.get_string()));
    }
  }
  return notes;
}

Listing tracks_listing(const json::object& answer, const Screen& screen) {
  const auto table = table_of_tracks(answer);
  return {table_text(table, screen) + facets_text(answer, screen), page_notes(answer)};
}

/// "calm, dreamy"
std::string joined(const json::value& array) {
  std::string text;
  for (const auto& item : array.as_array()) {
    if (item.is_string()) text.append(text.empty() ? "" : ", ").append(std::string(item.get_string()));
  }
  return text;
}

/// Returns a line for each field that is present: "license  CC BY 4.0".
std::string rows_text(const std::vector<std::pair<std::string, std::string>>& rows, const Screen& screen) {
  std::size_t width = 0;
  for (const auto& [name, value] : rows) width = std::max(width, display_width(terminal::line(name)));
  std::string out;
  for (const auto& [name, value] : rows) {
    if (value.empty()) continue;
    const auto shown = terminal::line(name);
    out += colored(screen, Color::heading, shown) + std::string(width + 2 - display_width(shown), ' ') +
           terminal::line(value) + '\n';
  }
  return out;
}

Listing track_listing(const json::object& track, const Screen& screen) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto name : {"id", "title", "artist", "kind", "description"})
    rows.emplace_back(name, text_at(track, {name}));
  rows.emplace_back("length", duration(track));
  rows.emplace_back("bpm", text_at(track, {"bpm"}));
  if (const auto* const tags = find(track, {"tags"}); tags != nullptr && tags->is_object()) {
    for (const auto& facet : tags->get_object()) {
      if (facet.value().is_array()) rows.emplace_back(std::string(facet.key()), joined(facet.value()));
    }
  }
  rows.emplace_back("category", text_at(track, {"category", "label"}));
  rows.emplace_back("license", text_at(track, {"license", "name"}));
  rows.emplace_back("license text", text_at(track, {"license", "url"}));
  rows.emplace_back("license status", text_at(track, {"license", "status"}));
  const auto yes_or_no = [&](std::string_view term) {
    const auto value = bool_at(track, {"terms", term});
    return std::string(!value ? "" : *value ? "yes" : "no");
  };
  rows.emplace_back("commercial use", yes_or_no("commercial"));
  rows.emplace_back("share alike", yes_or_no("share_alike"));
  rows.emplace_back("credit", text_at(track, {"attribution"}));
  rows.emplace_back("credit line", text_at(track, {"credit_line"}));
  for (const auto name : {"source_page", "preview_url", "original_url", "page_url"}) {
    rows.emplace_back(name, text_at(track, {name}));
  }
  return {rows_text(rows, screen), {}};
}

// ---- Catalog and account

void add_values(Table& table, const std::string& filter, const json::object& parent, std::string_view name) {
  for (const auto* const value : objects_at(parent, {name})) {
    table.add({filter, text_at(*value, {"id"}), text_at(*value, {"label"})});
  }
}

Listing filters_listing(const json::object& answer, const Screen& screen) {
  Table table({{"FILTER", Shrink::never}, {"VALUE"}, {"LABEL"}});
  for (const std::string_view kind : {"music", "sfx"}) {
    const auto* const facets = find(answer, {"facets", kind});
    if (facets == nullptr || !facets->is_object()) continue;
    for (const auto& facet : facets->get_object()) {
      const std::string_view name(facet.key().data(), facet.key().size());
      const auto filter = fmt::format("{} ({})", name == "categories" ? "category" : name, kind);
      if (const auto* const groups = facet.value().if_object()) {
        add_values(table, filter, *groups, "groups");
        add_values(table, filter, *groups, "values");
      } else {
        add_values(table, filter, facets->get_object(), name);
      }
    }
  }
  for (const auto* const license : objects_at(answer, {"licenses"})) {
    table.add({std::string("license"), text_at(*license, {"id"}), text_at(*license, {"name"})});
  }
  for (const auto* const source : objects_at(answer, {"sources"})) {
    table.add({std::string("source"), text_at(*source, {"id"}), text_at(*source, {"name"})});
  }
  for (const auto* const creator : objects_at(answer, {"creators"})) {
    table.add({std::string("creator"), text_at(*creator, {"name"}), text_at(*creator, {"track_count"}) + " tracks"});
  }
  return {table_text(table, screen), {}};
}

Listing usage_listing(const json::object& answer, const Screen& screen) {
  Table limits({{"LIMIT"}, {"CALLS"}, {"LEFT"}, {"STARTS AGAIN"}});
  for (const auto* const limit : objects_at(answer, {"limits"})) {
    limits.add({text_at(*limit, {"limit"}), text_at(*limit, {"quota"}), text_at(*limit, {"remaining"}),
                text_at(*limit, {"reset_at"})});
  }
  Table days({{"DAY"}, {"CALLS"}});
  for (const auto* const day : objects_at(answer, {"days"})) {
    days.add({text_at(*day, {"date"}), text_at(*day, {"calls"})});
  }
  std::string out = rows_text({{"plan", text_at(answer, {"plan"})},
                               {"keys", text_at(answer, {"keys"})},
                               {"collections", text_at(answer, {"collections"})}},
                              screen);
  if (!limits.is_empty()) out.append("\n").append(limits.text(screen));
  if (!days.is_empty()) out.append("\n").append(days.text(screen));
  return {out, {}};
}

// ---- Collections

std::string yes_or_empty(const json::object& object, std::string_view name) {
  return bool_at(object, {name}).value_or(false) ? "yes" : "";
}

std::string counted(const json::object& object, std::string_view name) {
  const auto text = text_at(object, {name});
  return text == "0" ? "" : text;
}

Listing collections_listing(const json::object& answer, const Screen& screen) {
  Table table(
      {{"ID", Shrink::never}, {"NAME"}, {"TRACKS"}, {"COMMERCIAL"}, {"LICENSES CHANGED"}, {"MISSING"}, {"UPDATED"}});
  for (const auto* const row : objects_at(answer, {"collections"})) {
    table.add({text_at(*row, {"id"}), text_at(*row, {"name"}), text_at(*row, {"track_count"}),
               yes_or_empty(*row, "commercial"), counted(*row, "license_changed"), counted(*row, "missing"),
               text_at(*row, {"updated"})});
  }
  return {table_text(table, screen), {}};
}

Cell item_state(const json::object& item) {
  if (find(item, {"track"}) == nullptr) return {"no longer in the catalog", Color::doubtful};
  if (bool_at(item, {"license_changed"}).value_or(false)) return {"license changed", Color::bad};
  return std::string();
}

Listing collection_listing(const json::object& answer, const Screen& screen) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto name : {"id", "name", "commercial", "revision", "track_count", "updated"}) {
    rows.emplace_back(name, text_at(answer, {name}));
  }
  rows.emplace_back("read only", yes_or_empty(answer, "read_only"));
  std::string out = rows_text(rows, screen);
  Table table({{"TRACK"}, {"TITLE"}, {"ARTIST"}, {"LICENSE"}, {"CREDIT", Shrink::never}, {"NOTE"}, {""}});
  for (const auto* const item : objects_at(answer, {"items"})) {
    table.add({text_at(*item, {"track_id"}), text_at(*item, {"license_record", "title"}),
               text_at(*item, {"license_record", "artist"}), text_at(*item, {"license_record", "license", "name"}),
               text_at(*item, {"license_record", "attribution"}), text_at(*item, {"note"}), item_state(*item)});
  }
  if (!table.is_empty()) out.append("\n").append(table.text(screen));
  return {out, {}};
}

Listing changes_listing(const json::object& answer, const Screen& screen) {
  Table table({{"COLLECTION"}, {"TRACK"}, {"RECORDED"}, {"NOW"}});
  for (const auto* const row : objects_at(answer, {"changes"})) {
    const bool is_missing = bool_at(*row, {"missing"}).value_or(false);
    table.add({text_at(*row, {"collection_name"}), text_at(*row, {"track_id"}),
               text_at(*row, {"recorded", "license", "name"}),
               is_missing ? "no longer in the catalog" : text_at(*row, {"current", "license", "name"})});
  }
  return {table_text(table, screen), page_notes(answer)};
}

Listing fields_listing(const json::object& answer, const Screen& screen) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& field : answer) {
    const std::string_view name(field.key().data(), field.key().size());
    rows.emplace_back(std::string(name), text_at(answer, {name}));
  }
  return {rows_text(rows, screen), {}};
}

}  // namespace

std::string clock_text(double seconds) {
  const auto whole = std::llround(seconds);
  return fmt::format("{}:{:02}:{:02}", whole / 3'600, whole % 3'600 / 60, whole % 60);
}

std::string note(std::string_view text) { return terminal::line(text) + '\n'; }

Listing format_answer(const json::object& answer, Shape shape, const Screen& screen) {
  switch (shape) {
    case Shape::tracks:
      return tracks_listing(answer, screen);
    case Shape::track:
      return track_listing(answer, screen);
    case Shape::filters:
      return filters_listing(answer, screen);
    case Shape::usage:
      return usage_listing(answer, screen);
    case Shape::collections:
      return collections_listing(answer, screen);
    case Shape::collection:
      return collection_listing(answer, screen);
    case Shape::changes:
      return changes_listing(answer, screen);
    case Shape::credits:
      return {terminal::lines(text_at(answer, {"text"})), {}};
    case Shape::receipts:
    case Shape::release_log:
    case Shape::fields:
      break;
  }
  return fields_listing(answer, screen);
}

}  // namespace tonearm::cli
