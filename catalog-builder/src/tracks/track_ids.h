#pragma once
// Finds tracks by their ids, in about 18 bytes of memory for each track and the bytes of its id.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::builder {

class TrackIds {
 public:
  std::uint32_t size() const { return static_cast<std::uint32_t>(starts_.size()); }
  /// Adds the id of the next track. If two tracks have one id, `find` returns the first.
  void add(std::string_view id);
  /// Returns the index of the track.
  std::optional<std::uint32_t> find(std::string_view id) const;
  /// Returns the id of a track. Valid as long as this object. REQUIRES: index < size().
  std::string_view id(std::uint32_t index) const;

 private:
  /// Returns the slot of the id, or the empty one that it would get.
  std::size_t slot_of(std::string_view id) const;
  void enlarge();

  std::deque<std::string> blocks_;     // the ids one after another
  std::vector<std::uint64_t> starts_;  // of each id: the number of its block and the offset in it
  std::vector<std::uint32_t> slots_;   // indices by the hashes of their ids
};

}  // namespace tonearm::builder
