#pragma once
// What stdout is, as far as it decides how something is printed (CLI-4).

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tonearm::cli {

enum class Color : std::uint8_t { none, good, bad, doubtful, heading };

struct Screen {
  std::size_t width = 0;  // columns; 0: nothing is shortened
  bool has_colors = false;
};

/// What the user and the environment say.
struct ScreenWishes {
  bool no_color = false;
  std::string term;     // TERM
  std::string columns;  // COLUMNS, where the terminal does not know
};

bool is_terminal(int descriptor);
/// That of stdout: where it is no terminal without end and without colors.
Screen screen_of_stdout(const ScreenWishes& wishes);

/// `text` in its color, if the screen has any. REQUIRES: text holds no controls.
std::string painted(const Screen& screen, Color color, std::string_view text);

}  // namespace tonearm::cli
