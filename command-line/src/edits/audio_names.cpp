#include "edits/audio_names.h"

#include <algorithm>
#include <array>

#include "files/file_name.h"

namespace tonearm::cli {
namespace {

constexpr std::array<std::string_view, 9> kDecoded{"wav", "flac", "ogg", "oga", "opus", "mp3", "aif", "aiff", "aifc"};
constexpr std::array<std::string_view, 8> kNotDecoded{"m4a", "aac", "wma", "mka", "ape", "wv", "mid", "midi"};

}  // namespace

bool is_decoded_name(std::string_view name) {
  return std::ranges::find(kDecoded, native::extension_of(name)) != kDecoded.end();
}

bool is_audio_name(std::string_view name) {
  return is_decoded_name(name) || std::ranges::find(kNotDecoded, native::extension_of(name)) != kNotDecoded.end();
}

}  // namespace tonearm::cli
