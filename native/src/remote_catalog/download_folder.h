#pragma once
// The folder in which one process downloads catalogs. Only its owner can enter it.

#include <string>
#include <string_view>

namespace tonearm::native {

class DownloadFolder {
 public:
  /// Creates the folder if it is missing, and locks it as long as the object exists. Throws Failure if another process
  /// uses it (HOST-52), it cannot be written, or other users can write to it.
  explicit DownloadFolder(const std::string& path);
  ~DownloadFolder();
  DownloadFolder(const DownloadFolder&) = delete;
  DownloadFolder& operator=(const DownloadFolder&) = delete;

  /// The snapshot that is being downloaded.
  std::string partial() const { return path_ + "/catalog.partial"; }
  /// A download that a newer version replaced before it was complete: its blocks are still useful.
  std::string previous() const { return path_ + "/catalog.previous"; }
  /// Names the snapshot that was rejected last, so that it is not downloaded again.
  std::string rejected() const { return path_ + "/rejected"; }

 private:
  std::string path_;
  int lock_ = -1;
};

}  // namespace tonearm::native
