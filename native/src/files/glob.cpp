#include "files/glob.h"

#include <cstdint>
#include <vector>

namespace tonearm::native {
namespace {

struct Piece {
  enum class Kind : std::uint8_t { character, any_one, run_in_folder, run } kind = Kind::character;
  char character = 0;
};

/// Returns the index after the UTF-8 character that starts at `begin`.
std::size_t end_of_character(std::string_view text, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) ++end;
  return end;
}

bool matches(const std::vector<Piece>& pieces, std::string_view path) {
  // reached[i]: the pieces so far match the first i characters.
  std::vector<bool> reached(path.size() + 1);
  reached[0] = true;
  for (const auto& piece : pieces) {
    std::vector<bool> next(path.size() + 1);
    const bool is_run = piece.kind == Piece::Kind::run || piece.kind == Piece::Kind::run_in_folder;
    if (is_run) next[0] = reached[0];
    for (std::size_t i = 0; i < path.size(); ++i) {
      switch (piece.kind) {
        case Piece::Kind::character:
          next[i + 1] = reached[i] && path[i] == piece.character;
          break;
        case Piece::Kind::any_one:
          if (reached[i]) next[end_of_character(path, i)] = true;
          break;
        case Piece::Kind::run_in_folder:
          next[i + 1] = reached[i + 1] || (next[i] && path[i] != '/');
          break;
        case Piece::Kind::run:
          next[i + 1] = reached[i + 1] || next[i];
          break;
      }
    }
    reached = std::move(next);
  }
  return reached.back();
}

}  // namespace

bool matches_reuse(std::string_view pattern, std::string_view path) {
  std::vector<Piece> pieces;
  pieces.reserve(pattern.size());
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      pieces.push_back({Piece::Kind::character, pattern[++i]});
    } else if (pattern[i] == '*' && i + 1 < pattern.size() && pattern[i + 1] == '*') {
      pieces.push_back({Piece::Kind::run});
      ++i;
    } else if (pattern[i] == '*') {
      pieces.push_back({Piece::Kind::run_in_folder});
    } else {
      pieces.push_back({Piece::Kind::character, pattern[i]});
    }
  }
  return matches(pieces, path);
}

bool matches_debian(std::string_view pattern, std::string_view path) {
  std::vector<Piece> pieces;
  pieces.reserve(pattern.size());
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      pieces.push_back({Piece::Kind::character, pattern[++i]});
    } else if (pattern[i] == '*') {
      pieces.push_back({Piece::Kind::run});
    } else if (pattern[i] == '?') {
      pieces.push_back({Piece::Kind::any_one});
    } else {
      pieces.push_back({Piece::Kind::character, pattern[i]});
    }
  }
  return matches(pieces, path);
}

}  // namespace tonearm::native
