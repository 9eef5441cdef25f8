#pragma once
// The folder of built files for one size and seed. Tracks which of them are up to date.

#include <cstdint>
#include <string>

namespace tonearm::bench {

class Workspace {
 public:
  /// Creates the folder. Throws std::filesystem::filesystem_error.
  Workspace(const std::string& root, std::uint32_t tracks, std::uint64_t seed);

  const std::string& folder() const { return folder_; }
  std::string path(const std::string& name) const { return folder_ + '/' + name; }

  /// Whether `part` was finished from this input.
  bool has(const std::string& part, const std::string& fingerprint) const;
  /// Marks `part` as outdated until `finish`.
  void begin(const std::string& part) const;
  void finish(const std::string& part, const std::string& fingerprint) const;

 private:
  std::string stamp_of(const std::string& part) const { return path(part + ".stamp"); }

  std::string folder_;
};

}  // namespace tonearm::bench
