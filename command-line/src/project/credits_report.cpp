#include "project/credits_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cmath>

#include "output/json_values.h"
#include "output/table.h"
#include "table/credits_files.h"
#include "text/csv.h"
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

/// 00:01:02.345
std::string time_text(double seconds) {
  constexpr std::int64_t kMinute = 60'000;
  constexpr std::int64_t kHour = 60 * kMinute;
  const auto ms = std::llround(seconds * 1000);
  return fmt::format("{:02}:{:02}:{:02}.{:03}", ms / kHour, ms % kHour / kMinute, ms % kMinute / 1000, ms % 1000);
}

/// 0:01:02-0:02:05, 1:00:00-1:00:30
std::string times_text(const JudgedFile& file) {
  std::string text;
  for (const auto& time : file.times) {
    text += (text.empty() ? "" : ", ") + clock_text(time.begin_s) + '-' + clock_text(time.end_s);
  }
  return text;
}

/// The rows of a film differ in their times, not in their file.
Table files_table(const CreditsReport& report) {
  const bool is_film = report.kind == ReportKind::film;
  Table table(
      {{is_film ? "TIMES" : "FILE"}, {"TRACK"}, {"FOUND BY"}, {"LICENSE"}, {"ALLOWED", Shrink::never}, {"WHY"}});
  for (const auto& file : report.files) {
    std::vector<Cell> row{is_film ? times_text(file) : file.path,
                          std::string("-"),
                          std::string("-"),
                          std::string("-"),
                          verdict_cell(file),
                          file.reason};
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
  if (report.other_files > 0) {
    const bool is_edit = report.kind == ReportKind::edit;
    const std::string_view what = is_edit ? "clips without sound" : "files that are not audio";
    notes += fmt::format("skipped: {} {}\n", report.other_files, what);
  }
  return notes;
}

/// Names a row of the report: its file, and of a film also its track.
std::string label_of_row(const CreditsReport& report, const JudgedFile& file) {
  if (report.kind != ReportKind::film || !file.match.track) return file.path;
  return file.path + ": \"" + text_at(*file.match.track, {"title"}) + '"';
}

std::string file_notes(const CreditsReport& report) {
  std::string notes;
  for (const auto& file : report.files) {
    for (const auto& text : file.notes) notes += note(label_of_row(report, file) + ": " + text);
  }
  return notes;
}

std::string_view text_of_rows(ReportKind kind) { return kind == ReportKind::film ? "tracks" : "audio files"; }

std::string text_without_rows(const CreditsReport& report) {
  switch (report.kind) {
    case ReportKind::film:
      return "no track of the catalog was recognized in " + report.path + "; music from elsewhere is not found";
    case ReportKind::edit:
      return "no clips to look up in " + report.path;
    case ReportKind::folder:
      break;
  }
  return "no audio files in " + report.path;
}

std::string total_notes(const CreditsReport& report) {
  const auto unseen = count_unchecked(report);
  const std::string rest = unseen == 0 ? "" : fmt::format("; not checked: {}", unseen);
  if (report.files.empty()) return note(text_without_rows(report) + rest);
  return fmt::format("{} {} for {}: {} allowed, {} not allowed, {} unknown{}\n", report.files.size(),
                     text_of_rows(report.kind), text_of(report.use), count(report, Verdict::allowed),
                     count(report, Verdict::not_allowed), count(report, Verdict::unknown), rest);
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

json::array times_array(const JudgedFile& file) {
  json::array times;
  times.reserve(file.times.size());
  for (const auto& time : file.times)
    times.emplace_back(json::object{{"begin_s", time.begin_s}, {"end_s", time.end_s}});
  return times;
}

json::object file_object(const JudgedFile& file, ReportKind kind) {
  json::array notes;
  notes.reserve(file.notes.size());
  for (const auto& text : file.notes) notes.emplace_back(json_text(text));
  json::object object{
      {"path", json_text(file.path)}, {"verdict", name_of(file.verdict)},         {"reason", or_null(file.reason)},
      {"notes", std::move(notes)},    {"found_by", or_null(file.match.found_by)}, {"score", file.match.score}};
  object["track"] = file.match.track ? json::value(*file.match.track) : json::value(nullptr);
  if (kind != ReportKind::folder) object["times"] = times_array(file);
  return object;
}

std::string all_notes(const CreditsReport& report) {
  std::string notes = skipped_notes(report) + file_notes(report);
  for (const auto& file : report.files) {
    if (file.verdict != Verdict::allowed) {
      notes += note(fmt::format("{}: {}: {}", label_of_row(report, file),
                                file.verdict == Verdict::unknown ? "unknown" : "not allowed", file.reason));
    }
  }
  return notes + total_notes(report);
}

using CueRow = std::array<std::string, 13>;
constexpr std::string_view kCueHeader =
    "cue,time_in,time_out,duration,file,verdict,track_id,title,artist,license_id,license_name,source_page,credit_"
    "line\r\n";

CueRow cue_row(std::size_t number, const TimeRange& time, const JudgedFile& file) {
  CueRow row{std::to_string(number),      time_text(time.begin_s),
             time_text(time.end_s),       time_text(time.end_s - time.begin_s),
             text::valid_utf8(file.path), std::string(name_of(file.verdict))};
  if (file.verdict == Verdict::unknown) return row;
  const auto entry = credit_of(file);
  const auto& terms = license(entry.license);
  std::ranges::copy(std::array<std::string, 7>{entry.track_id, entry.title, entry.artist, std::string(terms.name_id),
                                               std::string(terms.name), entry.source_page, credit_line(entry)},
                    row.begin() + 6);
  return row;
}

}  // namespace

bool is_clean(const CreditsReport& report) {
  const bool is_empty_film = report.kind == ReportKind::film && report.files.empty();
  return !is_empty_film && count(report, Verdict::allowed) == static_cast<std::ptrdiff_t>(report.files.size()) &&
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
  for (const auto& file : report.files) files.emplace_back(file_object(file, report.kind));
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
  return {credits(report, format), all_notes(report)};
}

Listing report_cue_sheet(const CreditsReport& report) {
  std::vector<std::pair<TimeRange, const JudgedFile*>> cues;
  for (const auto& file : report.files) {
    for (const auto& time : file.times) cues.emplace_back(time, &file);
  }
  std::ranges::stable_sort(cues, {}, [](const auto& cue) { return cue.first.begin_s; });
  std::string csv(kCueHeader);
  for (std::size_t i = 0; i < cues.size(); ++i)
    text::append_csv_row(csv, cue_row(i + 1, cues[i].first, *cues[i].second));
  return {csv, all_notes(report)};
}

}  // namespace tonearm::cli
