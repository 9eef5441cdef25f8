#include "folder/folder_source.h"

#include <algorithm>
#include <boost/regex.hpp>
#include <filesystem>

#include "canonical/check.h"
#include "files/toml_table.h"
#include "folder/media_output.h"
#include "folder/statements.h"
#include "folder/tags.h"
#include "folder/track_row.h"
#include "input/text_file.h"
#include "mapping/row_adapter.h"
#include "measuring/measurer.h"
#include "runtime/embedded.h"
#include "text/unicode.h"
#include "tonearm/result.h"
#include "values/decimal.h"
#include "values/url.h"

namespace tonearm::builder {
namespace {

/// The statements about one file before it becomes a line.
struct DescribedFile {
  std::string path;
  FileStatement stated;
  PageIdentity identity;
  std::string made_from;  // the recording that this and other files were cut from
};

std::string page_of(const FileFields& fields) {
  const auto found = fields.find("source_page");
  if (found == fields.end()) return {};
  const auto page = trimmed_url(found->second);
  return is_http_url(page) ? page : std::string();
}

constexpr double kTenths = 10;

/// Adds the artist that the URL of a Freesound page contains.
void add_artist_of_page(FileFields& fields, const std::string& page) {
  static const boost::regex kPerson(R"(^https?://(?:www\.)?freesound\.org/people/([^/?#]+)/)");
  boost::smatch match;
  if (!fields.contains("artist") && boost::regex_search(page, match, kPerson)) fields["artist"] = match[1].str();
}

class FolderReader {
 public:
  FolderReader(const FolderRequest& request, Hashing& hashing, Report& report)
      : request_(request),
        hashing_(hashing),
        report_(report),
        settings_(read_folder_settings(request.folder)),
        mapping_(parse_mapping(embedded_file("data/folder.toml"), "data/folder.toml")) {}

  void read(audio::MeasurementCache& cache, const LineCallback& take,
            const std::function<void(std::uint64_t)>& on_file) {
    const auto found = walk_folder(request_.folder);
    const Statements statements(request_.folder, found);
    report_.begin_input(request_.folder);
    auto& counts = report_.begin_folder(request_.folder);
    counts.audio_files = found.audio.size();
    counts.other_files = found.ignored;
    counts.documents = statements.documents_read();
    counts.not_understood = statements.not_understood();
    counts.ignored_paths = statements.ignored_paths();
    const auto files = describe(found.audio, statements);
    const auto measured = measure(found.audio, cache, counts, on_file);
    for (std::size_t i = 0; i < files.size(); ++i) {
      report_.set_file(files[i].path);
      if (!files[i].stated.document.empty()) ++counts.licenses_by_document[files[i].stated.document];
      take(i + 1, line_of(files[i], measured[i], counts));
    }
    report_.set_file({});
  }

 private:
  std::vector<DescribedFile> describe(const std::vector<std::string>& paths, const Statements& statements) {
    std::vector<DescribedFile> files;
    files.reserve(paths.size());
    std::map<std::string, std::size_t> files_of_page;
    for (const auto& path : paths) {
      DescribedFile file;
      file.path = path;
      file.stated = statements.statement_of(path, read_tags(request_.folder + "/" + path), mapping_.licenses);
      const auto page = page_of(file.stated.fields);
      add_artist_of_page(file.stated.fields, page);
      file.identity = identity_of_page(page);
      ++files_of_page[file.identity.id_prefix + "-" + file.identity.key];
      files.push_back(std::move(file));
    }
    // Several files with one page were cut from its recording (LINE-15).
    for (auto& file : files) {
      const auto& identity = file.identity;
      if (files_of_page[identity.id_prefix + "-" + identity.key] < 2) continue;
      file.made_from = id_of_page(identity);
      file.identity = {};
    }
    return files;
  }

  std::vector<audio::MeasuredFile> measure(const std::vector<std::string>& audio, audio::MeasurementCache& cache,
                                           FolderCount& counts,
                                           const std::function<void(std::uint64_t)>& on_file) const {
    std::vector<std::string> paths;
    paths.reserve(audio.size());
    for (const auto& path : audio) paths.push_back(request_.folder + "/" + path);
    auto measured = audio::measure_files(paths, cache, request_.threads, on_file);
    for (std::size_t i = 0; i < measured.size(); ++i) {
      // A file also counts as measured if this build measured another file with the same bytes.
      if (measured[i].measurements) ++(cache.is_new(measured[i].sha256) ? counts.measured : counts.from_cache);
      if (!measured[i].error.empty()) counts.errors[audio[i]] = measured[i].error;
    }
    return measured;
  }

  std::string id_of_page(const PageIdentity& identity) const {
    if (identity.id_prefix.empty()) return {};
    if (!identity.is_number) return id_from_key(identity.id_prefix, identity.key, hashing_);
    const auto first = identity.key.find_first_not_of('0');
    return first == std::string::npos ? std::string() : identity.id_prefix + "-" + identity.key.substr(first);
  }

  InputRule input_of(const DescribedFile& file, const std::string& kind, Row& row) const {
    auto input = mapping_.inputs.at(kind == "music" ? 0 : 1);
    const auto host = host_of(page_of(file.stated.fields));
    const auto domain = host.empty() ? settings_.domain : host;
    row.cells["source"] = {domain};
    if (file.identity.id_prefix.empty()) {
      input.id_prefix = settings_.id_prefix;
      row.cells["key"] = {domain + "\n" + file.path};
      return input;
    }
    input.id_prefix = file.identity.id_prefix;
    row.cells["key"] = {file.identity.key};
    static const boost::regex kNumber("^(\\d+)$");
    if (file.identity.is_number) input.number = kNumber;
    return input;
  }

  std::variant<Line, Rejection> line_of(const DescribedFile& file, const audio::MeasuredFile& measured,
                                        FolderCount& counts) {
    if (!text::is_utf8(file.path)) return Rejection{Reason::invalid_utf8, "the file's name is not UTF-8", {}};
    const auto& measurements = measured.measurements;
    auto row = row_of(file.stated.fields, measurements.value_or(audio::Measurements{}), file.path, settings_.kind,
                      mapping_.facet_words);
    const auto input = input_of(file, row.first("kind"), row);
    auto made = line_of_row(row, mapping_, input, hashing_, report_);
    auto* line = std::get_if<Line>(&made);
    if (line == nullptr) return made;
    if (!file.made_from.empty()) line->made_from = {file.made_from};
    const auto& license = file.stated.license;
    const bool is_rejected = license.id.empty() && !file.stated.document.empty();
    if (is_rejected) return Rejection{license.reason, license.message, line->id, std::nullopt, evidence_of(*line)};
    if (!measurements) return without_audio(*line, file, measured);
    if (const auto bpm = file.stated.fields.find("bpm"); bpm != file.stated.fields.end()) {
      if (tempo_differs(bpm->second, measurements->bpm_hundredths)) counts.tempo_conflicts.push_back(file.path);
    }
    if (file.stated.titles_differ) counts.title_conflicts.push_back(file.path);
    if (!license.id.empty()) line->license = license.id;
    add_audio(*line, measured);
    if (!request_.media_output.empty()) write_media(*line, file, measured, counts);
    return made;
  }

  static Rejection without_audio(const Line& line, const DescribedFile& file, const audio::MeasuredFile& measured) {
    Rejection rejection{Reason::duration_missing, measured.error, line.id, std::nullopt, evidence_of(line)};
    if (!file.stated.license.id.empty()) rejection.license = file.stated.license.id;
    return rejection;
  }

  static void add_audio(Line& line, const audio::MeasuredFile& measured) {
    auto audio = std::make_shared<TrackAudio>();
    audio->fingerprint = measured.measurements->fingerprint;
    audio->timbre = measured.measurements->timbre;
    audio->file_hashes = {measured.sha256};
    line.audio = std::move(audio);
    const auto loudness = measured.measurements->loudness_tenths;
    if (!line.loudness_lufs && loudness) line.loudness_lufs = decimal_text(*loudness / kTenths);
  }

  void write_media(Line& line, const DescribedFile& file, const audio::MeasuredFile& measured, FolderCount& counts) {
    if (!line.license || !find_license(*line.license)) return;
    if (!media_) media_.emplace(request_.media_output);
    const auto preview = media_->write_preview(line.id, request_.folder + "/" + file.path, measured.sha256);
    if (!preview.error.empty()) {
      counts.errors[file.path] = "no preview: " + preview.error;
    } else {
      line.preview_url = line.id + ".ogg";
    }
    if (preview.is_original) line.original_url = line.preview_url;
    media_->write_peaks(line.id, *measured.measurements);
    line.peaks_url = line.id + ".peaks.json";
  }

  const FolderRequest& request_;
  Hashing& hashing_;
  Report& report_;
  FolderSettings settings_;
  Mapping mapping_;
  std::optional<MediaFiles> media_;
};

}  // namespace

FolderSettings read_folder_settings(const std::string& folder) {
  const auto path = folder + "/tonearm.toml";
  FolderSettings settings;
  std::error_code error;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(path, error))) return settings;
  const auto file = native::parse_toml(read_text_file(path), path);
  const native::TomlTable table(file, path);
  table.allow_only({"domain", "source_name", "id_prefix", "kind"});
  if (const auto domain = table.string("domain")) {
    const auto lower = normalized_domain(*domain);
    if (!lower) table.fail("domain", "must be a domain");
    settings.domain = *lower;
  }
  settings.source_name = table.string("source_name").value_or("");
  settings.id_prefix = table.string("id_prefix").value_or(settings.id_prefix);
  if (!is_track_id(settings.id_prefix + "-000000000000000")) table.fail("id_prefix", "does not form a valid track id");
  settings.kind = table.string("kind").value_or("");
  if (!settings.kind.empty() && settings.kind != "music" && settings.kind != "sfx") {
    table.fail("kind", "must be music or sfx");
  }
  return settings;
}

std::vector<std::string> folder_files(const std::string& folder) {
  const auto found = walk_folder(folder);
  std::vector<std::string> files;
  files.reserve(found.audio.size() + found.documents.size());
  for (const auto* paths : {&found.documents, &found.audio}) {
    for (const auto& path : *paths) files.push_back(std::string(folder).append("/").append(path));
  }
  return files;
}

std::string title_of_name(std::string_view path) {
  const auto name = std::string(path.substr(path.rfind('/') + 1));
  auto stem = name.substr(0, name.rfind('.'));
  static const boost::regex kNumber(R"(^\d{1,4}[ ._-]+(?=\S))");
  stem = boost::regex_replace(stem, kNumber, std::string());
  std::replace(stem.begin(), stem.end(), '_', ' ');
  std::replace(stem.begin(), stem.end(), '-', ' ');
  return text::is_utf8(stem) ? text::one_line(stem) : stem;
}

void read_folder(const FolderRequest& request, audio::MeasurementCache& cache, Hashing& hashing, Report& report,
                 const LineCallback& take, const std::function<void(std::uint64_t bytes)>& on_file) {
  FolderReader(request, hashing, report).read(cache, take, on_file);
}

}  // namespace tonearm::builder
