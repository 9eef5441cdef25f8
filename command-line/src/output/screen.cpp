#include "output/screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>

namespace tonearm::cli {
namespace {

constexpr std::size_t kDefaultWidth = 80;
constexpr std::size_t kWidthMin = 40;

std::size_t width_of_stdout(std::string_view columns) {
  winsize size{};
  std::size_t width = 0;
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (width == 0) std::from_chars(columns.data(), columns.data() + columns.size(), width);
  if (width == 0) return kDefaultWidth;
  return width < kWidthMin ? kWidthMin : width;
}

std::string_view escape_of(Color color) {
  switch (color) {
    case Color::good:
      return "\x1b[32m";
    case Color::bad:
      return "\x1b[31m";
    case Color::doubtful:
      return "\x1b[33m";
    case Color::heading:
      return "\x1b[1m";
    case Color::none:
      break;
  }
  return {};
}

}  // namespace

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

Screen detect_screen(const ScreenSettings& wishes) {
  if (!is_terminal(STDOUT_FILENO)) return {};
  return {width_of_stdout(wishes.columns), !wishes.no_color && wishes.term != "dumb"};
}

std::string colored(const Screen& screen, Color color, std::string_view text) {
  const auto escape = screen.has_colors ? escape_of(color) : std::string_view();
  if (escape.empty()) return std::string(text);
  return std::string(escape) + std::string(text) + "\x1b[0m";
}

}  // namespace tonearm::cli
