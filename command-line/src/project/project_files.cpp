#include "project/project_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "files/glob.h"
#include "tonearm/ascii.h"

namespace tonearm::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kFoldersDeep = 64;
constexpr std::uint64_t kEntriesMax = 1'000'000;
constexpr std::size_t kAudioMax = 100'000;
constexpr std::uintmax_t kBytesMax = std::uintmax_t{2} * 1024 * 1024 * 1024;

constexpr std::array<std::string_view, 9> kDecoded{"wav", "flac", "ogg", "oga", "opus", "mp3", "aif", "aiff", "aifc"};
constexpr std::array<std::string_view, 8> kNotDecoded{"m4a", "aac", "wma", "mka", "ape", "wv", "mid", "midi"};

std::string ending_of(std::string_view name) {
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string() : ascii::to_lower(name.substr(dot + 1));
}

bool is_decoded(std::string_view name) { return std::ranges::find(kDecoded, ending_of(name)) != kDecoded.end(); }
bool is_audio(std::string_view name) {
  return is_decoded(name) || std::ranges::find(kNotDecoded, ending_of(name)) != kNotDecoded.end();
}

class Walk {
 public:
  Walk(fs::path root, std::span<const std::string> ignored) : root_(std::move(root)), ignored_(ignored) {}

  ProjectFiles take() {
    std::error_code error;
    real_root_ = fs::canonical(root_, error);
    if (error) throw FolderError(root_.string() + ": " + error.message());
    const auto status = fs::status(real_root_, error);
    if (fs::is_directory(status)) {
      enter(real_root_, "", 0);
    } else if (fs::is_regular_file(status) && is_audio(root_.filename().string())) {
      add_audio(real_root_, root_.filename().string());
    } else {
      throw FolderError(root_.string() + ": is neither a folder nor an audio file");
    }
    std::ranges::sort(files_.audio, {}, &ProjectFile::path);
    std::ranges::sort(files_.skipped, {}, &SkippedEntry::path);
    return std::move(files_);
  }

 private:
  void enter(const fs::path& folder, const std::string& prefix, int depth) {
    if (depth > kFoldersDeep) throw FolderError(root_.string() + ": folders are nested more than 64 deep");
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    if (error) {
      if (depth == 0) throw FolderError(root_.string() + ": cannot be read: " + error.message());
      return miss(prefix, "cannot be read: " + error.message());
    }
    while (entries != fs::directory_iterator()) {
      take_entry(*entries, prefix, depth);
      entries.increment(error);
      if (error) return miss(prefix, "cannot be read to its end: " + error.message());
    }
  }

  void take_entry(const fs::directory_entry& entry, const std::string& prefix, int depth) {
    const auto name = entry.path().filename().string();
    const auto path = prefix + name;
    if (++seen_ > kEntriesMax) throw FolderError(root_.string() + ": holds more than a million files");
    std::error_code error;
    const auto status = entry.symlink_status(error);
    const bool is_folder = fs::is_directory(status);
    if (error) return miss(path, "cannot be looked at: " + error.message());
    if (is_ignored(path) && (is_folder || is_audio(name))) return skip(path, "ignored");
    if (name.front() == '.') {
      if (is_folder || is_audio(name)) return skip(is_folder ? path + '/' : path, "hidden");
      ++files_.other_files;
    } else if (is_folder) {
      enter(entry.path(), path + '/', depth + 1);
    } else if (fs::is_symlink(status)) {
      take_link(entry.path(), path);
    } else if (!is_audio(name)) {
      ++files_.other_files;
    } else if (fs::is_regular_file(status)) {
      add_audio(entry.path(), path);
    } else {
      miss(path, "not a regular file");
    }
  }

  /// A link to what is looked at anyway says nothing new; one to audio elsewhere leaves that audio unknown.
  void take_link(const fs::path& link, const std::string& path) {
    std::error_code error;
    const auto target = fs::canonical(link, error);
    if (error) return take_lost_link(path, error);
    const bool is_folder = fs::is_directory(target, error);
    const bool leads_to_audio = is_audio(target.filename().string());
    if (is_looked_at(target) && (is_folder || leads_to_audio || !is_audio(path))) {
      return skip(path, "a link within the folder");
    }
    if (is_folder) return miss(path, "a link to a folder elsewhere");
    if (is_audio(path) || leads_to_audio) {
      return add({path, {}, Depth::nothing, "a link to audio outside of what is looked at"});
    }
    ++files_.other_files;
  }

  void take_lost_link(const std::string& path, const std::error_code& error) {
    if (is_audio(path)) return add({path, {}, Depth::nothing, "a link that leads nowhere"});
    if (error != std::errc::no_such_file_or_directory) {
      return miss(path, "a link that cannot be followed: " + error.message());
    }
    ++files_.other_files;
  }

  /// Below the folder, and not hidden.
  bool is_looked_at(const fs::path& target) const {
    const auto below = target.lexically_relative(real_root_);
    if (below.empty()) return false;
    const bool is_hidden = std::any_of(below.begin(), below.end(), [](const fs::path& part) {
      return part != "." && part.string().starts_with('.');  // `..` too
    });
    return !is_hidden && !is_ignored(below.string());
  }

  bool is_ignored(const std::string& path) const {
    return std::ranges::any_of(ignored_, [&](const std::string& pattern) {
      return builder::matches_reuse(pattern, path) || builder::matches_reuse(pattern + "/**", path);
    });
  }

  void add_audio(const fs::path& location, const std::string& path) {
    std::error_code error;
    const auto bytes = fs::file_size(location, error);
    if (error) return add({path, {}, Depth::nothing, "cannot be read: " + error.message()});
    if (bytes > kBytesMax)
      return add({path, location.string(), Depth::name, "larger than 2 GiB: only its name counts"});
    if (!is_decoded(path)) {
      return add({path, location.string(), Depth::bytes, "its format is not decoded: only checksum and name count"});
    }
    add({path, location.string()});
  }

  void add(ProjectFile file) {
    if (files_.audio.size() == kAudioMax) throw FolderError(root_.string() + ": holds more than 100,000 audio files");
    files_.audio.push_back(std::move(file));
  }

  void skip(const std::string& path, std::string reason) { files_.skipped.push_back({path, std::move(reason)}); }
  void miss(const std::string& path, std::string reason) { files_.skipped.push_back({path, std::move(reason), true}); }

  fs::path root_;
  fs::path real_root_;
  std::span<const std::string> ignored_;
  ProjectFiles files_;
  std::uint64_t seen_ = 0;
};

}  // namespace

ProjectFiles find_audio(const std::string& path, std::span<const std::string> ignored) {
  return Walk(path, ignored).take();
}

}  // namespace tonearm::cli
