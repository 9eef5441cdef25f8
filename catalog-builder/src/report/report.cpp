#include "report/report.h"

#include "domain/variants.h"
#include "json/writer.h"
#include "report/report_lines.h"
#include "text/unicode.h"

namespace tonearm::builder {
namespace {

void write_names(json::Writer& out, std::string_view key,
                 const std::map<std::string, std::vector<std::string>>& lists) {
  out.key(key);
  out.begin_object();
  for (const auto& [list, names] : lists) {
    out.key(list);
    out.begin_array();
    for (const auto& name : names) out.string(name);
    out.end_array();
  }
  out.end_object();
}

void write_entry(json::Writer& out, const RejectedLine& entry) {
  out.begin_object();
  out.string("file", text::valid_utf8(entry.file));
  out.integer("line", entry.line);
  out.key("id");
  entry.rejection.id.empty() ? out.null() : out.string(entry.rejection.id);
  out.string("reason", reason_row(entry.rejection.reason).name);
  out.string("message", entry.rejection.message);
  out.end_object();
}

void write_texts(json::Writer& out, std::string_view key, const std::vector<std::string>& texts) {
  out.key(key);
  out.begin_array();
  for (const auto& text : texts) out.string(text::valid_utf8(text));
  out.end_array();
}

void write_folder(json::Writer& out, const FolderCount& folder) {
  out.begin_object();
  out.string("folder", folder.folder);
  out.integer("audio_files", folder.audio_files);
  out.integer("other_files", folder.other_files);
  out.integer("measured", folder.measured);
  out.integer("from_cache", folder.from_cache);
  write_texts(out, "documents", folder.documents);
  write_texts(out, "documents_not_understood", folder.not_understood);
  out.integers("licenses_by_document", folder.licenses_by_document);
  out.key("errors");
  out.begin_object();
  for (const auto& [file, error] : folder.errors) out.string(text::valid_utf8(file), error);
  out.end_object();
  write_texts(out, "paths_without_audio", folder.ignored_paths);
  write_texts(out, "tempo_conflicts", folder.tempo_conflicts);
  write_texts(out, "title_conflicts", folder.title_conflicts);
  out.end_object();
}

/// Writes null for a license that the catalog does not support.
void write_statement(json::Writer& out, std::string_view key, const LicenseStatement& statement,
                     const std::vector<InputCount>& inputs) {
  out.key(key);
  out.begin_object();
  out.key("license");
  statement.id.empty() ? out.null() : out.string(statement.id);
  out.string("file", inputs[statement.input].file);
  out.integer("line", statement.line);
  out.end_object();
}

void write_qualities(json::Writer& out, std::string_view key, const QualityCounts& counts) {
  out.key(key);
  out.begin_object();
  for (std::size_t kind = 0; kind < kKindNames.size(); ++kind) {
    out.key(kKindNames[kind]);
    out.begin_object();
    out.integer("values", counts[kind].values);
    out.integer("largest", counts[kind].largest);
    out.end_object();
  }
  out.end_object();
}

void write_tags(json::Writer& out, std::string_view key, const TagCounts& counts) {
  out.key(key);
  out.begin_object();
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    out.key(kFacetNames[facet]);
    out.begin_object();
    out.integer("tags", counts[facet].tags);
    out.integer("once", counts[facet].once);
    out.end_object();
  }
  out.end_object();
}

void write_duplicates(json::Writer& out, const std::vector<Duplicate>& duplicates,
                      const std::vector<InputCount>& inputs) {
  out.key("duplicate_recordings");
  out.begin_array();
  for (const auto& one : duplicates) {
    out.begin_object();
    out.string("id", one.id);
    out.string("stays", one.kept_id);
    out.string("file", inputs[one.place.input].file);
    out.integer("line", one.place.line);
    out.end_object();
  }
  out.end_array();
}

void append_counts(std::string& out, std::string_view name, const Counts& counts) {
  if (counts.empty()) return;
  out += "  " + std::string(name) + ":";
  for (const auto& [key, count] : counts) out += " " + key + " " + std::to_string(count) + ",";
  out.back() = '\n';
}

}  // namespace

void ValueCounter::add(const Track& track) {
  ++tracks_of_quality_[static_cast<std::size_t>(track.kind)][track.quality];
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& id : track.tags[facet]) ++tracks_with_tag_[facet][id];
  }
}

QualityCounts ValueCounter::qualities() const {
  QualityCounts result;
  for (std::size_t kind = 0; kind < result.size(); ++kind) {
    result[kind].values = tracks_of_quality_[kind].size();
    for (const auto& [quality, count] : tracks_of_quality_[kind]) {
      result[kind].largest = std::max(result[kind].largest, count);
    }
  }
  return result;
}

TagCounts ValueCounter::tags() const {
  TagCounts result;
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    result[facet].tags = tracks_with_tag_[facet].size();
    for (const auto& [id, count] : tracks_with_tag_[facet]) result[facet].once += count == 1 ? 1U : 0U;
  }
  return result;
}

void Report::count_kept() {
  ++inputs_[current_].rows;
  ++inputs_[current_].kept;
}

void Report::reject(std::uint64_t line, Rejection rejection) {
  ++inputs_[current_].rows;
  const auto& input = inputs_[current_].file;
  const bool is_file = !file_.empty();
  add_rejected({is_file ? input + "/" + file_ : input, line, std::move(rejection), is_file});
}

void Report::withdraw(std::size_t input, RowPlace stated, Rejection rejection) {
  --inputs_[input].kept;
  reject(inputs_[stated.input].file, stated.line, std::move(rejection));
}

void Report::add_duplicate(std::size_t input, std::uint64_t line, const std::string& id, const std::string& kept_id) {
  withdraw(input, {input, line}, {Reason::duplicate_recording, "it is the recording of " + kept_id, id});
  if (duplicates_.size() < kEntriesMax) duplicates_.push_back({id, kept_id, {input, line}});
}

void Report::add_contradiction(std::string id, LicenseStatement chosen, LicenseStatement milder) {
  ++contradiction_count_;
  if (contradictions_.size() >= kEntriesMax) return;
  contradictions_.push_back({std::move(id), std::move(chosen), std::move(milder)});
}

void Report::add_rejected(RejectedLine entry) {
  ++by_reason_[static_cast<std::size_t>(entry.rejection.reason)];
  auto& entries = reason_row(entry.rejection.reason).by_policy ? policy_entries_ : broken_entries_;
  if (entries.size() < kEntriesMax) entries.push_back(std::move(entry));
}

void Report::count_tracks(const TrackReader& tracks) {
  FamilyFinder finder;
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    const Track track = tracks.read(i);
    ++by_kind[std::string(kKindNames[static_cast<std::size_t>(track.kind)])];
    ++by_source[track.source];
    ++by_license[std::string(license(track.license).name_id)];
    finder.add(track);
  }
  families = count_families(finder.finish());
  track_count = tracks.size();
}

void Report::count_unlisted(const std::string& value) {
  const auto found = unlisted_values_.find(value);
  if (found != unlisted_values_.end()) {
    ++found->second;
  } else if (unlisted_values_.size() < kUnlistedMax && value.size() <= kUnlistedBytesMax) {
    unlisted_values_.emplace(value, 1);
  } else {
    ++unlisted_not_named_;
  }
}

std::uint64_t Report::rejected_total() const {
  std::uint64_t total = 0;
  for (const auto count : by_reason_) total += count;
  return total;
}

std::uint64_t Report::broken_total() const {
  std::uint64_t total = 0;
  for (const auto& row : kReasons) total += row.by_policy ? 0 : count(row.reason);
  return total;
}

std::string Report::to_json() const {
  json::Writer out;
  out.begin_object();
  out.string("program", "tonearm-catalog " TONEARM_VERSION);
  out.key("version");
  version.empty() ? out.null() : out.string(version);
  out.string("profile", evaluation ? "evaluation" : "standard");
  out.integer("track_count", track_count);
  out.integers("tracks_by_kind", by_kind);
  out.integers("tracks_by_source", by_source);
  out.integers("tracks_by_license", by_license);
  out.integer("variant_families", families.families);
  out.integer("variant_tracks", families.tracks);
  out.key("inputs");
  out.begin_array();
  for (const auto& input : inputs()) {
    out.begin_object();
    out.string("file", input.file);
    out.integer("rows", input.rows);
    out.integer("kept", input.kept);
    out.integer("joined", input.joined);
    out.integer("left_out", input.rows - input.kept - input.joined);
    out.integer("of_no_input", input.of_no_input);
    out.end_object();
  }
  out.end_array();
  out.key("folders");
  out.begin_array();
  for (const auto& folder : folders()) write_folder(out, folder);
  out.end_array();
  out.integer("left_out_total", rejected_total());
  out.integer("left_out_by_policy", rejected_total() - broken_total());
  Counts reasons;
  for (const auto& row : kReasons) {
    if (count(row.reason) != 0) reasons[std::string(row.name)] = count(row.reason);
  }
  out.integers("left_out_by_reason", reasons);
  out.integers("repairs", repairs);
  out.integers("cleaned", cleaned);
  out.key("rules_off");
  out.begin_array();
  for (const auto& rule : rules_off) out.string(rule);
  out.end_array();
  write_tags(out, "tags_before", tags_before);
  write_tags(out, "tags_after", tags_after);
  write_qualities(out, "quality_before", quality_before);
  write_qualities(out, "quality_after", quality_after);
  out.integers("unknown_keys", unknown_keys);
  out.integers("unlisted_values", unlisted_values());
  out.integer("unlisted_values_not_named", unlisted_not_named_);
  out.key("columns_not_found");
  out.begin_array();
  for (const auto& column : columns_not_found) out.string(column);
  out.end_array();
  out.integer("license_contradictions_total", contradiction_count_);
  out.key("license_contradictions");
  out.begin_array();
  for (const auto& one : contradictions()) {
    out.begin_object();
    out.string("id", one.id);
    write_statement(out, "taken", one.chosen, inputs());
    write_statement(out, "milder", one.milder, inputs());
    out.end_object();
  }
  out.end_array();
  write_link_effects(out, links);
  write_duplicates(out, duplicates(), inputs());
  write_names(out, "policy_unmatched", policy_unmatched);
  out.integer("neighbors_given", neighbors_given);
  out.integer("neighbors_dropped", neighbors_dropped);
  out.integer("left_out_not_listed", rejected_total() - broken_entries().size() - policy_entries_.size());
  out.key("left_out");
  out.begin_array();
  for (const auto* entries : {&broken_entries_, &policy_entries_}) {
    for (const auto& entry : *entries) write_entry(out, entry);
  }
  out.end_array();
  out.end_object();
  return in_lines(out.take()) + "\n";
}

std::string Report::rejections() const {
  std::string out;
  for (const auto& folder : folders_) {
    for (const auto& reason : folder.not_understood) out += "  " + folder.folder + "/" + reason + "\n";
  }
  std::size_t shown = 0;
  for (const auto* entries : {&broken_entries_, &policy_entries_}) {
    for (const auto& entry : *entries) {
      if (shown == kShownMax) break;
      if (shown++ == 0) {
        out += rejected_total() <= kShownMax ? "  rejected:\n"
                                             : "  rejected, the first " + std::to_string(kShownMax) + " of " +
                                                   std::to_string(rejected_total()) + " (--report lists more):\n";
      }
      out.append("    ").append(entry.file);
      if (!entry.is_whole_file) out.append(":").append(std::to_string(entry.line));
      out.append(": ").append(entry.rejection.message).append("\n");
    }
  }
  return out;
}

std::string Report::summary() const {
  std::string out = std::to_string(track_count) + " tracks, " + std::to_string(rejected_total()) + " lines rejected\n";
  for (const auto& input : inputs()) {
    out += "  " + input.file + ": " + std::to_string(input.rows) + " lines, " + std::to_string(input.kept) + " kept";
    if (input.joined != 0) out += ", " + std::to_string(input.joined) + " joined to others";
    if (input.of_no_input != 0) out += ", and " + std::to_string(input.of_no_input) + " of no input";
    out += '\n';
  }
  append_counts(out, "by license", by_license);
  append_counts(out, "by source", by_source);
  Counts reasons;
  for (const auto& row : kReasons) {
    if (count(row.reason) != 0) reasons[std::string(row.name)] = count(row.reason);
  }
  append_counts(out, "left out", reasons);
  out += rejections();
  append_counts(out, "repaired", repairs);
  append_counts(out, "cleaned", cleaned);
  if (families.families != 0) {
    out += "  families of variants (\"Rain 01\", \"Rain 02\"): " + std::to_string(families.families) + " of " +
           std::to_string(families.tracks) + " tracks\n";
  }
  out += link_effects_text(links);
  append_counts(out, "unknown keys, ignored", unknown_keys);
  for (const auto& column : columns_not_found) out += "  a column that no row has: " + column + "\n";
  Counts unmatched;
  for (const auto& [list, names] : policy_unmatched) unmatched[list] = names.size();
  append_counts(out, "policy entries that met no track", unmatched);
  return out;
}

}  // namespace tonearm::builder
