#include "folder/walk.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "files/file_name.h"
#include "tonearm/ascii.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

namespace fs = std::filesystem;

constexpr int kFolderDepthMax = 32;
constexpr std::uint64_t kFilesMax = 1'000'000;
constexpr std::array<std::string_view, 9> kAudioExtensions{"wav", "flac", "ogg",  "oga", "opus",
                                                           "mp3", "aif",  "aiff", "aifc"};
constexpr std::array<std::string_view, 12> kDocumentNames{
    "license",    "license.txt", "license.md",       "licence",           "licence.txt",  "licence.md",
    "reuse.toml", "copyright",   "attributions.yml", "attributions.yaml", "tonearm.toml", "copying"};

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_document(const std::string& name) {
  const auto extension = native::extension_of(name);
  return extension == "csv" || extension == "license" || extension == "txt" ||
         contains(kDocumentNames, ascii::to_lower(name));
}

class FolderWalk {
 public:
  explicit FolderWalk(const std::string& folder) : root_(folder) {}

  FolderFiles run() {
    walk(root_, "", 0);
    std::sort(files_.audio.begin(), files_.audio.end());
    std::sort(files_.documents.begin(), files_.documents.end());
    return std::move(files_);
  }

 private:
  void walk(const fs::path& folder, const std::string& prefix, int depth) {
    if (depth > kFolderDepthMax) throw Failure(folder.string() + ": folders are nested more than 32 deep");
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    if (error) throw Failure(folder.string() + ": cannot be read: " + error.message());
    for (; entries != fs::directory_iterator(); entries.increment(error)) {
      add_entry(*entries, prefix, depth);
      if (error) throw Failure(folder.string() + ": cannot be read: " + error.message());
    }
  }

  void add_entry(const fs::directory_entry& entry, const std::string& prefix, int depth) {
    const auto name = entry.path().filename().string();
    const auto path = prefix + name;
    if (++seen_ > kFilesMax) throw Failure(root_ + ": contains more than a million files");
    std::error_code error;
    const auto status = entry.symlink_status(error);
    const bool is_file = !error && fs::is_regular_file(status) && name.front() != '.';
    if (!error && fs::is_directory(status) && (name.front() != '.' || path == ".reuse")) {
      walk(entry.path(), path + "/", depth + 1);
    } else if (is_file && contains(kAudioExtensions, native::extension_of(name))) {
      files_.audio.push_back(path);
    } else if (is_file && (is_document(name) || path == ".reuse/dep5")) {
      files_.documents.push_back(path);
    } else {
      ++files_.ignored;
    }
  }

  std::string root_;
  FolderFiles files_;
  std::uint64_t seen_ = 0;
};

}  // namespace

std::string folder_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? std::string_view() : path.substr(0, slash + 1));
}

FolderFiles walk_folder(const std::string& folder) { return FolderWalk(folder).run(); }

}  // namespace tonearm::builder
