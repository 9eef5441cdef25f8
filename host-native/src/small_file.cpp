#include "small_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace tonearm::native {

std::string read_secret(const std::string& path) {
  constexpr std::size_t kBytesMax = 65'536;
  constexpr const char* kSpace = " \t\r\n";
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path + ": " + std::strerror(errno));
  std::string text(kBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw std::runtime_error("cannot read " + path);
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kBytesMax) throw std::runtime_error(path + " is longer than 64 KiB");
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string::npos) throw std::runtime_error(path + " is empty");
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace tonearm::native
