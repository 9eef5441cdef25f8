#pragma once
// Replaces a file in one step: readers see the old file or the new one, never a partial one (BUILD-2).

#include <cstdint>
#include <string>
#include <vector>

namespace tonearm::native {

/// Throws Failure if a file to be written is also read, or is written twice, by any path or link.
void refuse_overlaps(const std::vector<std::string>& read, const std::vector<std::string>& written);

/// Who may read a published file.
enum class Readers : std::uint8_t { all, owner };

/// A file that is written under another name in the same folder (`.NAME.partial`) and then renamed. If the process is
/// killed, a later one takes over the partial file. Only one process at a time can write a file. Without `publish`, the
/// destructor removes the partial file and leaves the old file untouched.
class Publication {
 public:
  /// Throws Failure if the folder is not writable, another process is writing the same file, or the path names
  /// something other than a regular file.
  explicit Publication(std::string path, Readers readers = Readers::all);
  ~Publication();
  Publication(const Publication&) = delete;
  Publication& operator=(const Publication&) = delete;

  /// The empty file to write to.
  const std::string& partial_path() const { return partial_; }
  /// Replaces the content of the partial file. Throws Failure.
  void write(const std::string& bytes);
  /// Makes the bytes durable and renames the file. Throws Failure and then keeps the old file.
  void publish();

 private:
  void lock(Readers readers);

  std::string path_;
  std::string partial_;
  int file_ = -1;
  bool published_ = false;
};

/// Renames a durable file onto another path of the same disk, and makes that durable. Throws Failure and then keeps
/// both.
void replace_file(const std::string& from, const std::string& to);

/// Writes a whole file through a Publication. Throws Failure.
void publish_file(const std::string& path, const std::string& bytes);
/// Does the same for a file that only its owner may read or write.
void publish_private_file(const std::string& path, const std::string& bytes);

}  // namespace tonearm::native
