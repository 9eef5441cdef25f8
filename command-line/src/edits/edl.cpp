// EDL in the form of CMX 3600: a line for each event, then comments that name its clips.
//
//   003  AX  A  D  025  00:00:00:00 00:00:10:00 01:00:20:00 01:00:30:00
//   * TO CLIP NAME: rain.wav

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "edits/readers.h"
#include "files/file_name.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::cli {
namespace {

constexpr std::size_t kTimecodes = 4;
constexpr std::size_t kWordsBeforeTimecodes = 4;  // number, reel, channels, transition
constexpr double kNtsc = 1000.0 / 1001.0;

struct Timecode {
  std::array<std::uint32_t, 4> parts{};  // hours, minutes, seconds, frames
  bool is_drop_frame = false;
};

struct Event {
  std::string number;
  std::string reel;
  std::string name;         // FROM CLIP NAME, or TO CLIP NAME of a transition
  std::string source_file;  // SOURCE FILE
  bool has_sound = false;
  bool is_transition = false;
  std::uint32_t transition_frames = 0;
  Timecode begin;
  Timecode end;
};

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr std::string_view kSpace = " \t\r";
  for (auto begin = line.find_first_not_of(kSpace); begin != std::string_view::npos;
       begin = line.find_first_not_of(kSpace, begin)) {
    const auto end = std::min(line.find_first_of(kSpace, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

std::optional<std::uint32_t> number_of(std::string_view text) {
  constexpr std::size_t kDigitsMax = 6;
  if (text.empty() || text.size() > kDigitsMax || !std::ranges::all_of(text, ascii::is_digit)) return std::nullopt;
  std::uint32_t number = 0;
  for (const char c : text) number = number * 10 + static_cast<std::uint32_t>(c - '0');
  return number;
}

/// 01:02:03:04; a `;` or `.` or `,` before the frames is drop-frame.
std::optional<Timecode> timecode_of(std::string_view text) {
  constexpr std::size_t kSize = 11;
  constexpr std::uint32_t kSixty = 60;
  if (text.size() != kSize || (text[2] != ':' && text[2] != ';') || (text[5] != ':' && text[5] != ';')) {
    return std::nullopt;
  }
  Timecode timecode;
  for (std::size_t i = 0; i < timecode.parts.size(); ++i) {
    const auto part = number_of(text.substr(i * 3, 2));
    if (!part) return std::nullopt;
    timecode.parts.at(i) = *part;
  }
  if (timecode.parts[1] >= kSixty || timecode.parts[2] >= kSixty) return std::nullopt;
  if (std::string_view(":;.,").find(text[8]) == std::string_view::npos) return std::nullopt;
  timecode.is_drop_frame = text[8] != ':';
  return timecode;
}

/// A, A2, AA, AA/V, A2/V, B (both) have sound; V and NONE have none, unless a line AUD adds channels.
bool has_sound(std::string_view channels) {
  return channels == "B" || (channels != "NONE" && channels.find('A') != std::string_view::npos);
}

class EdlReader {
 public:
  EdlReader(double frame_rate, EditClips& clips) : frame_rate_(frame_rate), clips_(clips) {}

  void read(std::string_view text) {
    while (!text.empty()) {
      clips_.count_step();
      const auto end = std::min(text.find('\n'), text.size());
      ++line_;
      read_line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (events_.empty()) throw EditError("has no events of an EDL");
    add_events();
  }

 private:
  void read_line(std::string_view line) {
    const auto words = words_of(line);
    if (words.empty()) return;
    if (ascii::is_digit(words[0].front())) return read_event(words);
    if (words[0] == "FCM:") {
      is_drop_frame_ = words.size() > 1 && words[1] == "DROP";
    } else if (words[0] == "SPLIT:") {
      clips_.add_problem("line " + std::to_string(line_) + ", a split edit, whose sound has other times than stated");
    } else if (words[0] == "AUD" && !events_.empty()) {
      events_.back().has_sound = true;
    } else if (words[0].front() == '*' && !events_.empty()) {
      read_comment(line);
    }
  }

  void read_event(const std::vector<std::string_view>& words) {
    std::vector<Timecode> times;
    if (words.size() >= kWordsBeforeTimecodes + kTimecodes) {
      for (auto i = words.size() - kTimecodes; i < words.size(); ++i) {
        if (auto time = timecode_of(words[i])) {
          time->is_drop_frame |= is_drop_frame_;
          times.push_back(*time);
        }
      }
    }
    if (times.size() != kTimecodes) {
      clips_.add_problem("line " + std::to_string(line_) + ", which is no event of an EDL");
      return;
    }
    Event event;
    event.number = words[0];
    event.reel = words[1];
    event.has_sound = has_sound(words[2]);
    event.is_transition = words[3].front() != 'C';
    for (auto i = kWordsBeforeTimecodes; i < words.size() - kTimecodes; ++i) {
      if (const auto frames = number_of(words[i])) event.transition_frames = *frames;
    }
    event.begin = times[2];
    event.end = times[3];
    events_.push_back(std::move(event));
  }

  void read_comment(std::string_view line) {
    line = line.substr(line.find('*') + 1);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return;
    std::string key;
    for (const auto word : words_of(line.substr(0, colon))) key.append(key.empty() ? "" : " ").append(word);
    std::ranges::transform(key, key.begin(), ascii::to_upper);
    const auto value = text::valid_utf8(line.substr(colon + 1));
    const auto name = std::string(text::trimmed(value));
    if (name.empty()) return;
    auto& event = events_.back();
    if (key == "TO CLIP NAME") {
      event.name = name;
    } else if (key == "FROM CLIP NAME") {
      if (!event.is_transition) {
        event.name = name;
      } else if (auto* const outgoing = outgoing_of(events_.size() - 1);
                 outgoing != nullptr && outgoing->name.empty()) {
        outgoing->name = name;
      }
    } else if (key == "SOURCE FILE" && !event.is_transition) {
      event.source_file = name;
    }
  }

  /// A transition has two lines of one number: the clip that ends, and the one that begins.
  Event* outgoing_of(std::size_t index) {
    if (index == 0 || events_[index - 1].number != events_[index].number) return nullptr;
    return &events_[index - 1];
  }

  double frames_per_second() const {
    constexpr double kSlow = 30;
    constexpr double kFast = 60;
    const bool has_drop_frames = std::ranges::any_of(
        events_, [](const Event& event) { return event.begin.is_drop_frame || event.end.is_drop_frame; });
    if (!has_drop_frames) return frame_rate_;
    return (frame_rate_ > kSlow ? kFast : kSlow) * kNtsc;
  }

  /// Counts from midnight. NaN if there is no such frame.
  static double seconds_of(const Timecode& timecode, double rate) {
    const auto nominal = static_cast<std::uint64_t>(std::lround(rate));
    const auto& [hours, minutes, seconds, frames] = timecode.parts;
    if (frames >= nominal) return TimeRange::kUnknown;
    const std::uint64_t all_minutes = std::uint64_t{hours} * 60 + minutes;
    std::uint64_t all = (all_minutes * 60 + seconds) * nominal + frames;
    // Drop-frame timecode omits two numbers of 30 in each minute but each tenth.
    if (timecode.is_drop_frame) all -= nominal / 30 * 2 * (all_minutes - all_minutes / 10);
    return static_cast<double>(all) / rate;
  }

  void add_events() {
    const double rate = frames_per_second();
    std::vector<TimeRange> times;
    double origin = TimeRange::kUnknown;
    for (const auto& event : events_) {
      times.push_back({seconds_of(event.begin, rate), seconds_of(event.end, rate)});
      origin = std::fmin(origin, times.back().begin_s);
    }
    for (std::size_t i = 0; i < events_.size(); ++i) {
      auto& time = times[i];
      time = {time.begin_s - origin, time.end_s - origin};
      if (time.end_s < time.begin_s) time.end_s = TimeRange::kUnknown;
      const auto& event = events_[i];
      // The clip that ends is heard during the transition.
      const auto* const outgoing = event.is_transition ? outgoing_of(i) : nullptr;
      if (outgoing != nullptr) add(*outgoing, {time.begin_s, time.begin_s + event.transition_frames / rate});
      add(event, time);
    }
  }

  void add(const Event& event, const TimeRange& time) {
    if (!event.has_sound || (event.reel == "BL" && event.name.empty())) return clips_.add_silent();
    const bool has_extension = !native::extension_of(event.name).empty();
    auto name = event.name;
    if (name.empty() || (!has_extension && !event.source_file.empty())) name = event.source_file;
    if (name.empty() && event.reel != "AX") name = event.reel;
    clips_.add({name, event.name}, time);
  }

  double frame_rate_;
  EditClips& clips_;
  std::vector<Event> events_;
  std::size_t line_ = 0;
  bool is_drop_frame_ = false;
};

}  // namespace

void read_edl(std::string_view text, double frame_rate, EditClips& clips) { EdlReader(frame_rate, clips).read(text); }

}  // namespace tonearm::cli
