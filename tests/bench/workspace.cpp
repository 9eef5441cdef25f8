#include "workspace.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace tonearm::bench {

Workspace::Workspace(const std::string& root, std::uint32_t tracks, std::uint64_t seed)
    : folder_(std::filesystem::absolute(root).string() + '/' + std::to_string(tracks) + '-' + std::to_string(seed)) {
  std::filesystem::create_directories(folder_);
}

bool Workspace::has(const std::string& part, const std::string& fingerprint) const {
  std::ifstream file(stamp_of(part));
  std::string stamp;
  return std::getline(file, stamp) && stamp == fingerprint;
}

void Workspace::begin(const std::string& part) const { std::filesystem::remove(stamp_of(part)); }

void Workspace::finish(const std::string& part, const std::string& fingerprint) const {
  std::ofstream file(stamp_of(part));
  file << fingerprint << '\n';
  file.close();
  if (!file) throw std::runtime_error(stamp_of(part) + " cannot be written");
}

}  // namespace tonearm::bench
