#include "report/families.h"

#include <unordered_map>

#include "text/unicode.h"

namespace tonearm::builder {

std::string family_title(const std::string& title) {
  constexpr const char* kApart = " \t-_#.:()[]";
  const auto number_end = title.find_last_not_of(" )]");
  if (number_end == std::string::npos) return {};
  const auto before = title.find_last_not_of("0123456789", number_end);
  if (before == number_end || before == std::string::npos) return {};
  const auto stem_end = title.find_last_not_of(kApart, before);
  return stem_end == std::string::npos ? std::string() : text::fold_case(title.substr(0, stem_end + 1));
}

FamilyCounts count_families(std::span<const Track> tracks) {
  std::unordered_map<std::string, std::uint64_t> members;
  for (const auto& track : tracks) {
    const auto title = family_title(track.title);
    if (!title.empty()) ++members[track.source + '\0' + text::fold_case(track.artist) + '\0' + title];
  }
  FamilyCounts counts;
  for (const auto& [family, size] : members) {
    if (size < 2) continue;
    ++counts.families;
    counts.tracks += size;
  }
  return counts;
}

}  // namespace tonearm::builder
