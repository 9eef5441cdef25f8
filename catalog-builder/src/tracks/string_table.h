#pragma once
// Numbers texts, such as the ids of tracks, in about 18 bytes of memory for each and its bytes.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::builder {

class StringTable {
 public:
  std::uint32_t size() const { return static_cast<std::uint32_t>(starts_.size()); }
  /// Gives the text the next number. If two texts are equal, `find` returns the first.
  void add(std::string_view text);
  /// Returns the number of the text.
  std::optional<std::uint32_t> find(std::string_view text) const;
  /// Returns the text with this number. Valid as long as this object. REQUIRES: number < size().
  std::string_view text(std::uint32_t number) const;

 private:
  /// Returns the slot of the text, or the empty one that it would get.
  std::size_t slot_of(std::string_view text) const;
  void enlarge();

  std::deque<std::string> blocks_;     // the texts one after another
  std::vector<std::uint64_t> starts_;  // of each text: the number of its block and the offset in it
  std::vector<std::uint32_t> slots_;   // numbers by the hashes of their texts
};

}  // namespace tonearm::builder
