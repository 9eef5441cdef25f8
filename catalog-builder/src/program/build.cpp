#include "program/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "canonical/parallel_lines.h"
#include "cleaning/cleaning.h"
#include "files/publication.h"
#include "folder/folder_source.h"
#include "input/line_reader.h"
#include "input/rows.h"
#include "input/thesaurus.h"
#include "intake/intake.h"
#include "links/findings.h"
#include "mapping/adapter.h"
#include "mapping/mapping.h"
#include "measuring/measurement_cache.h"
#include "program/earlier_neighbors.h"
#include "program/input_ledger.h"
#include "review/changes_since.h"
#include "similar/neighbors.h"
#include "snapshot/snapshot_on_disk.h"
#include "system/signing_keys.h"
#include "system/system_ports.h"
#include "system/threads.h"
#include "tonearm/dates.h"
#include "tonearm/result.h"
#include "tonearm/snapshot_writer.h"
#include "tonearm/sql.h"
#include "tracks/string_table.h"
#include "values/url.h"

namespace tonearm::builder {
namespace {

void merge(TagLabels& into, const TagLabels& from) {
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& [id, label] : from[facet]) into[facet][id] = label;
  }
}

std::string today() {
  constexpr std::int64_t kSecondMs = 1'000;
  return rfc3339_date(native::SystemClock().now_ms() / kSecondMs);
}

std::string without_slash(std::string url, const char* flag) {
  if (!is_http_url(url)) throw Failure(std::string(flag) + " must be an http(s) URL, not " + url);
  while (url.back() == '/') url.pop_back();
  return url;
}

/// Returns the files of all inputs.
std::vector<std::string> input_files(const BuildOptions& options) {
  std::vector<std::string> files;
  for (const auto& input : options.inputs) {
    const auto rows = files_of(input);
    files.insert(files.end(), rows.begin(), rows.end());
  }
  return files;
}

/// Returns every file that the build reads, except for the settings file.
std::vector<std::string> files_read(const BuildOptions& options) {
  auto files = input_files(options);
  for (const auto& input : options.inputs) {
    if (input.source.ends_with(".toml")) files.push_back(input.source);
  }
  if (!options.policy.empty()) files.push_back(options.policy);
  if (!options.take_downs.empty()) files.push_back(options.take_downs);
  if (!options.links.empty()) files.push_back(options.links);
  for (const auto& snapshot : {options.earlier, options.changes_since}) {
    std::error_code error;  // ignored: the file may not exist
    const bool is_replaced = std::filesystem::equivalent(snapshot, options.output, error);
    if (!snapshot.empty() && !is_replaced) files.push_back(snapshot);
  }
  if (options.synonyms) files.push_back(*options.synonyms);
  if (!options.signing_key.empty()) files.push_back(options.signing_key);
  return files;
}

bool reads_audio(const BuildOptions& options) {
  return std::any_of(options.inputs.begin(), options.inputs.end(),
                     [](const InputChoice& input) { return input.source == kFolderSource; });
}

std::string measurements_path(const BuildOptions& options) {
  return options.measurements.empty() ? options.output + ".measurements" : options.measurements;
}

/// Returns the folder of the output, which has room for the tracks.
std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

std::uint64_t size_of(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

std::uint64_t bytes_of_inputs(const BuildOptions& options) {
  std::uint64_t bytes = 0;
  for (const auto& file : input_files(options)) bytes += size_of(file);
  return bytes;
}

/// Throws Failure with the columns if a file that was given as canonical lines looks like a table.
void refuse_table(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;  // a pipe can be read only once
  LineReader reader(path);
  if (!reader.next() || reader.line().empty()) return;
  const auto first = reader.line().find_first_not_of(" \t");
  if (first == std::string::npos || reader.line()[first] == '{' || reader.line()[first] == '[') return;
  if (reader.line().find_first_of(",;\t") == std::string::npos) return;
  throw Failure(path + ": --input reads canonical lines (JSON), but this looks like a table with the columns " +
                column_names({reader.line()}) + "; --source MAPPING.toml:FOLDER reads tables, by a mapping");
}

void read_lines(const std::string& path, bool evaluation, Report& report, Intake& intake, native::Progress& progress) {
  report.begin_input(path);
  ParallelLines lines(path, evaluation, native::processors());
  while (auto parsed = lines.next()) {
    for (auto& [number, line] : parsed->lines) intake.add(number, std::move(line));
    for (const auto& [key, count] : parsed->unknown_keys) report.unknown_keys[key] += count;
    progress.advance(parsed->bytes);
  }
  const auto& counts = report.inputs().back();
  if (counts.rows != 0 && counts.kept == 0) refuse_table(path);
}

CheckOptions check_options(const BuildOptions& options, const std::string& site_url) {
  CheckOptions result;
  result.evaluation = options.evaluation;
  result.allow_share_alike = options.allow_share_alike;
  result.media_url = options.media_url.empty() ? site_url + "/media" : without_slash(options.media_url, "--media-url");
  return result;
}

void read_audio(const BuildOptions& options, const std::string& folder, Hashing& hashing, Report& report,
                Intake& intake, SnapshotOptions& snapshot, native::Progress& progress) {
  const auto settings = read_folder_settings(folder);
  if (!settings.source_name.empty()) snapshot.source_names[settings.domain] = settings.source_name;
  audio::MeasurementCache cache(measurements_path(options));
  if (!cache.message().empty()) ++report.repairs[cache.message()];
  read_folder(
      {folder, options.media_output, native::processors()}, cache, hashing, report,
      [&](std::uint64_t number, std::variant<Line, Rejection> line) {
        intake.add(number, std::move(line), Origin::source);
      },
      [&](std::uint64_t bytes) { progress.advance(bytes); });
}

void read_inputs(const BuildOptions& options, Hashing& hashing, Report& report, Intake& intake,
                 SnapshotOptions& snapshot, native::Progress& progress) {
  progress.begin("reading", bytes_of_inputs(options));
  for (const auto& input : options.inputs) {
    if (input.source.empty()) {
      read_lines(input.path, options.evaluation, report, intake, progress);
      continue;
    }
    if (input.source == kFolderSource) {
      read_audio(options, input.path, hashing, report, intake, snapshot, progress);
      continue;
    }
    const auto mapping = find_mapping(input.source);
    merge(snapshot.tag_labels, mapping.labels);
    if (!mapping.source_name.empty()) snapshot.source_names[mapping.domain] = mapping.source_name;
    const auto origin = mapping.supplement ? Origin::supplement : Origin::source;
    read_source(mapping, input.path, hashing, report, [&](std::uint64_t number, std::variant<Line, Rejection> line) {
      intake.add(number, std::move(line), origin);
    });
    for (const auto& file : source_files(mapping, input.path)) progress.advance(size_of(file));
  }
}

/// Computes the similar tracks, faster over an earlier snapshot (BUILD-25).
void find_similar(const BuildOptions& options, Collected& collected, const Thesaurus& thesaurus, Hashing& hashing,
                  native::Progress& progress, Report& report, SnapshotOptions& snapshot) {
  const std::string path = options.earlier.empty() ? options.output : options.earlier;
  std::error_code error;
  const bool has_earlier = !options.earlier.empty() || std::filesystem::exists(path, error);
  const auto report_unused = [&](const std::string& what) {
    if (what.empty()) return;
    ++report.repairs[fmt::format("{}{}; similar tracks are computed without it",
                                 what.starts_with(path) ? "" : path + ": ", what)];
  };
  std::optional<EarlierSnapshot> earlier;
  if (has_earlier) {
    StringTable ids;
    for (std::uint32_t i = 0; i < collected.tracks.size(); ++i) ids.add(collected.tracks.read(i).id);
    try {
      earlier.emplace(path, ids, hashing);
    } catch (const std::exception& failure) {
      report_unused(failure.what());
    }
  }
  snapshot.similar_digests = manifest_entries(compute_neighbors(
      collected.tracks, collected.has_given_neighbors, earlier ? &*earlier : nullptr, {.thesaurus = &thesaurus},
      hashing, progress, [&](std::uint32_t index, std::span<const std::uint32_t> neighbors) {
        collected.tracks.set_neighbors(index, neighbors);
      }));
  if (earlier) report_unused(earlier->message());
}

SnapshotSummary write_file(const std::string& path, const TrackReader& tracks, const SnapshotOptions& options,
                           Hashing& hashing) {
  std::error_code error;
  std::filesystem::resize_file(path, 0, error);  // if it was written before; otherwise nothing to do
  try {
    SnapshotFileWriter output(path);
    return write_snapshot(output, tracks, options, hashing);
  } catch (const Failure& failure) {  // such as a full disk
    const std::string what = failure.what();
    throw Failure(what.starts_with(path) ? what : path + ": cannot be written: " + what);
  }
}

/// Adds what changed since the snapshot before, and what that one states about the versions before it (BUILD-29).
/// Throws Failure if that file is damaged or changes meanwhile, because what it states becomes part of the new one.
void add_changes(const OpenedSnapshot& before, const TrackReader& tracks, SnapshotOptions& options, Hashing& hashing,
                 Report& report) {
  const auto checked = before.catalog().check_blocks(hashing);
  if (!checked) throw Failure(before.path() + ": " + checked.error().message);
  options.changes = known_changes(before);
  options.changes.push_back(changes_since(before, tracks));
  if (!before.catalog().is_unchanged()) throw Failure(before.path() + ": was changed while it was read");
  if (options.changes.back().changes.size() <= kKnownChangesMax) return;
  ++report.repairs[fmt::format("{}: there are more than {} changes since this snapshot, so none are stated",
                               before.path(), kKnownChangesMax)];
}

/// If nothing changed since the snapshot before, the same content must get its version again, so the snapshot is first
/// written without a new version.
SnapshotSummary write_with_changes(const std::string& path, const TrackReader& tracks, SnapshotOptions& options,
                                   Hashing& hashing) {
  if (!options.changes.empty() && options.changes.back().changes.empty()) {
    VersionChanges newest = std::move(options.changes.back());
    options.changes.pop_back();
    auto summary = write_file(path, tracks, options, hashing);
    if (summary.version == newest.since) return summary;
    options.changes.push_back(std::move(newest));
  }
  drop_oldest(options.changes);
  return write_file(path, tracks, options, hashing);
}

/// Publishes the report. `file` is nullptr if no report was requested.
void publish_report(native::Publication* file, const Report& report) {
  if (file == nullptr) return;
  file->write(report.to_json());
  file->publish();
}

void fail_if_strict(const BuildOptions& options, const Report& report) {
  if (!options.strict || report.broken_total() == 0) return;
  const auto& first = report.broken_entries().front();
  throw Failure("--strict: " + std::to_string(report.broken_total()) + " lines break a rule; the first is " +
                first.file + ":" + std::to_string(first.line) + ": " + first.rejection.message);
}

/// An empty catalog indicates wrong inputs, so it never replaces another one (BUILD-2).
void fail_if_empty(const Report& report) {
  if (report.track_count != 0) return;
  throw Failure("no tracks to publish: all " + std::to_string(report.rejected_total()) + " lines were rejected");
}

}  // namespace

std::vector<std::string> files_of(const InputChoice& input) {
  if (input.source.empty()) return {input.path};
  if (input.source == kFolderSource) return folder_files(input.path);
  return source_files(find_mapping(input.source), input.path);
}

Report build_catalog(const BuildOptions& options, Hashing& hashing) {
  native::Progress silent;
  Report report;
  build_catalog(options, hashing, silent, report);
  return report;
}

void build_catalog(const BuildOptions& options, Hashing& hashing, native::Progress& progress, Report& report) {
  std::optional<native::SigningKey> signing;
  if (!options.signing_key.empty()) signing.emplace(options.signing_key);
  std::optional<OpenedSnapshot> before;
  if (!options.changes_since.empty()) before.emplace(options.changes_since);
  const auto built_in = built_in_labels();
  SnapshotOptions snapshot;
  snapshot.site_url = without_slash(options.site_url, "--site-url");
  snapshot.evaluation = options.evaluation;
  snapshot.tag_labels = built_in.tags;
  snapshot.source_names = built_in.sources;
  const auto checks = check_options(options, snapshot.site_url);

  // Opens the outputs first, so that an output that is not writable fails before the work.
  std::vector<std::string> written{options.output};
  if (!options.report.empty()) written.push_back(options.report);
  if (reads_audio(options)) written.push_back(measurements_path(options));
  native::refuse_overlaps(files_read(options), written);
  native::Publication output(options.output);
  std::optional<native::Publication> report_file;
  if (!options.report.empty()) report_file.emplace(options.report);
  auto* report_out = report_file ? &*report_file : nullptr;

  progress.begin("hashing", bytes_of_inputs(options));
  const InputLedger ledger(options, hashing, progress);
  snapshot.inputs = ledger.entries();
  if (signing) snapshot.signer = {&*signing, options.signed_on.empty() ? today() : options.signed_on};
  const Thesaurus thesaurus = options.synonyms ? read_thesaurus(*options.synonyms) : built_in_thesaurus();
  snapshot.synonyms = thesaurus.synonyms;
  snapshot.relations = thesaurus.relations;
  const LinkRecords links = options.links.empty() ? LinkRecords{} : read_link_records(options.links);
  report.evaluation = options.evaluation;
  Policy policy = options.policy.empty() ? Policy{} : read_policy(options.policy);
  if (!options.take_downs.empty()) add_take_downs(options.take_downs, policy);
  Intake intake(checks, std::move(policy), folder_of(options.output), report);
  read_inputs(options, hashing, report, intake, snapshot, progress);
  try {
    auto collected = intake.finish();
    clean(collected.tracks, collected.is_of_source, intake.policy().rules, report);
    if (!options.links.empty()) {
      for (std::uint32_t i = 0; i < collected.tracks.size(); ++i) {
        collected.tracks.update(i, [&](Track& track) { apply_findings(links, track, report.links); });
      }
    }
    report.count_tracks(collected.tracks);
    fail_if_strict(options, report);
    fail_if_empty(report);
    find_similar(options, collected, thesaurus, hashing, progress, report, snapshot);
    snapshot.on_step = [&](std::string_view step, std::uint64_t items) {
      progress.begin(fmt::format("writing {}", step), items);
    };
    snapshot.on_item = [&] { progress.advance(1); };
    snapshot.run_blocks = [](std::size_t count, std::size_t block, const auto& work) {
      native::in_blocks(count, block, native::processors(), work);
    };
    if (before) add_changes(*before, collected.tracks, snapshot, hashing, report);
    report.version = write_with_changes(output.partial_path(), collected.tracks, snapshot, hashing).version;
    ledger.check_unchanged();
    output.publish();
    progress.clear_line();
  } catch (const std::exception&) {
    report.version.clear();  // null in the report: no snapshot was published
    publish_report(report_out, report);
    throw;
  }
  publish_report(report_out, report);
}

}  // namespace tonearm::builder
