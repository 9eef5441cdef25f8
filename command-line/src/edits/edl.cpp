// EDL in the form of CMX 3600: a line for each event, then comments that name its clips.
//
//   003  AX  A  D  025  00:00:00:00 00:00:10:00 01:00:20:00 01:00:30:00
//   * TO CLIP NAME: rain.wav

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "edits/audio_names.h"
#include "edits/readers.h"
#include "text/split.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::cli {
namespace {

constexpr std::size_t kLineBytesMax = 4'096;
constexpr double kNtsc = 1000.0 / 1001.0;

struct Timecode {
  std::array<std::uint32_t, 4> parts{};  // hours, minutes, seconds, frames
  bool is_drop_frame = false;            // as its separator says
};

struct Event {
  std::string number;
  std::string reel;
  std::string name;         // FROM CLIP NAME, or TO CLIP NAME of a transition
  std::string from_name;    // of a transition: FROM CLIP NAME
  std::string source_file;  // SOURCE FILE
  bool has_sound = false;
  bool is_transition = false;
  std::uint32_t transition_frames = 0;
  Timecode begin;
  Timecode end;
};

using Words = std::vector<std::string_view>;

Words words_of(std::string_view line) {
  Words words;
  constexpr std::string_view kSpace = " \t";
  for (auto begin = line.find_first_not_of(kSpace); begin != std::string_view::npos;
       begin = line.find_first_not_of(kSpace, begin)) {
    const auto end = std::min(line.find_first_of(kSpace, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

std::string joined(std::span<const std::string_view> words) {
  std::string text;
  for (const auto word : words) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), ascii::to_upper);
  return text;
}

std::optional<std::uint32_t> number_of(std::string_view text) {
  constexpr std::size_t kDigitsMax = 6;
  if (text.size() > kDigitsMax || !ascii::is_digits(text)) return std::nullopt;
  std::uint32_t number = 0;
  for (const char c : text) number = number * 10 + static_cast<std::uint32_t>(c - '0');
  return number;
}

/// 01:02:03:04; `;` or `,` before the frames means drop-frame timecode.
std::optional<Timecode> timecode_of(std::string_view text) {
  constexpr std::size_t kSize = 11;
  constexpr std::uint32_t kSixty = 60;
  constexpr std::string_view kSeparators = ":;.,";
  if (text.size() != kSize) return std::nullopt;
  Timecode timecode;
  for (std::size_t i = 0; i < timecode.parts.size(); ++i) {
    const auto part = number_of(text.substr(i * 3, 2));
    if (!part || (i > 0 && kSeparators.find(text[i * 3 - 1]) == std::string_view::npos)) return std::nullopt;
    timecode.parts.at(i) = *part;
  }
  if (timecode.parts[1] >= kSixty || timecode.parts[2] >= kSixty) return std::nullopt;
  timecode.is_drop_frame = text[8] == ';' || text[8] == ',';
  return timecode;
}

/// Reads V, V2, A, A2, AA, A1A2, B (both), NONE, and such with `/` between. Nullopt if it is none of these.
std::optional<bool> has_sound(std::string_view channels) {
  const auto upper_case = upper(std::string(channels));
  bool sound = false;
  for (const auto part : text::split(upper_case, '/')) {
    const bool is_audio = part.starts_with('A') && part.find_first_not_of("A0123456789") == std::string::npos;
    const bool is_video = part.starts_with('V') && part.find_first_not_of("V0123456789") == std::string::npos;
    if (!is_audio && !is_video && part != "B" && part != "NONE") return std::nullopt;
    sound |= is_audio || part == "B";
  }
  return sound;
}

bool is_transition_word(std::string_view word) {
  const char kind = ascii::to_upper(word.front());
  const bool has_number = word.size() == 1 || ascii::is_digits(word.substr(1));
  return has_number && (kind == 'C' || kind == 'D' || kind == 'W' || kind == 'K');
}

/// Reads a line that ends in four timecodes. From its end, because names of reels may contain spaces.
std::optional<Event> event_of(const Words& words, std::span<const Timecode> times) {
  std::size_t end = words.size() - times.size();
  Event event;
  event.begin = times[2];
  event.end = times[3];
  if (end > 0) {
    if (const auto frames = number_of(words[end - 1])) {
      event.transition_frames = *frames;
      --end;
    }
  }
  if (end > 1 && (words[end - 1] == "B" || words[end - 1] == "O") && words[end - 2] == "K") --end;  // a key
  if (end < 3 || !is_transition_word(words[end - 1])) return std::nullopt;
  const auto sound = has_sound(words[end - 2]);
  if (!sound) return std::nullopt;
  event.has_sound = *sound;
  const char kind = ascii::to_upper(words[end - 1].front());
  event.is_transition = kind == 'D' || kind == 'W';
  event.number = words[0];
  event.reel = joined(std::span(words).subspan(1, end - 3));
  return event;
}

class EdlReader {
 public:
  EdlReader(double frame_rate, EditClips& clips) : frame_rate_(frame_rate), clips_(clips) {}

  void read(std::string_view text) {
    while (!text.empty()) {
      const auto end = std::min(text.find_first_of("\r\n"), text.size());
      const auto next = std::min(text.substr(end).starts_with("\r\n") ? end + 2 : end + 1, text.size());
      ++line_;
      read_line(text.substr(0, end));
      text.remove_prefix(next);
    }
    if (events_.empty()) throw EditError("has no events of an EDL");
    add_events();
  }

 private:
  void read_line(std::string_view line) {
    clips_.count_step();
    if (line.size() > kLineBytesMax) return reject("is longer than 4,096 bytes");
    const auto words = words_of(line);
    if (words.empty()) return;
    std::vector<Timecode> times;
    for (std::size_t i = words.size() - std::min<std::size_t>(words.size(), 4); i < words.size(); ++i) {
      if (const auto time = timecode_of(words[i])) times.push_back(*time);
    }
    if (words[0].front() == '*') {
      read_comment(line);
    } else if (times.size() == 4) {
      read_event(words, times);
    } else if (line.starts_with("FCM:")) {
      const bool is_drop_frame =
          line.find("DROP") != std::string_view::npos && line.find("NON") == std::string_view::npos;
      if (!is_drop_frame_) is_drop_frame_ = is_drop_frame;  // a later line is about the source of the next event
    } else if (words[0] == "SPLIT:") {
      reject("is a split edit, whose sound has other times than stated");
    } else if (words[0] == "AUD" && has_event_) {
      for (auto i = events_.size(); i-- > 0 && events_[i].number == events_.back().number;) events_[i].has_sound = true;
    } else if (ascii::is_digit(words[0].front())) {
      reject("is no event of an EDL");
    }
  }

  /// What follows is about the line that was rejected.
  void reject(std::string_view what) {
    clips_.add_problem("line " + std::to_string(line_) + ", which " + std::string(what));
    has_event_ = false;
  }

  void read_event(const Words& words, const std::vector<Timecode>& times) {
    auto event = event_of(words, times);
    if (!event) return reject("is no event of an EDL");
    events_.push_back(std::move(*event));
    has_event_ = true;
  }

  void read_comment(std::string_view line) {
    line = line.substr(line.find('*') + 1);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !has_event_) return;
    const auto key = upper(joined(words_of(line.substr(0, colon))));
    const auto value = text::valid_utf8(line.substr(colon + 1));
    const std::string name(text::trimmed(value));
    auto& event = events_.back();
    if (key == "TO CLIP NAME") {
      set(event.name, name);
    } else if (key == "FROM CLIP NAME") {
      set(event.is_transition ? event.from_name : event.name, name);
    } else if (key == "SOURCE FILE" && !event.is_transition) {
      set(event.source_file, name);
    }
  }

  void set(std::string& member, const std::string& name) {
    if (!member.empty() && member != name) {
      clips_.add_problem("line " + std::to_string(line_) + ", a second name of one event:", name);
    } else {
      member = name;
    }
  }

  /// A transition has two lines of one number: the clip that ends, and the one that begins.
  const Event* outgoing_of(std::size_t index) const {
    if (index == 0 || events_[index - 1].number != events_[index].number) return nullptr;
    return &events_[index - 1];
  }

  /// Whether the record times are drop-frame. Reports lists that have both kinds.
  bool has_drop_frames() {
    const auto marked = std::ranges::count_if(events_, [](const Event& event) { return event.begin.is_drop_frame; });
    if (is_drop_frame_) return *is_drop_frame_ || marked > 0;
    if (marked > 0 && marked < std::ssize(events_))
      clips_.add_problem("its record times, of which some are drop-frame");
    return marked > 0;
  }

  static double rate_with_drop_frames(double frame_rate) {
    constexpr double kSlow = 30;
    constexpr double kFast = 60;
    return (frame_rate > kSlow ? kFast : kSlow) * kNtsc;
  }

  /// Counts from midnight. NaN if there is no such frame.
  static double seconds_of(const Timecode& timecode, double rate, bool drops_frames) {
    const auto nominal = static_cast<std::uint64_t>(std::lround(rate));
    const auto& [hours, minutes, seconds, frames] = timecode.parts;
    if (frames >= nominal) return TimeRange::kUnknown;
    const std::uint64_t all_minutes = std::uint64_t{hours} * 60 + minutes;
    std::uint64_t all = (all_minutes * 60 + seconds) * nominal + frames;
    // Drop-frame timecode omits two numbers of 30 in each minute but each tenth.
    if (drops_frames) all -= nominal / 30 * 2 * (all_minutes - all_minutes / 10);
    return static_cast<double>(all) / rate;
  }

  void add_events() {
    const bool drops_frames = has_drop_frames();
    const double rate = drops_frames ? rate_with_drop_frames(frame_rate_) : frame_rate_;
    std::vector<TimeRange> times;
    double origin = TimeRange::kUnknown;
    for (const auto& event : events_) {
      times.push_back({seconds_of(event.begin, rate, drops_frames), seconds_of(event.end, rate, drops_frames)});
      origin = std::fmin(origin, times.back().begin_s);
    }
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const auto& event = events_[i];
      const TimeRange time{times[i].begin_s - origin, times[i].end_s - origin};
      if (event.is_transition) add_outgoing(i, {time.begin_s, time.begin_s + event.transition_frames / rate});
      add(event, time);
    }
  }

  /// The clip that ends is heard during the transition.
  void add_outgoing(std::size_t index, const TimeRange& time) {
    const auto& event = events_[index];
    const auto* const line = outgoing_of(index);
    if (line == nullptr && event.from_name.empty()) return;
    Event outgoing = line != nullptr ? *line : event;
    if (line == nullptr) outgoing.name.clear();
    if (outgoing.name.empty()) outgoing.name = event.from_name;
    outgoing.has_sound |= event.has_sound;
    add(outgoing, time);
  }

  void add(const Event& event, const TimeRange& time) {
    if (!event.has_sound || (event.reel == "BL" && event.name.empty())) return clips_.add_silent();
    ClipNames names{.address = {}, .media = event.name, .clip = event.name};
    if (is_audio_name(event.source_file) || event.name.empty()) names.address = event.source_file;
    if (event.name.empty() && event.reel != "AX" && event.reel != "BL") names.media = event.reel;
    clips_.add(names, time.within(TimeRange::whole()));
  }

  double frame_rate_;
  EditClips& clips_;
  std::vector<Event> events_;
  bool has_event_ = false;  // whether comments are about the last event
  std::size_t line_ = 0;
  std::optional<bool> is_drop_frame_;  // as FCM says
};

}  // namespace

void read_edl(std::string_view text, double frame_rate, EditClips& clips) { EdlReader(frame_rate, clips).read(text); }

}  // namespace tonearm::cli
