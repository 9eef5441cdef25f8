#include "edits/edit_clips.h"

#include <algorithm>
#include <cmath>

#include "files/file_name.h"
#include "text/percent.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::cli {
namespace {

constexpr std::size_t kClipsMax = 100'000;
constexpr std::size_t kStepsMax = 1'000'000;
constexpr std::size_t kNameBytesMax = 255;  // of a file system

bool is_url(std::string_view address) {
  const auto begin = ascii::to_lower(address.substr(0, 8));
  return begin.starts_with("file:") || begin.starts_with("http://") || begin.starts_with("https://");
}

/// Files of editors, which they name themselves: the name of the clip says what is in them.
bool is_wrapper(std::string_view name) {
  const auto extension = native::extension_of(name);
  return extension == "mxf" || extension == "omf" || extension == "aaf";
}

/// The names of clips may contain `/`, which separates folders in file names.
std::string name_of_clip(std::string_view text) {
  auto name = text::valid_utf8(text);
  name = text::trimmed(name);
  std::ranges::replace(name, '/', '-');
  return name;
}

}  // namespace

TimeRange TimeRange::within(const TimeRange& window) const {
  if (!std::isfinite(begin_s) || !std::isfinite(end_s)) return *this;
  return {std::max(begin_s, window.begin_s), std::min(end_s, window.end_s)};
}

std::string media_file_name(std::string_view address) {
  const bool has_escapes = is_url(address);
  if (address.starts_with("http")) address = address.substr(0, address.find_first_of("?#"));
  const auto separators = has_escapes ? std::string_view("/") : std::string_view("/\\");
  while (!address.empty() && separators.find(address.back()) != std::string_view::npos) address.remove_suffix(1);
  const auto slash = address.find_last_of(separators);
  std::string name(slash == std::string_view::npos ? address : address.substr(slash + 1));
  if (has_escapes) {
    if (auto decoded = text::decode_percent(name)) name = std::move(*decoded);
  }
  return name_of_clip(name);
}

void EditClips::add(const ClipNames& names, TimeRange time) {
  count_step();
  if (time.end_s <= time.begin_s) return;  // false if a time is unknown
  auto name = media_file_name(names.media);
  if (name.empty() || (is_wrapper(name) && !names.clip.empty())) name = name_of_clip(names.clip);
  if (name.empty()) return add_problem("a clip without a name");
  if (name.size() > kNameBytesMax) return add_problem("a clip whose name is longer than 255 bytes");
  if (clips_.size() == kClipsMax) throw EditError("has more than 100,000 audio clips");
  clips_.push_back({std::move(name), time});
}

void EditClips::add_problem(std::string what) {
  count_step();
  if (std::ranges::find(problems_, what) == problems_.end() && problems_.size() < kNameBytesMax)
    problems_.push_back(std::move(what));
}

void EditClips::count_step() {
  if (++steps_ > kStepsMax) throw EditError("has more than a million elements, or parts that contain themselves");
}

}  // namespace tonearm::cli
