#include "program/credits_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <iostream>
#include <thread>

#include "domain/collection.h"
#include "edits/edit_list.h"
#include "files/publication.h"
#include "films/film_audio.h"
#include "films/film_tracks.h"
#include "project/credits_report.h"
#include "project/evidence.h"
#include "project/file_matches.h"
#include "project/project_files.h"
#include "project/verdicts.h"
#include "text/percent.h"
#include "text/unicode.h"
#include "tonearm/terminal.h"

namespace tonearm::cli {
namespace {

constexpr std::string_view kCueSheet = "cue-sheet";
constexpr std::string_view kClearLine = "\r\x1b[K";

void clear_progress() {
  if (is_terminal(STDERR_FILENO)) std::cerr << kClearLine << std::flush;
}

void show_progress(std::size_t done, std::size_t all) {
  if (!is_terminal(STDERR_FILENO)) return;
  std::cerr << kClearLine;
  if (done < all) std::cerr << fmt::format("decoding: {} of {} files", done, all);
  std::cerr << std::flush;
}

void show_listening(double done_s, double all_s) {
  if (!is_terminal(STDERR_FILENO)) return;
  const auto minutes = [](double seconds) { return static_cast<std::int64_t>(seconds / 60); };
  const auto all = all_s > 0 ? fmt::format(" of {}", minutes(all_s)) : "";
  std::cerr << kClearLine << fmt::format("listening: {}{} minutes", minutes(done_s), all) << std::flush;
}

void wait_for_limit(std::int64_t seconds) {
  clear_progress();
  std::cerr << fmt::format("tonearm: the server limits requests; retrying in {} s\n", seconds);
  std::this_thread::sleep_for(std::chrono::seconds(seconds));
}

std::vector<std::string> ignored(const settings::Values& values) {
  std::vector<std::string> patterns;
  for (const auto& [name, text] : values.items()) {
    if (name == "ignore") patterns.push_back(text);
  }
  return patterns;
}

/// Returns the heading of the credits (CREDIT-14), or an empty text.
std::string heading_of(const settings::Values& values) {
  auto heading = values.text("heading");
  const bool is_heading = text::is_utf8(heading) && is_collection_name(text::trimmed(heading));
  if (values.is_given("heading") && !is_heading) {
    values.refuse("heading", "1 to 80 visible characters on one line");
  }
  return std::string(text::trimmed(heading));
}

/// 23.976 and its like are fractions.
double frame_rate_of(const settings::Values& values) {
  const double number = std::stod(values.text("fps"));
  const double nominal = std::round(number);
  return number == nominal ? number : nominal * 1000 / 1001;
}

RetryingClient patient(ApiClient& client) {
  return RetryingClient([&client](const ApiRequest& request) { return client.send(request); }, wait_for_limit);
}

ReportKind kind_of(const std::string& path) {
  if (is_edit_list(path)) return ReportKind::edit;
  return is_film(path) ? ReportKind::film : ReportKind::folder;
}

void add_files(CreditsReport& report, ProjectFiles found, const Requirements& requirements, const Send& send) {
  const auto all = found.audio.size();
  const auto evidence = gather_evidence(found.audio, [all](std::size_t done) { show_progress(done, all); });
  auto matches = match_files(found.audio, evidence, send);
  report.files.reserve(all);
  for (std::size_t i = 0; i < all; ++i) {
    report.files.push_back(judge(found.audio[i], evidence[i], std::move(matches[i]), requirements));
  }
  report.skipped = std::move(found.skipped);
  report.other_files = found.other_files;
}

/// Shows the progress until it ends, also with an error.
FilmTracks listen(const std::string& path, const Send& send) {
  struct Progress {
    ~Progress() { clear_progress(); }
  };
  const Progress progress;
  return recognize_film(path, send, show_listening);
}

void add_tracks(CreditsReport& report, const Requirements& requirements, const Send& send) {
  auto found = listen(report.path, send);
  report.files.reserve(found.tracks.size());
  for (auto& [track, score, times] : found.tracks) {
    const ProjectFile row{.path = film_name(report.path), .location = {}, .times = std::move(times)};
    report.files.push_back(judge(row, {}, {std::move(track), "fingerprint", score}, requirements));
  }
  report.skipped = std::move(found.skipped);
}

CreditsReport report_of(const settings::Values& values, ApiClient& client) {
  CreditsReport report;
  report.path = values.text("PATH");
  report.use = values.text("use") == "commercial" ? Use::commercial : Use::non_commercial;
  report.heading = heading_of(values);
  report.kind = kind_of(report.path);
  if (report.kind == ReportKind::folder && values.text("format") == kCueSheet) {
    throw settings::UsageError(
        "--format cue-sheet needs an edit list (.otio, .fcpxml, .xml, .edl) or a film or mix (.mp4, .mov, .m4v, .m4a, "
        ".mkv, .webm, .mka)");
  }
  const Requirements requirements{report.use, static_cast<std::int64_t>(values.number("min-score").value())};
  const Send send = patient(client);
  if (report.kind == ReportKind::film) {
    add_tracks(report, requirements, send);
  } else if (report.kind == ReportKind::edit) {
    add_files(report, find_edited_audio(report.path, ignored(values), frame_rate_of(values)), requirements, send);
  } else {
    add_files(report, find_audio(report.path, ignored(values)), requirements, send);
  }
  return report;
}

}  // namespace

CreditsOutcome run_credits(const settings::Values& values, const Setup& setup, ApiClient& client) {
  const auto format = values.text("format");
  const auto report = report_of(values, client);
  CreditsOutcome outcome{{}, {}, is_clean(report)};
  for (const auto& credit : credits_of(report.files)) outcome.track_ids.push_back(credit.track_id);
  if (!format.empty() && format != "json") {
    auto listing = format == kCueSheet ? report_cue_sheet(report) : report_credits(report, format);
    outcome.data = is_terminal(STDOUT_FILENO) ? terminal::lines(listing.data) : std::move(listing.data);
    outcome.notes = std::move(listing.notes);
  } else if (format == "json" || setup.display.output == Output::json) {
    outcome.data = terminal::lines(report_json(report)) + '\n';
  } else {
    auto listing = report_table(report, setup.display.screen);
    outcome.data = std::move(listing.data);
    outcome.notes = std::move(listing.notes);
  }
  return outcome;
}

void write_receipts(const std::string& path, const std::vector<std::string>& track_ids, ApiClient& client) {
  native::Publication file(path);  // fails before the requests
  auto send = patient(client);
  std::string lines;
  for (const auto& id : track_ids) {
    const auto answer = send({"GET", "/v1/tracks/" + text::encode_percent(id) + "/receipt"});
    if (!answer.is_success()) throw ServerError("no receipt of " + id + ": " + error_message(answer));
    lines += answer.body + '\n';
  }
  file.write(lines);
  file.publish();
}

}  // namespace tonearm::cli
