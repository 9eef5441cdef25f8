#include "input/text_file.h"

#include <array>

#include "input/byte_source.h"
#include "tonearm/result.h"

namespace tonearm::builder {

std::string read_text_file(const std::string& path) {
  constexpr std::size_t kBytesMax = 16U << 20U;
  const auto source = open_bytes(path);
  std::string text;
  std::array<char, 65'536> part{};
  while (const auto count = source->read(part)) {
    text.append(part.data(), count);
    if (text.size() > kBytesMax) throw Failure(path + ": is larger than 16 MiB");
  }
  return text;
}

}  // namespace tonearm::builder
