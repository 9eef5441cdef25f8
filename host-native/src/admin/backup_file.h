#pragma once
// A file that appears only when it is complete.

#include <cstdint>
#include <string>
#include <string_view>

namespace tonearm::native {

/// Writes a file beside the final path that only its owner may read, and renames it when it is complete and on disk.
/// Never replaces an existing file. All members throw std::runtime_error that names the file and the reason.
class BackupFile {
 public:
  explicit BackupFile(std::string path);
  /// Removes a file that was not published.
  ~BackupFile();
  BackupFile(const BackupFile&) = delete;
  BackupFile& operator=(const BackupFile&) = delete;

  void append(std::string_view bytes);
  void publish();

  /// In bytes.
  std::uint64_t size() const { return size_; }

 private:
  void refuse_existing() const;

  std::string path_;
  std::string partial_path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace tonearm::native
