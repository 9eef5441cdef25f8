#include "project/project_files.h"

#include <algorithm>
#include <filesystem>

#include "edits/audio_names.h"
#include "edits/edit_list.h"
#include "files/glob.h"

namespace tonearm::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kDepthMax = 64;
constexpr std::uint64_t kEntriesMax = 1'000'000;
constexpr std::size_t kAudioMax = 100'000;
constexpr std::uintmax_t kBytesMax = std::uintmax_t{2} * 1024 * 1024 * 1024;

bool is_ignored(std::span<const std::string> patterns, const std::string& path) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return native::matches_reuse(pattern, path) || native::matches_reuse(pattern + "/**", path);
  });
}

class ProjectWalk {
 public:
  ProjectWalk(fs::path root, std::span<const std::string> ignored) : root_(std::move(root)), ignored_(ignored) {}

  ProjectFiles run() {
    std::error_code error;
    real_root_ = fs::canonical(root_, error);
    if (error) throw FolderError(root_.string() + ": " + error.message());
    const auto status = fs::status(real_root_, error);
    if (fs::is_directory(status)) {
      walk(real_root_, "", 0);
    } else if (fs::is_regular_file(status) && is_audio_name(root_.filename().string())) {
      add_audio(real_root_, root_.filename().string());
    } else {
      throw FolderError(root_.string() + ": is neither a folder nor an audio file");
    }
    std::ranges::sort(files_.audio, {}, &ProjectFile::path);
    std::ranges::sort(files_.skipped, {}, &SkippedEntry::path);
    return std::move(files_);
  }

 private:
  void walk(const fs::path& folder, const std::string& prefix, int depth) {
    if (depth > kDepthMax) throw FolderError(root_.string() + ": folders are nested more than 64 deep");
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    if (error) {
      if (depth == 0) throw FolderError(root_.string() + ": cannot be read: " + error.message());
      return skip_unchecked(prefix, "cannot be read: " + error.message());
    }
    while (entries != fs::directory_iterator()) {
      add_entry(*entries, prefix, depth);
      entries.increment(error);
      if (error) return skip_unchecked(prefix, "cannot be read to its end: " + error.message());
    }
  }

  void add_entry(const fs::directory_entry& entry, const std::string& prefix, int depth) {
    const auto name = entry.path().filename().string();
    const auto path = prefix + name;
    if (++seen_ > kEntriesMax) throw FolderError(root_.string() + ": contains more than a million files");
    std::error_code error;
    const auto status = entry.symlink_status(error);
    const bool is_folder = fs::is_directory(status);
    if (error) return skip_unchecked(path, "cannot be checked: " + error.message());
    if (is_ignored(ignored_, path) && (is_folder || is_audio_name(name))) return skip(path, "ignored");
    if (name.front() == '.') {
      if (is_folder || is_audio_name(name)) return skip(is_folder ? path + '/' : path, "hidden");
      ++files_.other_files;
    } else if (is_folder) {
      walk(entry.path(), path + '/', depth + 1);
    } else if (fs::is_symlink(status)) {
      add_link(entry.path(), path);
    } else if (!is_audio_name(name)) {
      ++files_.other_files;
    } else if (fs::is_regular_file(status)) {
      add_audio(entry.path(), path);
    } else {
      skip_unchecked(path, "not a regular file");
    }
  }

  /// A link to a scanned file adds nothing. Audio behind a link out of the folder is unknown.
  void add_link(const fs::path& link, const std::string& path) {
    std::error_code error;
    const auto target = fs::canonical(link, error);
    if (error) return add_broken_link(path, error);
    const bool is_folder = fs::is_directory(target, error);
    const bool is_link_to_audio = is_audio_name(target.filename().string());
    if (is_scanned(target) && (is_folder || is_link_to_audio || !is_audio_name(path))) {
      return skip(path, "a link within the folder");
    }
    if (is_folder) return skip_unchecked(path, "a link to a folder outside");
    if (is_audio_name(path) || is_link_to_audio) {
      return add({path, {}, Depth::none, "a link to audio outside of the folder"});
    }
    ++files_.other_files;
  }

  void add_broken_link(const std::string& path, const std::error_code& error) {
    if (is_audio_name(path)) return add({path, {}, Depth::none, "a broken link"});
    if (error != std::errc::no_such_file_or_directory) {
      return skip_unchecked(path, "a link that cannot be followed: " + error.message());
    }
    ++files_.other_files;
  }

  /// Returns whether the target is within the folder and neither hidden nor ignored.
  bool is_scanned(const fs::path& target) const {
    const auto below = target.lexically_relative(real_root_);
    if (below.empty()) return false;
    const bool is_hidden = std::any_of(below.begin(), below.end(), [](const fs::path& part) {
      return part != "." && part.string().starts_with('.');  // `..` too
    });
    return !is_hidden && !is_ignored(ignored_, below.string());
  }

  void add_audio(const fs::path& location, const std::string& path) {
    std::error_code error;
    const auto bytes = fs::file_size(location, error);
    if (error) return add({path, {}, Depth::none, "cannot be read: " + error.message()});
    if (bytes > kBytesMax)
      return add({path, location.string(), Depth::name, "larger than 2 GiB: only its name counts"});
    if (!is_decoded_name(path)) {
      return add({path, location.string(), Depth::bytes, "its format is not decoded: only checksum and name count"});
    }
    add({path, location.string()});
  }

  void add(ProjectFile file) {
    if (files_.audio.size() == kAudioMax)
      throw FolderError(root_.string() + ": contains more than 100,000 audio files");
    files_.audio.push_back(std::move(file));
  }

  void skip(const std::string& path, std::string reason) { files_.skipped.push_back({path, std::move(reason)}); }
  void skip_unchecked(const std::string& path, std::string reason) {
    files_.skipped.push_back({path, std::move(reason), true});
  }

  fs::path root_;
  fs::path real_root_;
  std::span<const std::string> ignored_;
  ProjectFiles files_;
  std::uint64_t seen_ = 0;
};

}  // namespace

ProjectFiles find_audio(const std::string& path, std::span<const std::string> ignored) {
  return ProjectWalk(path, ignored).run();
}

ProjectFiles find_edited_audio(const std::string& path, std::span<const std::string> ignored, double frame_rate) {
  try {
    auto list = read_edit_list(path, frame_rate);
    ProjectFiles files;
    files.other_files = list.silent_clips;
    for (auto& problem : list.problems) files.skipped.push_back({path, std::move(problem), true});
    for (auto& file : list.files) {
      if (is_ignored(ignored, file.name)) {
        files.skipped.push_back({file.name, "ignored"});
      } else {
        files.audio.push_back({std::move(file.name), {}, Depth::name, {}, std::move(file.times)});
      }
    }
    return files;
  } catch (const EditError& error) {
    throw FolderError(path + ": " + error.what());
  }
}

}  // namespace tonearm::cli
