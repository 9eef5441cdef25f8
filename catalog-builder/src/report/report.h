#pragma once
// What a build did: what was read, kept, left out and repaired, for the operator and for `--report`.

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "canonical/json_line.h"
#include "canonical/license_statement.h"
#include "canonical/line.h"
#include "report/families.h"
#include "report/link_effects.h"
#include "tonearm/track.h"

namespace tonearm::builder {

using Counts = std::map<std::string, std::uint64_t>;

/// The different tags of a facet.
struct TagCount {
  std::uint64_t tags = 0;
  std::uint64_t once = 0;  // of them, those that one track has
};
using TagCounts = std::array<TagCount, kFacetCount>;
TagCounts count_tags(std::span<const Track> tracks);

/// How well quality tells the tracks of one kind apart.
struct QualityTies {
  std::uint64_t values = 0;   // different ones
  std::uint64_t largest = 0;  // tracks with the most frequent of them
};
/// By kind.
using QualityCounts = std::array<QualityTies, kKindNames.size()>;
QualityCounts count_qualities(std::span<const Track> tracks);

struct InputCount {
  std::string file;
  std::uint64_t rows = 0;
  std::uint64_t kept = 0;
  std::uint64_t joined = 0;       // gave what they know to the track of another row
  std::uint64_t of_no_input = 0;  // rows that no input of the mapping takes; not among `rows`
};

/// Rows that state different licenses for one recording.
struct Contradiction {
  std::string id;
  LicenseStatement taken;
  LicenseStatement milder;
};

/// A row of a file.
struct RowPlace {
  std::size_t input = 0;
  std::uint64_t line = 0;
};

/// A track that is the recording of another source's track.
struct Duplicate {
  std::string id;
  std::string stays;
  RowPlace place;
};

/// What was found in one folder of audio files.
struct FolderCount {
  std::string folder;
  std::uint64_t audio_files = 0;
  std::uint64_t other_files = 0;
  std::uint64_t measured = 0;
  std::uint64_t from_cache = 0;
  std::vector<std::string> documents;
  Counts licenses_by_document;
  std::map<std::string, std::string> errors;  // by file
  std::vector<std::string> ignored_paths;     // that documents name and no audio file has
  std::vector<std::string> tempo_conflicts;   // files whose stated tempo is not the measured one
  std::vector<std::string> title_conflicts;   // files whose documents and tags state different titles
};

struct LeftOut {
  std::string file;
  std::uint64_t line = 0;
  Rejection rejection;
};

class Report {
 public:
  /// The report lists the first so many lines that break a rule, and as many that policy leaves out; it counts all.
  static constexpr std::size_t kEntriesMax = 1000;
  static constexpr std::size_t kUnlistedMax = 10'000;
  static constexpr std::size_t kUnlistedBytesMax = 200;

  void begin_input(const std::string& file) {
    current_ = inputs_.size();
    inputs_.push_back({file, 0, 0, 0, 0});
    file_.clear();
  }
  /// The file of the current input, a folder, whose line comes next; empty: none.
  void at_file(std::string path) { file_ = std::move(path); }
  /// Stands as long as no other folder begins.
  FolderCount& begin_folder(const std::string& folder) {
    folders_.emplace_back().folder = folder;
    return folders_.back();
  }
  const std::vector<FolderCount>& folders() const { return folders_; }
  std::size_t current_input() const { return current_; }
  void kept();
  void of_no_input() { ++inputs_[current_].of_no_input; }
  /// A row that waits for the end of all inputs. Then it is joined to a track, or becomes one.
  void waiting() { ++inputs_[current_].rows; }
  void joined_waiting(std::size_t input) { ++inputs_[input].joined; }
  void resume(std::size_t input) {
    current_ = input;
    --inputs_[input].rows;
  }
  /// A row that was joined to one that waits.
  void joined(std::size_t input) {
    ++inputs_[input].rows;
    ++inputs_[input].joined;
  }
  /// A track of `input` that was kept first, and is left out because of a statement elsewhere.
  void withdrawn(std::size_t input, RowPlace stated, Rejection rejection);
  /// A track of `input` that was kept first, and is left out because `stays` is its recording (LINE-14).
  void duplicate(std::size_t input, std::uint64_t line, const std::string& id, const std::string& stays);
  void contradiction(std::string id, LicenseStatement taken, LicenseStatement milder);
  /// A line of the current input.
  void left_out(std::uint64_t line, Rejection rejection);
  /// A row of a file that is joined to an input: no row of that input.
  void left_out(const std::string& file, std::uint64_t line, Rejection rejection);

  /// A value of a source's vocabulary column that no vocabulary lists ("mine: instrument: shawm").
  void unlisted(const std::string& value);

  KeyCounts unknown_keys;
  Counts repairs;
  /// Columns that a mapping names and no row of its JSON files had, with the line of the mapping.
  std::set<std::string> columns_not_found;
  /// Entries of the policy file that match no track, by the name of their list.
  std::map<std::string, std::vector<std::string>> policy_unmatched;
  std::uint64_t neighbors_given = 0;
  std::uint64_t neighbors_dropped = 0;
  Counts cleaned;                      // what rules of cleaning did (BUILD-17), "rule: what"
  std::vector<std::string> rules_off;  // that the policy file turns off
  TagCounts tags_before;               // cleaning
  TagCounts tags_after;
  QualityCounts quality_before;
  QualityCounts quality_after;
  Counts by_kind;
  Counts by_source;
  Counts by_license;
  FamilyCounts families;  // of variants
  LinkEffects links;
  std::string version;  // of the snapshot; empty where none was made
  std::uint64_t track_count = 0;
  bool evaluation = false;

  void count_tracks(std::span<const Track> tracks);
  std::uint64_t count(Reason reason) const { return by_reason_[static_cast<std::size_t>(reason)]; }
  std::uint64_t left_out_total() const;
  /// Lines that break a rule and so end a build under --strict. What policy leaves out is not among them (LINE-7).
  std::uint64_t broken_total() const;
  /// The first kUnlistedMax distinct ones, none of them longer than kUnlistedBytesMax.
  const Counts& unlisted_values() const { return unlisted_values_; }
  /// Those that break a rule.
  const std::vector<LeftOut>& broken_entries() const { return broken_entries_; }
  const std::vector<InputCount>& inputs() const { return inputs_; }
  const std::vector<Contradiction>& contradictions() const { return contradictions_; }

  const std::vector<Duplicate>& duplicates() const { return duplicates_; }

  std::string to_json() const;
  /// A few lines for a person.
  std::string summary() const;

 private:
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
  std::vector<LeftOut> broken_entries_;
  std::vector<LeftOut> policy_entries_;
};

}  // namespace tonearm::builder
