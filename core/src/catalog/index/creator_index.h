#pragma once
// Which artist each track has, as a number: artists are numbered in the order of their names as bytes (META-4).
// Constant, safe for concurrent use. Throws Failure if the file is damaged.

#include <span>
#include <string>
#include <vector>

#include "catalog/index/layout.h"
#include "catalog/storage/sections.h"

namespace tonearm::catalog {

/// In the column: a track without an artist, or one that was taken down.
inline constexpr std::uint32_t kNoCreator = ~std::uint32_t{0};

class CreatorIndex {
 public:
  /// The sections outlive the index.
  CreatorIndex(const Sections& sections, const Layout& layout);

  /// How many artists there are.
  std::size_t size() const { return starts_.size(); }
  /// The number of each position's artist, or kNoCreator; to be checked against `size`.
  const Array<std::uint32_t>& of_tracks() const { return of_tracks_; }
  /// The name in its commonest spelling. REQUIRES: number < size().
  std::string name(std::uint32_t number) const;
  /// The same, case-folded.
  std::string folded(std::uint32_t number) const;

  /// For a remote file: where the artists begin, by number.
  const Array<std::uint32_t>& starts() const { return starts_; }
  /// Adds where a name is, as far as that is known before it is read. Reads the start.
  void add_name_range(std::uint32_t number, std::vector<FileRange>& ranges) const;

 private:
  struct Names {
    std::string folded;
    std::string name;
  };
  Names names(std::uint32_t number) const;

  Extent creators_;
  Array<std::uint32_t> starts_;
  Array<std::uint32_t> of_tracks_;
};

}  // namespace tonearm::catalog
