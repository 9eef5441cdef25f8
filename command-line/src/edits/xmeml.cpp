// XML of Final Cut Pro 7, which Premiere and Resolve write. Times are frames of the sequence. Files and sequences are
// described where they are first used; later elements only have their id.

#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "edits/xml.h"

namespace tonearm::cli {
namespace {

struct MediaFile {
  std::string_view name;
  std::string_view address;
};

struct Sequence {
  pugi::xml_node audio;
  double rate = TimeRange::kUnknown;  // frames per second
};

bool is_named(const pugi::xml_node& element, std::string_view name) { return element.name() == name; }

bool is_enabled(const pugi::xml_node& element) { return std::string_view(element.child_value("enabled")) != "FALSE"; }

/// Identifies an element by its id, or itself if it has none.
std::string key_of(const pugi::xml_node& element) {
  const std::string id = element.attribute("id").value();
  return id.empty() ? " " + std::to_string(element.hash_value()) : id;
}

/// Returns the frames per second, or NaN.
double rate_of(const pugi::xml_node& element) {
  const auto rate = element.child("rate");
  const double timebase = finite_number(rate.child_value("timebase"));
  const bool is_ntsc = std::string_view(rate.child_value("ntsc")) == "TRUE";
  if (!(timebase > 0)) return TimeRange::kUnknown;
  return is_ntsc ? timebase * 1000 / 1001 : timebase;
}

double frames_at(const pugi::xml_node& element, const char* name) { return finite_number(element.child_value(name)); }

class XmemlReader {
 public:
  explicit XmemlReader(EditClips& clips) : clips_(clips) {}

  void read(const pugi::xml_node& root) {
    std::vector<pugi::xml_node> sequences;  // that are not within a clip
    visit_elements(root, [&](const pugi::xml_node& element) {
      if (is_named(element, "file") && (element.child("name") || element.child("pathurl"))) {
        files_.try_emplace(key_of(element), MediaFile{element.child_value("name"), element.child_value("pathurl")});
      } else if (is_named(element, "sequence")) {
        if (is_named(element.parent(), "clipitem")) nested_.insert(key_of(element));
        if (element.child("media")) sequences_.try_emplace(key_of(element), described(element));
      }
      return true;
    });
    visit_elements(root, [&](const pugi::xml_node& element) {
      if (is_named(element, "sequence")) sequences.push_back(element);
      return !is_named(element, "sequence") && !is_named(element, "clipitem");
    });
    if (sequences.empty()) throw EditError("has no sequence");
    std::erase_if(sequences, [this](const pugi::xml_node& sequence) { return nested_.contains(key_of(sequence)); });
    if (sequences.empty()) throw EditError("has sequences that contain each other");
    if (sequences.size() > 1) clips_.add_problem("times of several sequences, which all begin at 0");
    for (const auto& sequence : sequences) read_sequence(sequence, 0, TimeRange::whole(), 0);
  }

 private:
  static Sequence described(const pugi::xml_node& sequence) {
    return {sequence.child("media").child("audio"), rate_of(sequence)};
  }

  /// Reads a sequence whose first frame is at `at`.
  void read_sequence(const pugi::xml_node& reference, double at, const TimeRange& window, int depth) {
    if (depth > kEditNestingMax) throw EditError("has sequences that are nested more than 64 deep");
    const auto found = sequences_.find(key_of(reference));
    const bool has_own = static_cast<bool>(reference.child("media"));
    if (!has_own && found == sequences_.end()) {
      return clips_.add_problem("a sequence that is not described:", reference.child_value("name"));
    }
    const auto sequence = has_own ? described(reference) : found->second;
    for (const auto& track : sequence.audio.children()) {
      clips_.count_step();
      if (!is_named(track, "track") || !is_enabled(track)) continue;
      for (const auto& item : track.children()) {
        clips_.count_step();
        if (is_named(item, "clipitem") && is_enabled(item)) read_clip(item, sequence.rate, at, window, depth);
      }
    }
  }

  void read_clip(const pugi::xml_node& item, double rate, double at, const TimeRange& window, int depth) {
    const double begin = boundary_of(item, "start", item.previous_sibling()) / rate;
    const double end = boundary_of(item, "end", item.next_sibling()) / rate;
    const auto time = TimeRange{at + begin, at + end}.within(window);
    if (const auto sequence = item.child("sequence")) {
      return read_sequence(sequence, at + begin - offset_of(item, rate, end - begin), time, depth + 1);
    }
    const auto file = item.child("file");
    const auto found = files_.find(key_of(file));
    if (file && found == files_.end())
      return clips_.add_problem("a clip whose media is not described:", item.child_value("name"));
    const auto media = file ? found->second : MediaFile{};
    clips_.add({media.address, media.name, item.child_value("name")}, time);
  }

  /// Returns where a nested sequence is entered. Unknown if its speed is changed.
  static double offset_of(const pugi::xml_node& item, double sequence_rate, double duration) {
    constexpr double kFrames = 1.5;  // rounding
    const double own = rate_of(item);
    const double rate = own > 0 ? own : sequence_rate;
    const double in = frames_at(item, "in") / rate;
    const double out = frames_at(item, "out") / rate;
    return std::abs(out - in - duration) <= kFrames / rate ? in : TimeRange::kUnknown;
  }

  /// A boundary inside a transition is -1: the clip is heard during the whole transition.
  static double boundary_of(const pugi::xml_node& item, const char* name, const pugi::xml_node& neighbor) {
    const double frames = frames_at(item, name);
    if (frames >= 0) return frames;
    return is_named(neighbor, "transitionitem") ? frames_at(neighbor, name) : TimeRange::kUnknown;
  }

  EditClips& clips_;
  std::unordered_map<std::string, MediaFile> files_;
  std::unordered_map<std::string, Sequence> sequences_;
  std::unordered_set<std::string> nested_;
};

}  // namespace

void read_xmeml(const pugi::xml_node& root, EditClips& clips) { XmemlReader(clips).read(root); }

}  // namespace tonearm::cli
