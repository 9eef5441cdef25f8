#include "edits/edit_list.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "edits/readers.h"
#include "files/file_name.h"

namespace tonearm::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kBytesMax = std::uintmax_t{64} * 1024 * 1024;
constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

std::string extension_of(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return native::extension_of(fs::path(path).filename().string());
}

std::string read_text(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) throw EditError(error ? error.message() : "is not a file");
  if (fs::file_size(path, error) > kBytesMax || error) throw EditError("is larger than 64 MiB");
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file) throw EditError("cannot be read");
  return text;
}

/// The two channels of a stereo clip are one use.
constexpr double kTouchingSeconds = 0.000'5;

EditList list_of(const EditClips& clips) {
  EditList list{{}, clips.problems(), clips.silent()};
  std::map<std::string, std::vector<TimeRange>> times;
  std::set<std::string> unknown;
  for (const auto& clip : clips.clips()) {
    auto& of_file = times[clip.file];
    if (clip.time.is_known()) {
      of_file.push_back(clip.time);
    } else if (unknown.insert(clip.file).second) {
      list.problems.push_back("times of \"" + clip.file + '"');
    }
  }
  list.files.reserve(times.size());
  for (auto& [name, of_file] : times) list.files.push_back({name, joined_ranges(std::move(of_file), kTouchingSeconds)});
  if (list.files.empty() && list.problems.empty()) list.problems.emplace_back("it has no clip with sound");
  return list;
}

}  // namespace

bool is_edit_list(const std::string& path) {
  const auto extension = extension_of(path);
  if (extension == "fcpxmld") return true;
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  return !is_folder && (extension == "otio" || extension == "fcpxml" || extension == "xml" || extension == "edl");
}

EditList read_edit_text(const std::string& extension, std::string_view text, double frame_rate) {
  EditClips clips;
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  if (extension == "otio") {
    read_otio(text, clips);
  } else if (extension == "edl") {
    read_edl(text, frame_rate, clips);
  } else {
    read_edit_xml(text, clips);
  }
  return list_of(clips);
}

EditList read_edit_list(const std::string& path, double frame_rate) {
  const auto extension = extension_of(path);
  const auto file = extension == "fcpxmld" ? fs::path(path) / "Info.fcpxml" : fs::path(path);
  return read_edit_text(extension, read_text(file), frame_rate);
}

}  // namespace tonearm::cli
