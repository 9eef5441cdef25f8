#pragma once
// Replaces a file in one step: a reader sees the old one or the new one, never a part (BUILD-2).

#include <string>
#include <vector>

namespace tonearm::builder {

/// Throws Failure if a file to be written is also read, or is written twice, by whatever path or link.
void refuse_overlaps(const std::vector<std::string>& read, const std::vector<std::string>& written);

/// A file that is being written, under another name in the same folder (`.NAME.partial`). If the program is killed, a
/// later build takes the name over. Only one process at a time can hold it. Without `publish` the destructor removes it
/// and leaves the old file untouched.
class Publication {
 public:
  /// Throws Failure when the folder cannot be written, another process is making the same file, or what stands at the
  /// path is no regular file.
  explicit Publication(std::string path);
  ~Publication();
  Publication(const Publication&) = delete;
  Publication& operator=(const Publication&) = delete;

  /// An empty file to be written.
  const std::string& partial_path() const { return partial_; }
  /// Replaces what the file holds. Throws Failure.
  void write(const std::string& bytes);
  /// Makes the bytes durable and gives them their name. Throws Failure, and then the old file stands.
  void publish();

 private:
  void lock();

  std::string path_;
  std::string partial_;
  int file_ = -1;
  bool published_ = false;
};

}  // namespace tonearm::builder
