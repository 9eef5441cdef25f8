#pragma once
// The section `ids`: from a track's id to its position. Inside a group tracks stand in the order of the hashes of their
// ids. Constant, safe for concurrent use. Throws sql::Failure where the file is damaged.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/layout.h"
#include "catalog/samples.h"

namespace tonearm::catalog {

class IdIndex {
 public:
  /// The sections outlive the object.
  IdIndex(const Sections& sections, const Layout& layout);

  /// The tracks that may have an id: all but one in some thousands of the others are left out.
  std::vector<std::uint32_t> candidates(std::string_view id) const;
  /// It will be looked up soon.
  void expect(std::string_view id) const;
  void expect(std::span<const std::string> ids) const;

 private:
  struct Group {
    std::uint32_t begin = 0;
    Samples samples;  // of the hashes' upper halves
  };
  /// Where in the section the samples of groups begin; last where checks do.
  struct Places {
    explicit Places(const Layout& layout);
    std::array<std::uint32_t, 5> positions{};
    std::array<std::uint64_t, 5> offsets{};
  };
  IdIndex(const Extent& section, const Places& places);
  void add_places(std::string_view id, std::vector<FileRange>& places) const;

  Extent section_;
  std::array<Group, 4> groups_;
  Array<std::uint16_t> checks_;  // by position: the lowest bits of the hash
};

/// The section. `hashes`: hash64 of the id, by position.
std::string encode_ids(const std::vector<std::uint64_t>& hashes, const Layout& layout);

}  // namespace tonearm::catalog
