#include "tonearm/terminal.h"

#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::terminal {
namespace {

void append_escape(std::string& out, char32_t c) {
  out += "\\u";
  ascii::append_hex(out, static_cast<std::uint8_t>(c >> 8U));
  ascii::append_hex(out, static_cast<std::uint8_t>(c & 0xffU));
}

bool is_unsafe(char32_t c) { return text::is_control(c) || text::is_bidi_override(c) || text::is_line_break(c); }

std::string escaped(std::string_view given, bool keeps_line_feeds) {
  const std::string valid = text::valid_utf8(given);
  std::string out;
  for (std::size_t at = 0; at < valid.size();) {
    const char32_t c = text::next_code_point(valid, at);
    if (is_unsafe(c) && !(keeps_line_feeds && c == '\n')) {
      append_escape(out, c);
    } else {
      text::append_utf8(out, c);
    }
  }
  return out;
}

}  // namespace

std::string line(std::string_view text) { return escaped(text, false); }

std::string lines(std::string_view text) { return escaped(text, true); }

}  // namespace tonearm::terminal
