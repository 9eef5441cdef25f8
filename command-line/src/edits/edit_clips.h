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

/// Seconds on the timeline of the edit. NaN: unknown.
struct TimeRange {
  double begin_s = 0;
  double end_s = 0;

  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  /// The time of a whole edit.
  static constexpr TimeRange always() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  /// Returns the part within `window`; the range itself if one of its times is unknown.
  TimeRange within(const TimeRange& window) const;
};

struct Clip {
  std::string file;  // the name of its media, without folders; any bytes but `/`
  TimeRange time;
};

/// The names that an edit list states for the media of a clip. Empty: none.
struct ClipNames {
  std::string_view media;  // a name, path, or URL
  std::string_view clip;
};

class EditClips {
 public:
  /// Adds a use of audio. Without a name it becomes a problem. A clip that is never visible is omitted.
  void add(const ClipNames& names, TimeRange time);
  /// Records something that cannot be looked up.
  void add_problem(std::string what);
  /// Counts a clip without sound.
  void add_silent() { ++silent_; }
  /// Counts a step of the reader. Throws EditError above a million: parts that contain each other can be endless.
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

/// Returns the file name at the end of a path or URL. Escapes of a `file:` or `http:` URL are decoded.
std::string media_file_name(std::string_view address);

}  // namespace tonearm::cli
