// XML of Final Cut Pro 7, which Premiere and Resolve write. Times are frames of the sequence. Files and sequences are
// described where they are first used; later elements only have their id.

#include <unordered_map>

#include "edits/xml.h"

namespace tonearm::cli {
namespace {

using Elements = std::unordered_map<std::string, pugi::xml_node>;

bool is_enabled(const pugi::xml_node& element) { return std::string_view(element.child_value("enabled")) != "FALSE"; }

/// Returns the frames per second, or NaN.
double rate_of(const pugi::xml_node& element) {
  const auto rate = element.child("rate");
  const double timebase = rate.child("timebase").text().as_double(TimeRange::kUnknown);
  const bool is_ntsc = std::string_view(rate.child_value("ntsc")) == "TRUE";
  if (!(timebase > 0)) return TimeRange::kUnknown;
  return is_ntsc ? timebase * 1000 / 1001 : timebase;
}

double frames_at(const pugi::xml_node& element, const char* name) {
  return element.child(name).text().as_double(TimeRange::kUnknown);
}

bool is_transition(const pugi::xml_node& element) { return std::string_view(element.name()) == "transitionitem"; }

class XmemlReader {
 public:
  explicit XmemlReader(EditClips& clips) : clips_(clips) {}

  void read(const pugi::xml_node& root) {
    visit_elements(root, [this](const pugi::xml_node& element) {
      const std::string_view name = element.name();
      if (name == "file" && (element.child("name") || element.child("pathurl"))) {
        files_.try_emplace(element.attribute("id").value(), element);
      } else if (name == "sequence" && element.child("media")) {
        sequences_.try_emplace(element.attribute("id").value(), element);
      }
      return true;
    });
    bool has_sequence = false;
    visit_elements(root, [&](const pugi::xml_node& element) {
      const std::string_view name = element.name();
      if (name != "sequence") return name != "clipitem";
      has_sequence = true;
      read_sequence(element, 0, TimeRange::always(), 0);
      return false;
    });
    if (!has_sequence) throw EditError("has no sequence");
  }

 private:
  /// Returns the described element of this id.
  static pugi::xml_node described(const Elements& elements, const pugi::xml_node& node) {
    const std::string id = node.attribute("id").value();
    const auto found = id.empty() ? elements.end() : elements.find(id);
    return found == elements.end() ? node : found->second;
  }

  /// Reads a sequence whose first frame is at `at`.
  void read_sequence(const pugi::xml_node& reference, double at, const TimeRange& window, int depth) {
    if (depth > kEditNestingMax) throw EditError("has sequences that are nested more than 64 deep");
    const auto sequence = described(sequences_, reference);
    const auto media = sequence.child("media");
    if (!media)
      return clips_.add_problem(std::string("the sequence \"") + sequence.child_value("name") +
                                "\", which is not described");
    const double rate = rate_of(sequence);
    for (const auto& track : media.child("audio").children("track")) {
      clips_.count_step();
      if (!is_enabled(track)) continue;
      for (const auto& item : track.children("clipitem")) {
        clips_.count_step();
        if (is_enabled(item)) add(item, rate, at, window, depth);
      }
    }
  }

  void add(const pugi::xml_node& item, double rate, double at, const TimeRange& window, int depth) {
    const double begin = boundary_of(item, "start", item.previous_sibling());
    const double end = boundary_of(item, "end", item.next_sibling());
    const auto time = TimeRange{at + begin / rate, at + end / rate}.within(window);
    if (const auto sequence = item.child("sequence")) {
      const double own_rate = rate_of(item);
      return read_sequence(sequence, at + begin / rate - frames_at(item, "in") / (own_rate > 0 ? own_rate : rate), time,
                           depth + 1);
    }
    const auto file = described(files_, item.child("file"));
    const std::string_view address = file.child_value("pathurl");
    clips_.add({address.empty() ? file.child_value("name") : address, item.child_value("name")}, time);
  }

  /// A boundary inside a transition is -1: the clip is heard during the whole transition.
  static double boundary_of(const pugi::xml_node& item, const char* name, const pugi::xml_node& neighbor) {
    const double frames = frames_at(item, name);
    if (frames >= 0) return frames;
    if (!is_transition(neighbor)) return TimeRange::kUnknown;
    return frames_at(neighbor, name);
  }

  EditClips& clips_;
  Elements files_;
  Elements sequences_;
};

}  // namespace

void read_xmeml(const pugi::xml_node& root, EditClips& clips) { XmemlReader(clips).read(root); }

}  // namespace tonearm::cli
