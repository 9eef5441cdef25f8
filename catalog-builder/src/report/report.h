#pragma once
// Reports what a build read, kept, rejected and repaired, for the operator and for `--report`.

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "canonical/json_line.h"
#include "canonical/license_statement.h"
#include "canonical/line.h"
#include "report/families.h"
#include "report/link_effects.h"
#include "tonearm/track.h"
#include "tonearm/track_reader.h"

namespace tonearm::builder {

using Counts = std::map<std::string, std::uint64_t>;

/// The distinct tags of a facet.
struct TagCount {
  std::uint64_t tags = 0;
  std::uint64_t once = 0;  // tags of exactly one track
};
using TagCounts = std::array<TagCount, kFacetCount>;

/// How well quality distinguishes the tracks of a kind.
struct QualityTies {
  std::uint64_t values = 0;   // distinct values
  std::uint64_t largest = 0;  // tracks with the most frequent value
};
/// By kind.
using QualityCounts = std::array<QualityTies, kKindNames.size()>;

/// Counts the tags and qualities of tracks.
class ValueCounter {
 public:
  void add(const Track& track);
  TagCounts tags() const;
  QualityCounts qualities() const;

 private:
  std::array<Counts, kFacetCount> tracks_with_tag_;
  std::array<std::map<std::uint16_t, std::uint64_t>, kKindNames.size()> tracks_of_quality_;
};

struct InputCount {
  std::string file;
  std::uint64_t rows = 0;
  std::uint64_t kept = 0;
  std::uint64_t joined = 0;       // merged into the track of another row
  std::uint64_t of_no_input = 0;  // rows that no input of the mapping matches; not in `rows`
};

/// Rows that state different licenses for one recording.
struct Contradiction {
  std::string id;
  LicenseStatement chosen;
  LicenseStatement milder;
};

/// A row of a file.
struct RowPlace {
  std::size_t input = 0;
  std::uint64_t line = 0;
};

/// A track with the same recording as another source's track.
struct Duplicate {
  std::string id;
  std::string kept_id;
  RowPlace place;
};

/// Counts for one folder of audio files.
struct FolderCount {
  std::string folder;
  std::uint64_t audio_files = 0;
  std::uint64_t other_files = 0;
  std::uint64_t measured = 0;
  std::uint64_t from_cache = 0;
  std::vector<std::string> documents;
  std::vector<std::string> not_understood;  // CSV files that are no list of files, with the reason
  Counts licenses_by_document;
  std::map<std::string, std::string> errors;  // by file
  std::vector<std::string> ignored_paths;     // named by documents, without an audio file
  std::vector<std::string> tempo_conflicts;   // files whose stated tempo differs from the measured one
  std::vector<std::string> title_conflicts;   // files whose documents and tags state different titles
};

struct RejectedLine {
  std::string file;
  std::uint64_t line = 0;
  Rejection rejection;
  bool is_whole_file = false;  // `line` is then the number of the file
};

class Report {
 public:
  /// The report lists so many lines that break a rule, and as many that policy rejects; it counts all.
  static constexpr std::size_t kEntriesMax = 1000;
  static constexpr std::size_t kShownMax = 5;
  static constexpr std::size_t kUnlistedMax = 10'000;
  static constexpr std::size_t kUnlistedBytesMax = 200;

  void begin_input(const std::string& file) {
    current_ = inputs_.size();
    inputs_.push_back({file, 0, 0, 0, 0});
    file_.clear();
  }
  /// Sets the file of the current input, a folder, for the next lines; empty: none.
  void set_file(std::string path) { file_ = std::move(path); }
  /// The reference is valid until the next call.
  FolderCount& begin_folder(const std::string& folder) {
    folders_.emplace_back().folder = folder;
    return folders_.back();
  }
  const std::vector<FolderCount>& folders() const { return folders_; }
  std::size_t current_input() const { return current_; }
  void count_kept();
  void count_unmatched() { ++inputs_[current_].of_no_input; }
  /// Counts a row that is deferred to the end of all inputs. Then it is joined to a track, or becomes one.
  void count_deferred() { ++inputs_[current_].rows; }
  void count_joined_deferred(std::size_t input) { ++inputs_[input].joined; }
  void resume(std::size_t input) {
    current_ = input;
    --inputs_[input].rows;
  }
  /// Counts a row that was joined to a deferred row.
  void count_joined(std::size_t input) {
    ++inputs_[input].rows;
    ++inputs_[input].joined;
  }
  /// Rejects a track of `input` that was already kept, because of a statement elsewhere.
  void withdraw(std::size_t input, RowPlace stated, Rejection rejection);
  /// Rejects a track of `input` that was already kept, because `kept_id` has the same recording (LINE-14).
  void add_duplicate(std::size_t input, std::uint64_t line, const std::string& id, const std::string& kept_id);
  void add_contradiction(std::string id, LicenseStatement chosen, LicenseStatement milder);
  /// Rejects a line of the current input.
  void reject(std::uint64_t line, Rejection rejection);
  /// Rejects a row of a file that is joined to an input.
  void reject(const std::string& file, std::uint64_t line, Rejection rejection) {
    add_rejected({file, line, std::move(rejection)});
  }

  /// Counts a value of a vocabulary column that no vocabulary lists ("mine: instrument: shawm").
  void count_unlisted(const std::string& value);

  KeyCounts unknown_keys;
  Counts repairs;
  /// Columns that a mapping names and no row of its JSON files has, with the line of the mapping.
  std::set<std::string> columns_not_found;
  /// Entries of the policy file that match no track, by the name of their list.
  std::map<std::string, std::vector<std::string>> policy_unmatched;
  std::uint64_t neighbors_given = 0;
  std::uint64_t neighbors_dropped = 0;
  Counts cleaned;                      // changes by cleaning rules (BUILD-17), "rule: change"
  std::vector<std::string> rules_off;  // turned off by the policy file
  TagCounts tags_before;               // before and after cleaning
  TagCounts tags_after;
  QualityCounts quality_before;
  QualityCounts quality_after;
  Counts by_kind;
  Counts by_source;
  Counts by_license;
  FamilyCounts families;  // of variants
  LinkEffects links;
  std::string version;  // of the snapshot; empty if none was made
  std::uint64_t track_count = 0;
  bool evaluation = false;

  /// Reads each track once. Throws Failure if one cannot be read.
  void count_tracks(const TrackReader& tracks);
  std::uint64_t count(Reason reason) const { return by_reason_[static_cast<std::size_t>(reason)]; }
  std::uint64_t rejected_total() const;
  /// Counts lines that break a rule and thus fail a build under --strict; rejections by policy do not (LINE-7).
  std::uint64_t broken_total() const;
  /// The first kUnlistedMax distinct values of at most kUnlistedBytesMax bytes.
  const Counts& unlisted_values() const { return unlisted_values_; }
  /// The first kEntriesMax lines that break a rule.
  const std::vector<RejectedLine>& broken_entries() const { return broken_entries_; }
  const std::vector<InputCount>& inputs() const { return inputs_; }
  const std::vector<Contradiction>& contradictions() const { return contradictions_; }

  const std::vector<Duplicate>& duplicates() const { return duplicates_; }

  std::string to_json() const;
  /// Returns a short text for the operator.
  std::string summary() const;
  /// Returns the first kShownMax rejected lines and files with their reasons, and the inputs that were not understood;
  /// empty if there are none (BUILD-27).
  std::string rejections() const;

 private:
  void add_rejected(RejectedLine entry);

  std::vector<InputCount> inputs_;
  std::size_t current_ = 0;
  std::string file_;
  std::vector<FolderCount> folders_;
  Counts unlisted_values_;
  std::uint64_t unlisted_not_named_ = 0;
  std::uint64_t contradiction_count_ = 0;
  std::vector<Contradiction> contradictions_;  // the first kEntriesMax
  std::vector<Duplicate> duplicates_;          // the first kEntriesMax
  std::array<std::uint64_t, kReasonCount> by_reason_{};
  std::vector<RejectedLine> broken_entries_;
  std::vector<RejectedLine> policy_entries_;
};

}  // namespace tonearm::builder
