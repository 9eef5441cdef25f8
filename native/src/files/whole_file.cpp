#include "files/whole_file.h"

#include <fstream>
#include <iterator>

namespace tonearm::native {

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace tonearm::native
