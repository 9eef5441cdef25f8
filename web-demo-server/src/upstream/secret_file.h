#pragma once
// A small secret file in --data. Only its owner can read it, and it is written atomically.

#include <optional>
#include <string>

namespace tonearm::web {

class SecretFile {
 public:
  explicit SecretFile(std::string path) : path_(std::move(path)) {}

  /// Returns nothing if the file does not exist. Throws std::runtime_error if it is unreadable or others may read it.
  std::optional<std::string> read() const;
  /// The content is on disk when the call returns. Throws std::runtime_error.
  void write(const std::string& content) const;

 private:
  std::string path_;
};

}  // namespace tonearm::web
