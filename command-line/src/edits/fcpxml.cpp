// FCPXML of Final Cut Pro X. Resources describe media; elements of the story refer to them. An offset is a time of the
// parent, whose own time begins at its `start`. Elements of a spine follow each other. An element with a lane is
// connected to its parent.

#include <unordered_map>
#include <unordered_set>

#include "edits/xml.h"

namespace tonearm::cli {
namespace {

/// Reads "1001/30000s" or "5s". NaN if it is neither.
double seconds_of(std::string text) {
  if (!text.ends_with('s')) return TimeRange::kUnknown;
  text.pop_back();
  const auto slash = text.find('/');
  if (slash == std::string::npos) return finite_number(text.c_str());
  const double divisor = finite_number(text.c_str() + slash + 1);
  return divisor > 0 ? finite_number(text.substr(0, slash).c_str()) / divisor : TimeRange::kUnknown;
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

/// An asset, or the sequence or multicam of a media.
struct Resource {
  pugi::xml_node content;
  double start = 0;
  double duration = TimeRange::kUnknown;
  std::string address{};  // of an asset
  bool has_sound = false;
};

/// An exporter may omit `hasAudio`, which the format permits.
bool may_have_sound(const pugi::xml_node& asset) {
  if (asset.attribute("hasAudio")) return has_value(asset, "hasAudio", "1");
  return !has_value(asset, "hasVideo", "1") || asset.attribute("audioSources") || asset.attribute("audioChannels");
}

Resource asset_of(const pugi::xml_node& asset) {
  Resource resource{asset, time_at(asset, "start", 0), time_at(asset, "duration", TimeRange::kUnknown)};
  resource.address = asset.attribute("src").value();
  if (resource.address.empty()) resource.address = asset.child("media-rep").attribute("src").value();
  if (resource.address.starts_with("./")) resource.address.insert(0, "file:");  // a URL, relative to the list
  resource.has_sound = may_have_sound(asset);
  return resource;
}

Resource media_of(const pugi::xml_node& media) {
  auto content = media.child("sequence");
  if (!content) content = media.child("multicam");
  return {content, time_at(content, "tcStart", 0), time_at(content, "duration", TimeRange::kUnknown)};
}

class FcpxmlReader {
 public:
  explicit FcpxmlReader(EditClips& clips) : clips_(clips) {}

  void read(const pugi::xml_node& root) {
    for (const auto& element : root.child("resources").children()) {
      const std::string id = element.attribute("id").value();
      if (is_named(element, {"asset"})) resources_.try_emplace(id, asset_of(element));
      if (is_named(element, {"media"})) resources_.try_emplace(id, media_of(element));
    }
    int sequences = 0;
    visit_elements(root, [&](const pugi::xml_node& element) {
      if (is_named(element, {"resources"})) return false;
      if (!is_named(element, {"sequence"})) return true;
      if (++sequences == 2) clips_.add_problem("times of several sequences, which all begin at 0");
      read_sequence(element, 0, TimeRange::whole(), 0);
      return false;
    });
    if (sequences == 0) throw EditError("has no sequence");
  }

 private:
  /// Returns null if the resource is not described.
  const Resource* resource_of(const pugi::xml_node& element) const {
    const auto found = resources_.find(element.attribute("ref").value());
    return found == resources_.end() || !found->second.content ? nullptr : &found->second;
  }

  /// Returns the start of the own time of an element.
  double start_of(const pugi::xml_node& element) const {
    const auto* const resource = resource_of(element);
    return time_at(element, "start", resource != nullptr ? resource->start : 0);
  }

  double duration_of(const pugi::xml_node& element) const {
    if (element.attribute("duration")) return time_at(element, "duration", TimeRange::kUnknown);
    if (is_named(element, {"audition"})) return duration_of(chosen_of(element));
    const auto* const resource = resource_of(element);
    return resource != nullptr ? resource->duration : TimeRange::kUnknown;
  }

  /// The first element of an audition is the one in use.
  static pugi::xml_node chosen_of(const pugi::xml_node& audition) {
    return audition.find_child(
        [](const pugi::xml_node& child) { return is_of_story(child) && !is_named(child, {"audition"}); });
  }

  void read_sequence(const pugi::xml_node& sequence, double at, const TimeRange& window, int depth) {
    for (const auto& child : sequence.children()) {
      clips_.count_step();
      if (is_named(child, {"spine"})) read_spine(child, at, window, depth);
    }
  }

  /// Reads elements that follow each other. A transition takes no time; both neighbors are heard during all of it.
  void read_spine(const pugi::xml_node& spine, double at, const TimeRange& window, int depth) {
    pugi::xml_node earlier;
    double before = 0;  // how long the next element is heard before its place
    for (const auto& element : spine.children()) {
      clips_.count_step();
      if (is_named(element, {"transition"})) before = earlier ? half_of(element) : 0;
      if (!is_of_story(element)) continue;
      const auto next = element.next_sibling();
      const double after = is_named(next, {"transition"}) && is_of_story(next.next_sibling()) ? half_of(next) : 0;
      read_element(element, at, window, depth, before, after);
      at += duration_of(element);
      before = 0;
      earlier = element;
    }
  }

  static double half_of(const pugi::xml_node& transition) {
    return time_at(transition, "duration", TimeRange::kUnknown) / 2;
  }

  /// Returns when the sound of an element at `at` is heard; it may begin and end apart from the picture.
  TimeRange sound_of(const pugi::xml_node& element, double at, double start) const {
    const double begin = at + time_at(element, "audioStart", start) - start;
    return {begin,
            begin + (element.attribute("audioDuration") ? time_at(element, "audioDuration", 0) : duration_of(element))};
  }

  /// Reads an element that begins at `at`.
  void read_element(const pugi::xml_node& element, double at, const TimeRange& window, int depth, double before = 0,
                    double after = 0) {
    clips_.count_step();
    if (depth > kEditNestingMax) throw EditError("has elements that are nested more than 64 deep");
    if (is_named(element, {"audition"})) {
      return read_element(chosen_of(element), at, window, depth + 1, before, after);
    }
    if (is_named(element, {"spine"})) return read_spine(element, at, window, depth + 1);
    const double start = start_of(element);
    auto time = sound_of(element, at, start);
    time = TimeRange{time.begin_s - before, time.end_s + after}.within(window);
    const bool is_enabled = !has_value(element, "enabled", "0");
    // Where the own time 0 is, for what is in the element. Unknown if its speed is changed.
    const double origin = element.child("timeMap") ? TimeRange::kUnknown : at - start;
    if (is_enabled) read_own(element, origin, time, depth);
    for (const auto& child : element.children()) {
      clips_.count_step();
      if (!is_of_story(child)) continue;
      const auto anchored = child.attribute("offset") || !is_named(child, {"audition"}) ? child : chosen_of(child);
      const double offset = time_at(anchored, "offset", start);
      // Connected elements are heard beyond the element, and also if it is disabled.
      if (child.attribute("lane")) {
        read_element(child, at + offset - start, window, depth + 1);
      } else if (is_enabled && !is_named(element, {"gap", "title"})) {
        read_element(child, origin + offset, time, depth + 1);
      }
    }
  }

  /// Reads the sound of the media that an element refers to.
  void read_own(const pugi::xml_node& element, double origin, const TimeRange& time, int depth) {
    if (is_named(element, {"asset-clip", "audio"})) {
      add_asset(element, time);
    } else if (is_named(element, {"video"})) {
      clips_.add_silent();
    } else if (is_named(element, {"ref-clip", "mc-clip"})) {
      const auto* const resource = resource_of(element);
      if (resource == nullptr)
        return clips_.add_problem("a clip that is not described:", element.attribute("name").value());
      if (is_named(element, {"mc-clip"})) return read_angles(element, *resource, origin, time, depth);
      if (uses_sound(element)) read_sequence(resource->content, origin + resource->start, time, depth + 1);
    }
  }

  void add_asset(const pugi::xml_node& element, const TimeRange& time) {
    const auto* const resource = resource_of(element);
    const auto* const name = element.attribute("name").value();
    if (resource == nullptr) return clips_.add_problem("a clip whose media is not described:", name);
    const bool is_heard = is_named(element, {"audio"}) || (resource->has_sound && uses_sound(element));
    if (!is_heard) return clips_.add_silent();
    clips_.add({resource->address, resource->content.attribute("name").value(), name}, time);
  }

  /// Reads the angles of a multicam clip whose sound is used; all angles if none is stated.
  void read_angles(const pugi::xml_node& clip, const Resource& multicam, double origin, const TimeRange& time,
                   int depth) {
    std::unordered_set<std::string> wanted;
    bool has_sources = false;
    for (const auto& source : clip.children()) {
      clips_.count_step();
      if (!is_named(source, {"mc-source"})) continue;
      has_sources = true;
      if (uses_sound(source)) wanted.insert(source.attribute("angleID").value());
    }
    for (const auto& angle : multicam.content.children()) {
      clips_.count_step();
      if (!is_named(angle, {"mc-angle"})) continue;
      const bool is_wanted = wanted.erase(angle.attribute("angleID").value()) > 0;
      if (is_wanted || !has_sources) read_spine(angle, origin + multicam.start, time, depth + 1);
    }
    if (!wanted.empty())
      clips_.add_problem("an angle that is not described, of the clip", clip.attribute("name").value());
  }

  EditClips& clips_;
  std::unordered_map<std::string, Resource> resources_;
};

}  // namespace

void read_fcpxml(const pugi::xml_node& root, EditClips& clips) { FcpxmlReader(clips).read(root); }

}  // namespace tonearm::cli
