#pragma once
// The file that a backup is written into: whole or not there at all.

#include <cstdint>
#include <string>
#include <string_view>

namespace tonearm::native {

/// Written beside its place under another name, readable by its owner alone, and put into its place when it is whole
/// and on disk. An existing file is never touched. All throw std::runtime_error that names the file and the reason.
class BackupFile {
 public:
  explicit BackupFile(std::string path);
  /// Removes what was not published.
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
