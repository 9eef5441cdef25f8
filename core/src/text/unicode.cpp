#include "text/unicode.h"

#include <algorithm>
#include <array>
#include <functional>

#include "tonearm/ascii.h"

namespace tonearm::text {
namespace {

struct Folding {
  char32_t from;
  std::array<char32_t, 3> to;
};

// Sorted by `from`, as Unicode's file is.
constexpr Folding kFoldings[] = {
#include "case_folding.inc"
};

constexpr char32_t kReplacement = 0xfffd;
constexpr std::size_t kQuotedCodePointsMax = 64;

/// Returns the length of the well-formed sequence at `at`; 0 if there is none.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return continues(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const unsigned low = lead == 0xe0 ? 0xa0 : 0x80;
    const unsigned high = lead == 0xed ? 0x9f : 0xbf;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const unsigned low = lead == 0xf0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xf4 ? 0x8f : 0xbf;
    return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) {
      append_utf8(valid, kReplacement);
    } else {
      valid.append(text, at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return valid;
}

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), std::not_fn(is_continuation)));
}

std::string_view first_code_points(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; count > 0 && at < text.size(); --count) next_code_point(text, at);
  return text.substr(0, at);
}

char32_t next_code_point(std::string_view text, std::size_t& at) {
  const std::size_t length = std::max<std::size_t>(sequence_length(text, at), 1);
  const auto lead = static_cast<unsigned char>(text[at]);
  constexpr std::array<unsigned, 5> kLeadMask{0, 0x7f, 0x1f, 0x0f, 0x07};
  char32_t c = lead & kLeadMask[length];
  for (std::size_t i = 1; i < length; ++i) c = (c << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3fU);
  at += length;
  return c;
}

void append_utf8(std::string& out, char32_t c) {
  const auto add = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    add(c);
  } else if (c < 0x800) {
    add(0xc0U | (c >> 6U));
    add(0x80U | (c & 0x3fU));
  } else if (c < 0x10000) {
    add(0xe0U | (c >> 12U));
    add(0x80U | ((c >> 6U) & 0x3fU));
    add(0x80U | (c & 0x3fU));
  } else {
    add(0xf0U | (c >> 18U));
    add(0x80U | ((c >> 12U) & 0x3fU));
    add(0x80U | ((c >> 6U) & 0x3fU));
    add(0x80U | (c & 0x3fU));
  }
}

std::string fold_case(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      folded += ascii::to_lower(text[at++]);
      continue;
    }
    const char32_t c = next_code_point(text, at);
    const auto* const row = std::lower_bound(std::begin(kFoldings), std::end(kFoldings), c,
                                             [](const Folding& folding, char32_t key) { return folding.from < key; });
    if (row == std::end(kFoldings) || row->from != c) {
      append_utf8(folded, c);
      continue;
    }
    for (const char32_t target : row->to) {
      if (target != 0) append_utf8(folded, target);
    }
  }
  return folded;
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

bool is_bidi_override(char32_t c) { return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069); }

bool is_line_break(char32_t c) { return (c >= 0x0a && c <= 0x0d) || c == 0x85 || c == 0x2028 || c == 0x2029; }

bool is_white_space(char32_t c) {
  return is_line_break(c) || c == ' ' || c == '\t' || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) ||
         c == 0x202f || c == 0x205f || c == 0x3000;
}

bool is_word_separator(char32_t c) { return is_white_space(c) || c == ',' || c == ';' || c == '/' || c == '|'; }

std::string_view trimmed(std::string_view text) {
  std::size_t begin = 0;
  for (std::size_t next = 0; begin < text.size() && is_white_space(next_code_point(text, next));) begin = next;
  std::size_t end = text.size();
  while (end > begin) {
    std::size_t last = end - 1;
    while (last > begin && is_continuation(text[last])) --last;
    std::size_t at = last;
    if (!is_white_space(next_code_point(text, at))) break;
    end = last;
  }
  return text.substr(begin, end - begin);
}

std::string one_line(std::string_view text) {
  std::string line;
  std::size_t pending_spaces = 0;
  bool pending_break = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (is_line_break(c)) {
      pending_break = true;
    } else if (c == ' ' || c == '\t') {
      ++pending_spaces;
    } else if (!is_control(c) && !is_bidi_override(c)) {
      if (!line.empty()) line.append(pending_break ? 1 : pending_spaces, ' ');
      pending_spaces = 0;
      pending_break = false;
      append_utf8(line, c);
    }
  }
  return line;
}

std::string quotable(std::string_view input) {
  const std::string valid = valid_utf8(input);
  std::string quoted;
  std::size_t count = 0;
  for (std::size_t at = 0; at < valid.size();) {
    const char32_t c = next_code_point(valid, at);
    if (is_control(c) || is_bidi_override(c) || is_line_break(c)) continue;
    if (count++ == kQuotedCodePointsMax) return quoted + "...";
    append_utf8(quoted, c);
  }
  return quoted;
}

}  // namespace tonearm::text
