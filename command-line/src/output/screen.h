#pragma once
// Detects the properties of stdout that determine how output is printed (CLI-4).

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tonearm::cli {

enum class Color : std::uint8_t { none, good, bad, doubtful, heading };

struct Screen {
  std::size_t width = 0;  // columns; 0: unlimited
  bool has_colors = false;
};

/// The settings of the user and the environment.
struct ScreenSettings {
  bool no_color = false;
  std::string term;     // TERM
  std::string columns;  // COLUMNS, used if the terminal reports no width
};

bool is_terminal(int descriptor);
/// Returns the screen of stdout. If it is not a terminal, it has unlimited width and no colors.
Screen detect_screen(const ScreenSettings& wishes);

/// Returns `text` in a color if the screen has colors. REQUIRES: `text` contains no control characters.
std::string colored(const Screen& screen, Color color, std::string_view text);

}  // namespace tonearm::cli
