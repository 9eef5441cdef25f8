#include "build.h"

#include "adapter.h"
#include "failure.h"
#include "intake.h"
#include "json_line.h"
#include "line_reader.h"
#include "mapping.h"
#include "neighbors.h"
#include "publication.h"
#include "synonyms.h"
#include "tonearm/snapshot_writer.h"
#include "web_address.h"

namespace tonearm::builder {
namespace {

void merge(TagLabels& into, const TagLabels& from) {
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& [id, label] : from[facet]) into[facet][id] = label;
  }
}

std::string without_slash(std::string url, const char* flag) {
  if (!is_http_url(url)) throw Failure(std::string(flag) + " must be an http(s) URL, not " + url);
  while (url.back() == '/') url.pop_back();
  return url;
}

void read_lines(const std::string& path, bool evaluation, Report& report, Intake& intake) {
  report.begin_input(path);
  LineReader lines(path);
  JsonLineParser parser(evaluation);
  while (lines.next()) {
    if (lines.too_long()) {
      intake.take(lines.number(), Fault{Reason::line_too_long, "the line is longer than 1 MiB", {}});
    } else if (lines.line().find_first_not_of(" \t\r") != std::string::npos) {
      intake.take(lines.number(), parser.parse(lines.line(), report.unknown_keys));
    }
  }
}

CheckOptions check_options(const BuildOptions& options, const std::string& site_url) {
  CheckOptions result;
  result.evaluation = options.evaluation;
  result.allow_share_alike = options.allow_share_alike;
  result.media_url = options.media_url.empty() ? site_url + "/media" : without_slash(options.media_url, "--media-url");
  return result;
}

void read_inputs(const BuildOptions& options, Hashing& hashing, Report& report, Intake& intake,
                 SnapshotOptions& snapshot) {
  for (const auto& input : options.inputs) {
    if (input.source.empty()) {
      read_lines(input.path, options.evaluation, report, intake);
      continue;
    }
    const auto mapping = find_mapping(input.source);
    merge(snapshot.tag_labels, mapping.labels);
    if (!mapping.source_name.empty()) snapshot.source_names[mapping.domain] = mapping.source_name;
    read_source(mapping, input.path, hashing, report,
                [&](std::uint64_t number, std::variant<Line, Fault> line) { intake.take(number, std::move(line)); });
  }
}

SnapshotSummary write_file(const std::string& path, std::span<const Track> tracks, const SnapshotOptions& options,
                           Hashing& hashing) {
  const auto database = sql::open_sqlite(path, sql::OpenMode::read_write_create);
  return write_snapshot(database.get(), tracks, options, hashing);
}

/// The report of a build that failed after its inputs were read; `nullptr` where none is asked for.
void publish_report(Publication* file, const Report& report) {
  if (file == nullptr) return;
  file->write(report.to_json());
  file->publish();
}

void fail_if_strict(const BuildOptions& options, const Report& report) {
  if (!options.strict || report.broken_total() == 0) return;
  std::string first;
  for (const auto& entry : report.entries()) {
    if (reason_row(entry.fault.reason).by_policy) continue;
    first = "; the first: " + entry.file + ":" + std::to_string(entry.line) + ": " + entry.fault.message;
    break;
  }
  throw Failure("--strict: " + std::to_string(report.broken_total()) + " lines break a rule" + first);
}

}  // namespace

Report build_catalog(const BuildOptions& options, Hashing& hashing) {
  const auto built_in = built_in_labels();
  SnapshotOptions snapshot;
  snapshot.site_url = without_slash(options.site_url, "--site-url");
  snapshot.evaluation = options.evaluation;
  snapshot.tag_labels = built_in.tags;
  snapshot.source_names = built_in.sources;
  snapshot.synonyms = options.synonyms ? read_synonyms(*options.synonyms) : built_in_synonyms();

  Report report;
  report.evaluation = options.evaluation;
  const auto policy = options.policy.empty() ? Policy{} : read_policy(options.policy);
  Intake intake(check_options(options, snapshot.site_url), policy, report);
  // Held from the start: what cannot be written in the end should fail before the work.
  Publication output(options.output);
  std::optional<Publication> report_file;
  if (!options.report.empty()) report_file.emplace(options.report);
  auto* report_out = report_file ? &*report_file : nullptr;

  read_inputs(options, hashing, report, intake, snapshot);
  auto collected = intake.finish();
  report.count_tracks(collected.tracks);
  try {
    fail_if_strict(options, report);
    compute_neighbors(collected.tracks, collected.given);
    report.version = write_file(output.partial_path(), collected.tracks, snapshot, hashing).version;
    output.publish();
  } catch (const std::exception&) {
    report.version.clear();  // null in the report: nothing was published
    publish_report(report_out, report);
    throw;
  }
  publish_report(report_out, report);
  return report;
}

}  // namespace tonearm::builder
