#pragma once
// Collects the audio clips of an edit list (CLI-25). Belongs to one reader; not thread-safe.

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::cli {

/// An edit list is not of its format, or exceeds a limit. Contains the reason.
class EditError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Seconds on the timeline of the edit. Unknown if one of them is NaN.
struct TimeRange {
  double begin_s = 0;
  double end_s = 0;

  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  /// The time of a whole edit.
  static constexpr TimeRange whole() { return {0, std::numeric_limits<double>::infinity()}; }

  /// Returns the part within `window`; unknown if either is, if the end is before the start, or if it is above 1,000
  /// hours.
  TimeRange within(const TimeRange& window) const;
  bool is_known() const;
  bool is_empty() const { return begin_s >= end_s; }  // false if it is unknown
};

/// Sorts ranges by their beginning, and joins those that overlap or are at most `gap_s` apart. REQUIRES: all are known.
std::vector<TimeRange> joined_ranges(std::vector<TimeRange> times, double gap_s);

struct Clip {
  std::string file;  // the name of its media, without folders
  TimeRange time;
};

/// What an edit list states of the media of a clip. Empty: not stated.
struct ClipNames {
  std::string_view address;  // a URL or path
  std::string_view media;    // a name
  std::string_view clip;     // the name of the clip
};

class EditClips {
 public:
  /// Adds a use of audio. One without a name becomes a problem; an empty range is omitted.
  void add(const ClipNames& names, const TimeRange& time);
  /// Records something that cannot be looked up.
  void add_problem(std::string what);
  void add_problem(std::string_view what, std::string_view name);
  /// Counts a clip without sound.
  void add_silent() { ++silent_; }
  /// Counts an element that is read, each time. Throws EditError above a million: parts that contain each other can be
  /// endless.
  void count_step();

  const std::vector<Clip>& clips() const { return clips_; }
  const std::vector<std::string>& problems() const { return problems_; }
  std::size_t silent() const { return silent_; }

 private:
  std::vector<Clip> clips_;
  std::vector<std::string> problems_;
  std::size_t silent_ = 0;
  std::size_t steps_ = 0;
};

/// Returns the file name at the end of a URL or path. Escapes of a URL are decoded; its query is omitted.
std::string file_name_at(std::string_view address);
/// Returns a name without the folders of a path; a `/` within a name, which separates folders in file names, becomes
/// `-`.
std::string file_name_of(std::string_view name);

}  // namespace tonearm::cli
