#include "edits/edit_clips.h"

#include <algorithm>
#include <cmath>

#include "files/file_name.h"
#include "output/listings.h"
#include "text/percent.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::cli {
namespace {

constexpr std::size_t kClipsMax = 100'000;
constexpr std::size_t kStepsMax = 1'000'000;
constexpr std::size_t kProblemsMax = 1'000;
constexpr std::size_t kAddressBytesMax = 4'096;
constexpr std::size_t kNameBytesMax = 255;       // of a file system
constexpr double kSecondsMax = 1'000.0 * 3'600;  // as a limit, so that times can be counted in milliseconds

bool is_file_url(std::string_view address) { return ascii::to_lower(address.substr(0, 5)) == "file:"; }

std::string after_last(std::string_view path, std::string_view separators) {
  while (!path.empty() && separators.find(path.back()) != std::string_view::npos) path.remove_suffix(1);
  return std::string(path.substr(path.find_last_of(separators) + 1));  // npos + 1 is 0
}

/// Files of editors, which they name themselves: the name of the clip says what is in them.
bool is_wrapper(std::string_view name) {
  const auto extension = native::extension_of(name);
  return extension == "mxf" || extension == "omf" || extension == "aaf";
}

/// Says when a range begins, so that a person finds it; empty: unknown.
std::string begin_text(const TimeRange& time) {
  return time.is_known() ? " at " + clock_text(time.begin_s) : std::string();
}

bool is_path(std::string_view name) {
  const bool has_drive = name.size() > 2 && name[1] == ':' && (name[2] == '\\' || name[2] == '/');
  return name.starts_with('/') || name.starts_with("\\\\") || has_drive || is_file_url(name);
}

/// Trims a name. Separators that are left are part of it.
std::string cleaned(std::string_view text) {
  auto name = text::valid_utf8(text);
  name = std::string(text::trimmed(name));
  std::ranges::replace(name, '/', '-');
  return name;
}

std::string name_of(const ClipNames& names) {
  auto name = file_name_at(names.address);
  if (name.empty()) name = file_name_of(names.media);
  if (name.empty() || is_wrapper(name)) {
    if (auto of_clip = file_name_of(names.clip); !of_clip.empty()) name = std::move(of_clip);
  }
  return name;
}

}  // namespace

bool TimeRange::is_known() const { return !std::isnan(begin_s) && !std::isnan(end_s); }

TimeRange TimeRange::within(const TimeRange& window) const {
  const bool is_usable = is_known() && window.is_known() && begin_s <= end_s && std::abs(begin_s) <= kSecondsMax &&
                         std::abs(end_s) <= kSecondsMax;
  if (!is_usable) return {kUnknown, kUnknown};
  return {std::max(begin_s, window.begin_s), std::min(end_s, window.end_s)};
}

std::string file_name_at(std::string_view address) {
  const bool is_file = is_file_url(address);
  const bool is_url = is_file || address.find("://") != std::string_view::npos;
  if (is_url && !is_file) address = address.substr(0, address.find_first_of("?#"));
  auto name = after_last(address, is_url ? "/" : "/\\");
  if (is_url) {
    if (auto decoded = text::decode_percent(name)) name = std::move(*decoded);
  }
  return cleaned(name);
}

std::string file_name_of(std::string_view name) {
  return cleaned(is_path(name) ? file_name_at(name) : std::string(name));
}

std::vector<TimeRange> joined_ranges(std::vector<TimeRange> times, double gap_s) {
  std::ranges::sort(times, {}, &TimeRange::begin_s);
  std::vector<TimeRange> joined;
  for (const auto& time : times) {
    if (!joined.empty() && time.begin_s <= joined.back().end_s + gap_s) {
      joined.back().end_s = std::max(joined.back().end_s, time.end_s);
    } else {
      joined.push_back(time);
    }
  }
  return joined;
}

void EditClips::add(const ClipNames& names, const TimeRange& time) {
  count_step();
  if (time.is_empty()) return;
  if (std::max({names.address.size(), names.media.size(), names.clip.size()}) > kAddressBytesMax) {
    return add_problem("a clip whose name is longer than 4,096 bytes");
  }
  auto name = name_of(names);
  if (name.empty()) return add_problem("a clip without a name" + begin_text(time));
  if (name.size() > kNameBytesMax) return add_problem("a clip whose name is longer than 255 bytes");
  if (clips_.size() == kClipsMax) throw EditError("has more than 100,000 audio clips");
  clips_.push_back({std::move(name), time});
}

void EditClips::add_problem(std::string what) {
  count_step();
  const bool is_known = std::ranges::find(problems_, what) != problems_.end();
  if (!is_known && problems_.size() < kProblemsMax) problems_.push_back(std::move(what));
}

void EditClips::add_problem(std::string_view what, std::string_view name) {
  add_problem(std::string(what) + " \"" + text::quotable(name) + '"');
}

void EditClips::count_step() {
  if (++steps_ > kStepsMax) throw EditError("has more than a million elements to read: export a shorter part");
}

}  // namespace tonearm::cli
