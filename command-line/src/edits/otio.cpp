// OpenTimelineIO: nested objects, each with the name of its schema. Positions follow from the order and the durations.

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

#include "edits/audio_names.h"
#include "edits/readers.h"
#include "output/json_values.h"

namespace tonearm::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kNestingMax = 256;

/// What the clips in a track are.
enum class TrackKind : std::uint8_t { sound, pictures };

/// "Clip.2" is "Clip".
std::string schema_of(const json::object& object) {
  const auto schema = text_at(object, {"OTIO_SCHEMA"});
  return schema.substr(0, schema.find('.'));
}

bool is_composition(const std::string& schema) { return schema == "Stack" || schema == "Track"; }

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

bool has_changed_speed(const json::object& item) {
  const auto effects = objects_at(item, {"effects"});
  return std::ranges::any_of(effects, [](const json::object* effect) {
    const auto schema = schema_of(*effect);
    return schema == "LinearTimeWarp" || schema == "FreezeFrame" || schema == "TimeEffect";
  });
}

class OtioReader {
 public:
  explicit OtioReader(EditClips& clips) : clips_(clips) {}

  void read(const json::object& root) {
    const auto schema = schema_of(root);
    if (schema == "SerializableCollection") {
      for (const auto* child : objects_at(root, {"children"})) read(*child);
    } else if (schema == "Timeline" || is_composition(schema) || schema == "Clip") {
      if (++timelines_ == 2) clips_.add_problem("times of several timelines, which all begin at 0");
      read_item(root, 0, TimeRange::whole(), TrackKind::sound);
    } else {
      add_unknown(schema);
    }
  }

  bool has_timeline() const { return timelines_ > 0; }

 private:
  /// Reads an item whose visible part begins at `at`; it is also heard `before` and `after` its range.
  void read_item(const json::object& item, double at, const TimeRange& window, TrackKind kind, double before = 0,
                 double after = 0) {
    clips_.count_step();
    if (!bool_at(item, {"enabled"}).value_or(true)) return;
    const auto schema = schema_of(item);
    if (schema == "Timeline") {
      if (const auto* const stack = object_at(item, "tracks")) read_item(*stack, at, window, kind, before, after);
    } else if (schema == "Clip") {
      add(item, TimeRange{at - before, at + duration_of(item) + after}.within(window), kind);
    } else if (is_composition(schema)) {
      read_composition(item, at, window, kind, before, after);
    } else if (schema != "Gap" && schema != "Transition") {
      add_unknown(schema);
    }
  }

  void read_composition(const json::object& item, double at, const TimeRange& window, TrackKind kind, double before,
                        double after) {
    const auto* const range = object_at(item, "source_range");
    double origin = at;
    auto inner = window;
    if (range != nullptr) {
      origin -= seconds_at(*range, "start_time");
      inner = TimeRange{at - before, at + duration_of(item) + after}.within(window);
    }
    if (has_changed_speed(item)) origin = TimeRange::kUnknown;
    if (schema_of(item) == "Track") {
      const auto own = text_at(item, {"kind"}) == "Video" ? TrackKind::pictures : TrackKind::sound;
      return read_track(item, origin, inner, own);
    }
    for (const auto* child : objects_at(item, {"children"})) read_item(*child, origin, inner, kind);
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
      read_item(*items[i], at, window, kind, i > 1 ? offset(i - 1, "in_offset") : 0, offset(i + 1, "out_offset"));
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
    const bool is_generated = media != nullptr && schema_of(*media) == "GeneratorReference";
    const auto address = media != nullptr ? text_at(*media, {"target_url"}) : std::string();
    const auto name = media != nullptr ? text_at(*media, {"name"}) : std::string();
    // Writers that know no kinds put everything in tracks of pictures.
    const bool is_silent = kind == TrackKind::pictures && !is_audio_name(file_name_at(address));
    if (is_generated || is_silent) return clips_.add_silent();
    const auto of_clip = text_at(clip, {"name"});
    clips_.add({address, name, of_clip}, time);
  }

  void add_unknown(const std::string& schema) { clips_.add_problem("an element of the unknown type", schema); }

  EditClips& clips_;
  int timelines_ = 0;
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
