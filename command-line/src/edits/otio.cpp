// OpenTimelineIO: nested objects, each with the name of its schema. Positions follow from the order and the durations.

#include <boost/json.hpp>
#include <cmath>

#include "edits/readers.h"
#include "output/json_values.h"

namespace tonearm::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kNestingMax = 256;

/// The sound of the clips in a track.
enum class TrackKind : std::uint8_t { audible, silent };

/// "Clip.2" is "Clip".
std::string schema_of(const json::object& object) {
  const auto schema = text_at(object, {"OTIO_SCHEMA"});
  return schema.substr(0, schema.find('.'));
}

double number_of(const json::object& object, std::string_view name) {
  const auto* const value = find(object, {name});
  if (value == nullptr) return TimeRange::kUnknown;
  boost::system::error_code error;
  const auto number = value->to_number<double>(error);
  return error ? TimeRange::kUnknown : number;
}

/// Returns a RationalTime in seconds, or NaN.
double seconds_at(const json::object& object, std::string_view name) {
  const auto* const time = find(object, {name});
  if (time == nullptr || !time->is_object()) return TimeRange::kUnknown;
  const double rate = number_of(time->get_object(), "rate");
  return rate > 0 ? number_of(time->get_object(), "value") / rate : TimeRange::kUnknown;
}

const json::object* object_at(const json::object& object, std::string_view name) {
  const auto* const value = find(object, {name});
  return value != nullptr && value->is_object() ? &value->get_object() : nullptr;
}

/// Returns the media of a clip that is in use; null: none.
const json::object* media_of(const json::object& clip) {
  const auto* const references = object_at(clip, "media_references");
  if (references == nullptr) return object_at(clip, "media_reference");
  auto key = text_at(clip, {"active_media_reference_key"});
  if (key.empty()) key = "DEFAULT_MEDIA";
  return object_at(*references, key);
}

bool is_enabled(const json::object& item) { return bool_at(item, {"enabled"}).value_or(true); }

class OtioReader {
 public:
  explicit OtioReader(EditClips& clips) : clips_(clips) {}

  void read(const json::object& root) {
    const auto schema = schema_of(root);
    if (schema == "SerializableCollection") {
      for (const auto* child : objects_at(root, {"children"})) read(*child);
    } else if (schema == "Timeline") {
      if (const auto* const stack = object_at(root, "tracks"))
        read_item(*stack, 0, TimeRange::always(), TrackKind::audible);
      has_timeline_ = true;
    } else if (schema == "Stack" || schema == "Track" || schema == "Clip") {
      read_item(root, 0, TimeRange::always(), TrackKind::audible);
      has_timeline_ = true;
    }
  }

  bool has_timeline() const { return has_timeline_; }

 private:
  /// Reads an item whose visible part begins at `at`.
  void read_item(const json::object& item, double at, const TimeRange& window, TrackKind kind, double before = 0,
                 double after = 0) {
    clips_.count_step();
    if (!is_enabled(item)) return;
    const auto schema = schema_of(item);
    const double duration = duration_of(item);
    if (schema == "Clip") return add(item, TimeRange{at - before, at + duration + after}.within(window), kind);
    const auto* const range = object_at(item, "source_range");
    const double start = range != nullptr ? seconds_at(*range, "start_time") : 0;
    const auto inner = range != nullptr ? TimeRange{at, at + duration}.within(window) : window;
    if (schema == "Stack") {
      for (const auto* child : objects_at(item, {"children"})) read_item(*child, at - start, inner, kind);
    } else if (schema == "Track") {
      const auto own = text_at(item, {"kind"}) == "Video" ? TrackKind::silent : TrackKind::audible;
      read_track(item, at - start, inner, own);
    } else if (schema == "Timeline") {
      if (const auto* const stack = object_at(item, "tracks")) read_item(*stack, at, window, kind);
    } else if (schema != "Gap" && schema != "Transition") {
      clips_.add_problem("an element of the unknown type \"" + schema + '"');
    }
  }

  /// A transition takes no time: the clips before and after it overlap by its offsets.
  void read_track(const json::object& track, double at, const TimeRange& window, TrackKind kind) {
    const auto items = objects_at(track, {"children"});
    const auto offset = [&](std::size_t index, std::string_view name) {
      if (index >= items.size() || schema_of(*items[index]) != "Transition") return 0.0;
      return seconds_at(*items[index], name);
    };
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (schema_of(*items[i]) == "Transition") continue;
      read_item(*items[i], at, window, kind, i > 0 ? offset(i - 1, "in_offset") : 0, offset(i + 1, "out_offset"));
      at += duration_of(*items[i]);
    }
  }

  double duration_of(const json::object& item) {
    clips_.count_step();
    if (const auto* const range = object_at(item, "source_range")) return seconds_at(*range, "duration");
    const auto schema = schema_of(item);
    if (schema == "Clip") {
      const auto* const media = media_of(item);
      const auto* const range = media != nullptr ? object_at(*media, "available_range") : nullptr;
      return range != nullptr ? seconds_at(*range, "duration") : TimeRange::kUnknown;
    }
    if (schema == "Timeline") {
      const auto* const stack = object_at(item, "tracks");
      return stack != nullptr ? duration_of(*stack) : 0;
    }
    double duration = 0;
    for (const auto* child : objects_at(item, {"children"})) {
      if (schema_of(*child) == "Transition") continue;
      const double part = duration_of(*child);
      if (schema == "Track") {
        duration += part;
      } else if (std::isnan(part) || part > duration) {
        duration = part;
      }
    }
    return duration;
  }

  void add(const json::object& clip, const TimeRange& time, TrackKind kind) {
    const auto* const media = media_of(clip);
    if (kind == TrackKind::silent || (media != nullptr && schema_of(*media) == "GeneratorReference")) {
      return clips_.add_silent();
    }
    std::string file;
    if (media != nullptr) {
      file = text_at(*media, {"target_url"});
      if (file.empty()) file = text_at(*media, {"name"});
    }
    clips_.add({file, text_at(clip, {"name"})}, time);
  }

  EditClips& clips_;
  bool has_timeline_ = false;
};

}  // namespace

void read_otio(std::string_view text, EditClips& clips) {
  boost::system::error_code error;
  json::parse_options options;
  options.max_depth = kNestingMax;
  const auto root = json::parse({text.data(), text.size()}, error, {}, options);
  if (error) throw EditError("is not JSON: " + error.message());
  OtioReader reader(clips);
  if (root.is_object()) reader.read(root.get_object());
  if (!reader.has_timeline()) throw EditError("has no timeline of OpenTimelineIO");
}

}  // namespace tonearm::cli
