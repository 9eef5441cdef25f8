#include "project/credits_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "output/json_values.h"
#include "output/table.h"
#include "table/credits_files.h"
#include "text/unicode.h"
#include "tonearm/terminal.h"

namespace tonearm::cli {
namespace {

namespace json = boost::json;

std::ptrdiff_t count(const CreditsReport& report, Verdict verdict) {
  return std::ranges::count(report.files, verdict, &JudgedFile::verdict);
}

std::ptrdiff_t count_unchecked(const CreditsReport& report) {
  return std::ranges::count(report.skipped, true, &SkippedEntry::is_unchecked);
}

std::string_view text_of_evidence(std::string_view found_by) {
  if (found_by == "fingerprint") return "its sound";
  if (found_by == "sha256") return "its bytes";
  if (found_by == "id") return "an id in its name";
  if (found_by == "title") return "its name";
  return found_by;
}

Cell verdict_cell(const JudgedFile& file) {
  switch (file.verdict) {
    case Verdict::allowed:
      return {"yes", Color::good};
    case Verdict::not_allowed:
      return {"NO", Color::bad};
    case Verdict::unknown:
      break;
  }
  return {"unknown", Color::doubtful};
}

Table files_table(const CreditsReport& report) {
  Table table({{"FILE"}, {"TRACK"}, {"FOUND BY"}, {"LICENSE"}, {"ALLOWED", Shrink::never}, {"WHY"}});
  for (const auto& file : report.files) {
    std::vector<Cell> row{file.path,        std::string("-"),   std::string("-"),
                          std::string("-"), verdict_cell(file), file.reason};
    if (file.match.track) {
      const auto& track = *file.match.track;
      row[1] = text_at(track, {"title"}) + " (" + text_at(track, {"id"}) + ')';
      row[2] = fmt::format("{} ({})", text_of_evidence(file.match.found_by), file.match.score);
      row[3] = text_at(track, {"license", "name"});
    }
    table.add(std::move(row));
  }
  return table;
}

std::string skipped_notes(const CreditsReport& report) {
  std::string notes;
  for (const auto& entry : report.skipped)
    notes += note((entry.is_unchecked ? "not checked: " : "skipped: ") + entry.path + ": " + entry.reason);
  if (report.other_files > 0) notes += fmt::format("skipped: {} files that are not audio\n", report.other_files);
  return notes;
}

std::string file_notes(const CreditsReport& report) {
  std::string notes;
  for (const auto& file : report.files) {
    for (const auto& text : file.notes) notes += note(file.path + ": " + text);
  }
  return notes;
}

std::string total_notes(const CreditsReport& report) {
  const auto unseen = count_unchecked(report);
  const std::string rest = unseen == 0 ? "" : fmt::format("; not checked: {}", unseen);
  if (report.files.empty()) return note("no audio files in " + report.path + rest);
  return fmt::format("{} audio files for {}: {} allowed, {} not allowed, {} unknown{}\n", report.files.size(),
                     text_of(report.use), count(report, Verdict::allowed), count(report, Verdict::not_allowed),
                     count(report, Verdict::unknown), rest);
}

std::string credits(const CreditsReport& report, std::string_view format) {
  const auto& file = *std::ranges::find(table::kCreditsFiles, format, &table::CreditsFile::format);
  const auto entries = credits_of(report.files);
  return file.write(entries, {.heading = report.heading});
}

/// File names may be any bytes, but JSON is UTF-8.
json::string json_text(std::string_view text) {
  const auto valid = text::valid_utf8(text);
  return json::string(valid.data(), valid.size());
}

json::value or_null(std::string_view text) {
  if (text.empty()) return nullptr;
  return json_text(text);
}

json::object file_object(const JudgedFile& file) {
  json::array notes;
  notes.reserve(file.notes.size());
  for (const auto& text : file.notes) notes.emplace_back(json_text(text));
  json::object object{
      {"path", json_text(file.path)}, {"verdict", name_of(file.verdict)},         {"reason", or_null(file.reason)},
      {"notes", std::move(notes)},    {"found_by", or_null(file.match.found_by)}, {"score", file.match.score}};
  object["track"] = file.match.track ? json::value(*file.match.track) : json::value(nullptr);
  return object;
}

}  // namespace

bool is_clean(const CreditsReport& report) {
  return count(report, Verdict::allowed) == static_cast<std::ptrdiff_t>(report.files.size()) &&
         count_unchecked(report) == 0;
}

Listing report_table(const CreditsReport& report, const Screen& screen) {
  const auto table = files_table(report);
  Listing listing;
  if (!table.is_empty()) listing.data = table.text(screen);
  const auto text = credits(report, "text");
  if (!text.empty()) {
    listing.data += '\n' + colored(screen, Color::heading, "Credits to paste:") + "\n\n" + terminal::lines(text);
  }
  listing.notes = skipped_notes(report) + file_notes(report) + total_notes(report);
  return listing;
}

std::string report_json(const CreditsReport& report) {
  json::array files;
  files.reserve(report.files.size());
  for (const auto& file : report.files) files.emplace_back(file_object(file));
  json::array skipped;
  skipped.reserve(report.skipped.size());
  for (const auto& entry : report.skipped) {
    skipped.emplace_back(json::object{{"path", json_text(entry.path)}, {"reason", json_text(entry.reason)}});
  }
  return json::serialize(json::object{{"path", json_text(report.path)},
                                      {"use", report.use == Use::commercial ? "commercial" : "non-commercial"},
                                      {"files", std::move(files)},
                                      {"skipped", std::move(skipped)},
                                      {"other_files", report.other_files},
                                      {"summary",
                                       {{"allowed", count(report, Verdict::allowed)},
                                        {"not_allowed", count(report, Verdict::not_allowed)},
                                        {"unknown", count(report, Verdict::unknown)},
                                        {"not_looked_at", count_unchecked(report)}}},
                                      {"credits", json_text(credits(report, "text"))}});
}

Listing report_credits(const CreditsReport& report, std::string_view format) {
  std::string notes = skipped_notes(report) + file_notes(report);
  for (const auto& file : report.files) {
    if (file.verdict != Verdict::allowed) {
      notes += note(fmt::format("{}: {}: {}", file.path, file.verdict == Verdict::unknown ? "unknown" : "not allowed",
                                file.reason));
    }
  }
  return {credits(report, format), notes + total_notes(report)};
}

}  // namespace tonearm::cli
