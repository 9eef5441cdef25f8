#pragma once
// Puts a new file into the place of an old one in one step: whoever reads sees the old one or the new one, whole.

#include <string>
#include <vector>

namespace tonearm::builder {

/// Throws Failure where a file to be written is one of those that are read, or another to be written, by whatever path
/// or link.
void refuse_overlaps(const std::vector<std::string>& read, const std::vector<std::string>& written);

/// A file in the making. It is written under another name in the same folder (`.NAME.partial`), which a later build
/// takes over where this one is killed. Only one process at a time can hold it. Without `publish` the destructor
/// removes it, and the old file is untouched.
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
