#pragma once
// The type of the answer with the tracks of files (CREDIT-12), and the structs with its values.

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

extern const Type<FileMatchesView> kFileMatchesType;

}  // namespace tonearm::table
