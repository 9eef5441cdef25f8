// FCPXML of Final Cut Pro X. Resources describe media; elements of the story refer to them. An offset is a time of the
// parent, whose own time begins at its `start`. Elements of a spine follow each other. An element with a lane is
// connected to its parent.

#include <cstdlib>
#include <unordered_map>

#include "edits/xml.h"

namespace tonearm::cli {
namespace {

/// Reads "1001/30000s" or "5s". NaN if it is neither.
double seconds_of(const char* text) {
  char* end = nullptr;
  const double number = std::strtod(text, &end);
  if (end == text) return TimeRange::kUnknown;
  if (*end == 's') return number;
  if (*end != '/') return TimeRange::kUnknown;
  char* last = nullptr;
  const double divisor = std::strtod(end + 1, &last);
  return divisor > 0 && *last == 's' ? number / divisor : TimeRange::kUnknown;
}

double time_at(const pugi::xml_node& element, const char* name, double otherwise) {
  const auto attribute = element.attribute(name);
  return attribute ? seconds_of(attribute.value()) : otherwise;
}

bool has_value(const pugi::xml_node& element, const char* name, std::string_view value) {
  return element.attribute(name).value() == value;
}

bool is_named(const pugi::xml_node& element, std::initializer_list<std::string_view> names) {
  const std::string_view name = element.name();
  for (const auto other : names) {
    if (name == other) return true;
  }
  return false;
}

bool is_of_story(const pugi::xml_node& element) {
  return is_named(element, {"spine", "asset-clip", "clip", "audio", "video", "ref-clip", "sync-clip", "mc-clip",
                            "audition", "gap", "title"});
}

/// Whether an element uses the sound of what it refers to.
bool uses_sound(const pugi::xml_node& element) {
  return !has_value(element, "srcEnable", "video") && !has_value(element, "srcEnable", "none");
}

class FcpxmlReader {
 public:
  explicit FcpxmlReader(EditClips& clips) : clips_(clips) {}

  void read(const pugi::xml_node& root) {
    for (const auto& resource : root.child("resources").children())
      resources_.try_emplace(resource.attribute("id").value(), resource);
    bool has_sequence = false;
    visit_elements(root, [&](const pugi::xml_node& element) {
      if (is_named(element, {"resources"})) return false;
      if (!is_named(element, {"sequence"})) return true;
      has_sequence = true;
      read_spine(element.child("spine"), 0, TimeRange::always(), 0);
      return false;
    });
    if (!has_sequence) throw EditError("has no sequence");
  }

 private:
  pugi::xml_node resource(const pugi::xml_node& element) const {
    const auto found = resources_.find(element.attribute("ref").value());
    return found == resources_.end() ? pugi::xml_node() : found->second;
  }

  pugi::xml_node sequence_of(const pugi::xml_node& clip) const { return resource(clip).child("sequence"); }

  double duration_of(const pugi::xml_node& element) const {
    if (element.attribute("duration")) return time_at(element, "duration", TimeRange::kUnknown);
    if (is_named(element, {"audition"})) return duration_of(chosen_of(element));
    if (is_named(element, {"ref-clip"})) return time_at(sequence_of(element), "duration", TimeRange::kUnknown);
    return time_at(resource(element), "duration", TimeRange::kUnknown);
  }

  /// The first element of an audition is the one in use.
  static pugi::xml_node chosen_of(const pugi::xml_node& audition) {
    return audition.find_child(
        [](const pugi::xml_node& child) { return is_of_story(child) && !is_named(child, {"audition"}); });
  }

  /// Reads elements that follow each other. A transition takes no time; both neighbors are heard during all of it.
  void read_spine(const pugi::xml_node& spine, double at, const TimeRange& window, int depth) {
    for (const auto& element : spine.children()) {
      if (!is_of_story(element)) continue;
      read_element(element, at, window, depth, half_of(element.previous_sibling()), half_of(element.next_sibling()));
      at += duration_of(element);
    }
  }

  static double half_of(const pugi::xml_node& neighbor) {
    return is_named(neighbor, {"transition"}) ? time_at(neighbor, "duration", TimeRange::kUnknown) / 2 : 0;
  }

  /// Reads an element that begins at `at`.
  void read_element(const pugi::xml_node& element, double at, const TimeRange& window, int depth, double before = 0,
                    double after = 0) {
    clips_.count_step();
    if (depth > kEditNestingMax) throw EditError("has elements that are nested more than 64 deep");
    if (is_named(element, {"audition"})) {
      const auto chosen = chosen_of(element);
      return read_element(chosen, at, window, depth + 1, before, after);
    }
    if (is_named(element, {"spine"})) return read_spine(element, at, window, depth + 1);
    const double start = time_at(element, "start", time_at(resource(element), "start", 0));
    const auto time = TimeRange{at - before, at + duration_of(element) + after}.within(window);
    const bool is_enabled = !has_value(element, "enabled", "0");
    if (is_enabled) add_own(element, at, start, time, depth);
    for (const auto& child : element.children()) {
      if (!is_of_story(child)) continue;
      // Connected elements are heard beyond the element, and also if it is disabled.
      const bool is_connected = static_cast<bool>(child.attribute("lane"));
      const auto offset = child.attribute("offset") || !is_named(child, {"audition"}) ? child : chosen_of(child);
      const double begin = at + time_at(offset, "offset", start) - start;
      if (is_connected) {
        read_element(child, begin, window, depth + 1);
      } else if (is_enabled && !is_named(element, {"gap", "title"})) {
        read_element(child, begin, time, depth + 1);
      }
    }
  }

  /// Adds the sound of the media that an element refers to.
  void add_own(const pugi::xml_node& element, double at, double start, const TimeRange& time, int depth) {
    if (is_named(element, {"ref-clip"})) {
      if (uses_sound(element)) read_compound(element, at, time, depth);
    } else if (is_named(element, {"mc-clip"})) {
      read_angles(element, at - start, time, depth);
    } else if (is_named(element, {"asset-clip", "audio"})) {
      add_asset(element, time);
    } else if (is_named(element, {"video"})) {
      clips_.add_silent();
    }
  }

  void add_asset(const pugi::xml_node& element, const TimeRange& time) {
    const auto asset = resource(element);
    const bool is_asset = is_named(asset, {"asset"});
    if (!is_asset)
      return clips_.add_problem("a clip whose media is not described: \"" +
                                std::string(element.attribute("name").value()) + '"');
    if (is_named(element, {"asset-clip"}) && (!has_value(asset, "hasAudio", "1") || !uses_sound(element)))
      return clips_.add_silent();
    std::string address = asset.attribute("src").value();
    if (address.empty()) address = asset.child("media-rep").attribute("src").value();
    if (address.starts_with("./")) address.insert(0, "file:");  // also a URL, but relative to the list
    if (address.empty()) address = asset.attribute("name").value();
    clips_.add({address, element.attribute("name").value()}, time);
  }

  void read_compound(const pugi::xml_node& clip, double at, const TimeRange& time, int depth) {
    const auto sequence = sequence_of(clip);
    if (!sequence)
      return clips_.add_problem("a compound clip that is not described: \"" +
                                std::string(clip.attribute("name").value()) + '"');
    const double origin = time_at(sequence, "tcStart", 0);
    read_spine(sequence.child("spine"), at - (time_at(clip, "start", origin) - origin), time, depth + 1);
  }

  /// Reads the angles of a multicam clip whose sound is used; all angles if none is stated. `origin`: where their time
  /// 0 is.
  void read_angles(const pugi::xml_node& clip, double origin, const TimeRange& time, int depth) {
    const auto multicam = resource(clip).child("multicam");
    if (!multicam)
      return clips_.add_problem("a multicam clip that is not described: \"" +
                                std::string(clip.attribute("name").value()) + '"');
    const double first = time_at(multicam, "tcStart", 0);
    for (const auto& angle : multicam.children("mc-angle")) {
      bool is_used = !clip.child("mc-source");
      for (const auto& source : clip.children("mc-source")) {
        is_used |= has_value(source, "angleID", angle.attribute("angleID").value()) && uses_sound(source);
      }
      if (is_used) read_spine(angle, origin + first, time, depth + 1);
    }
  }

  EditClips& clips_;
  std::unordered_map<std::string, pugi::xml_node> resources_;
};

}  // namespace

void read_fcpxml(const pugi::xml_node& root, EditClips& clips) { FcpxmlReader(clips).read(root); }

}  // namespace tonearm::cli
