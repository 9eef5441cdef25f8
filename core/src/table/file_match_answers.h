#pragma once
// The types of the answers with the tracks of files (CREDIT-12) and of pieces of a film (CREDIT-29), and the structs
// with their values.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/file_match.h"
#include "reflection/object_type.h"

namespace tonearm::table {

struct FileMatchView {
  std::string_view name;
  std::optional<std::string_view> track = std::nullopt;  // as JSON
  std::optional<FoundBy> found_by = std::nullopt;
  std::uint32_t score = 0;
};
struct FileMatchesView {
  std::vector<FileMatchView> files;
  std::string credits;
};

struct TrackUseView {
  std::string_view track;  // as JSON
  std::uint64_t begin_ms = 0;
  std::uint64_t end_ms = 0;
  std::uint32_t score = 0;
};
struct RecognizedPieceView {
  std::vector<TrackUseView> uses;
};
struct RecognizedPiecesView {
  std::vector<RecognizedPieceView> pieces;
};

extern const Type<FileMatchesView> kFileMatchesType;
extern const Type<RecognizedPiecesView> kRecognizedPiecesType;

}  // namespace tonearm::table
