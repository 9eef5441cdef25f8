#include "values/text_repair.h"

#include <array>
#include <optional>

#include "text/unicode.h"

namespace tonearm::builder {
namespace {

/// The characters of Windows-1252 at 0x80..0x9F; 0 for unassigned bytes.
constexpr std::array<char32_t, 32> kWindows1252{0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                                0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

std::optional<char> byte_of(char32_t c) {
  if (c < 0x100) return static_cast<char>(static_cast<unsigned char>(c));
  for (std::size_t i = 0; i < kWindows1252.size(); ++i) {
    if (kWindows1252[i] == c) return static_cast<char>(static_cast<unsigned char>(0x80 + i));
  }
  return std::nullopt;
}

/// Whether a decoded character proves the defect by itself: its first byte is a character that ends no word, as for
/// Latin letters and signs (Â Ã Ä Å), punctuation and symbols (â€, â–), and emoji (ðŸ).
bool is_certain_alone(char32_t c) { return c < 0x180 || (c >= 0x2000 && c < 0x3000) || (c >= 0x1F000 && c < 0x20000); }

/// Whether a combining accent proves the defect: its first byte is a capital Ì or Í inside a lower-case word
/// ("SocietaÌ€", but not "COSÌ…"), or its second byte is unassigned in Windows-1252 ("Ì\x81").
bool is_certain_accent(std::u32string_view text, std::size_t at) {
  const auto c = text[at];
  if (c < 0x300 || c >= 0x370) return false;
  const auto is_small = [&](std::size_t i) { return i < text.size() && text[i] >= 'a' && text[i] <= 'z'; };
  return ((c & 0x20U) == 0 && kWindows1252[c & 0x1FU] == 0) || (at > 0 && is_small(at - 1)) || is_small(at + 1);
}

/// Whether the decoded text proves the defect. Letters of other scripts do if two are adjacent ("Ð£Ð»Ð¾").
bool is_certain(std::u32string_view text) {
  bool has_other = false;
  bool has_pair = false;
  bool was_other = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_other = text[at] >= 0x80 && !is_certain_alone(text[at]) && !is_certain_accent(text, at);
    has_pair = has_pair || (is_other && was_other);
    has_other = has_other || is_other;
    was_other = is_other;
  }
  return !has_other || has_pair;
}

std::optional<std::string> decoded_once(std::string_view text) {
  std::string bytes;
  bool beyond_ascii = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = text::next_code_point(text, at);
    const auto byte = byte_of(c);
    if (!byte) return std::nullopt;
    beyond_ascii = beyond_ascii || c >= 0x80;
    bytes += *byte;
  }
  if (!beyond_ascii || !text::is_utf8(bytes)) return std::nullopt;
  std::u32string decoded;
  for (std::size_t at = 0; at < bytes.size();) decoded += text::next_code_point(bytes, at);
  if (!is_certain(decoded)) return std::nullopt;
  return bytes;
}

/// Returns the base letter of U+00E0..U+00FF; '-' for letters without one and for other characters.
char base_letter(char32_t c) {
  constexpr std::string_view kLatin1 = "aaaaaaaceeeeiiii-nooooo-ouuuuy-y";
  if (c >= 0xE0 && c <= 0xFF) return kLatin1[c - 0xE0];
  return '-';
}

}  // namespace

std::string undo_double_encoding(std::string_view text) {
  std::string result(text);
  while (auto decoded = decoded_once(result)) result = std::move(*decoded);
  return result;
}

std::string sanitize_lines(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = text::next_code_point(text, at);
    if (c == '\r') {
      if (at >= text.size() || text[at] != '\n') out += '\n';
    } else if (c == '\n' || c == '\t' || (!text::is_control(c) && !text::is_bidi_override(c))) {
      out.append(text.substr(begin, at - begin));
    }
  }
  const auto first = out.find_first_not_of(" \t\n");
  if (first == std::string::npos) return {};
  return out.substr(first, out.find_last_not_of(" \t\n") - first + 1);
}

std::string tag_id_from(std::string_view text) {
  const auto folded = text::fold_case(text);
  std::string out;
  for (std::size_t at = 0; at < folded.size();) {
    const char32_t c = text::next_code_point(folded, at);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const char letter = plain ? static_cast<char>(c) : base_letter(c);
    if (c == '\'') continue;  // "rock 'n' roll" -> "rock-n-roll", "carl's" -> "carls"
    if (letter != '-') {
      out += letter;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  if (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

std::string_view remove_doubling(std::string_view text) {
  const auto half = text.size() / 2;
  // Short repetitions occur in real words ("gogo").
  if (text.size() % 2 != 0 || half < 3 || text.substr(0, half) != text.substr(half)) return text;
  return text.substr(0, half);
}

}  // namespace tonearm::builder
