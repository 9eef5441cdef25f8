#include "api/answers/stored_tracks.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "reflection/track_type.h"

namespace tonearm::api {
namespace {

// A text has a line for each track: its position, its offsets and its JSON, which contains no line break, separated by
// spaces.
constexpr std::size_t kTextBytesMax = 1'000'000;

void append_number(std::uint32_t number, std::string& line) { line.append(std::to_string(number)).append(1, ' '); }

std::optional<std::uint32_t> take_number(std::string_view& line) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  const auto size = static_cast<std::size_t>(end - line.data());
  if (error != std::errc{} || size == line.size() || line[size] != ' ') return std::nullopt;
  line.remove_prefix(size + 1);
  return number;
}

}  // namespace

std::vector<std::string> write_tracks(std::span<const FoundTrack> tracks) {
  std::vector<std::string> texts;
  for (const FoundTrack& found : tracks) {
    std::string line;
    append_number(found.position, line);
    for (const std::uint32_t offset : found.track.offsets) append_number(offset, line);
    line.append(found.track.json).append(1, '\n');
    if (line.size() > kTextBytesMax) continue;
    if (texts.empty() || texts.back().size() + line.size() > kTextBytesMax) texts.emplace_back();
    texts.back() += line;
  }
  return texts;
}

StoredTracks::StoredTracks(std::vector<std::string> texts) : texts_(std::move(texts)) {
  for (const std::string& text : texts_) {
    std::string_view rest = text;
    while (!rest.empty()) {
      std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      const auto position = take_number(line);
      std::vector<std::uint32_t> offsets(2 * table::track_paths().size());
      for (std::uint32_t& offset : offsets) {
        const auto number = take_number(line);
        if (!number) return;
        offset = *number;
      }
      const bool is_object = line.starts_with('{') && line.ends_with('}');
      const RenderedTrack track{line, offsets_.emplace_back(std::move(offsets))};
      if (!position || !is_object || !table::has_valid_offsets(track)) return;
      tracks_.push_back({*position, track});
    }
  }
}

}  // namespace tonearm::api
