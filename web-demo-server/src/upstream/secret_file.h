#pragma once
// A small file of --data that holds a secret: only its owner reads it, and it is there whole or not at all.

#include <optional>
#include <string>

namespace tonearm::web {

class SecretFile {
 public:
  explicit SecretFile(std::string path) : path_(std::move(path)) {}

  /// Nothing where there is none. Throws std::runtime_error where it cannot be read, or where others may read it.
  std::optional<std::string> read() const;
  /// On disk when the call returns. Throws std::runtime_error.
  void write(const std::string& content) const;

 private:
  std::string path_;
};

}  // namespace tonearm::web
