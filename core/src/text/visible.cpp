#include "text/visible.h"

#include <algorithm>
#include <array>

#include "text/unicode.h"

namespace tonearm::text {
namespace {

struct CodePoints {
  char32_t first;
  char32_t last;
};

/// https://www.unicode.org/Public/15.0.0/ucd/DerivedCoreProperties.txt, Default_Ignorable_Code_Point; and U+2800.
constexpr std::array<CodePoints, 18> kIgnorable{{{0xad, 0xad},
                                                 {0x34f, 0x34f},
                                                 {0x61c, 0x61c},
                                                 {0x115f, 0x1160},
                                                 {0x17b4, 0x17b5},
                                                 {0x180b, 0x180f},
                                                 {0x200b, 0x200f},
                                                 {0x202a, 0x202e},
                                                 {0x2060, 0x206f},
                                                 {0x2800, 0x2800},
                                                 {0x3164, 0x3164},
                                                 {0xfe00, 0xfe0f},
                                                 {0xfeff, 0xfeff},
                                                 {0xffa0, 0xffa0},
                                                 {0xfff0, 0xfff8},
                                                 {0x1bca0, 0x1bca3},
                                                 {0x1d173, 0x1d17a},
                                                 {0xe0000, 0xe0fff}}};

}  // namespace

bool is_invisible(char32_t c) {
  if (is_white_space(c) || is_control(c)) return true;
  return std::any_of(kIgnorable.begin(), kIgnorable.end(),
                     [c](const CodePoints& range) { return c >= range.first && c <= range.last; });
}

bool has_visible(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_invisible(next_code_point(text, at))) return true;
  }
  return false;
}

}  // namespace tonearm::text
