#pragma once
// Maps tracks to their artists. An artist's number is its rank among all names by bytes (META-4). Constant, safe for
// concurrent use. Reading throws CatalogDamaged if the file is damaged.

#include <span>
#include <string>
#include <vector>

#include "catalog/index/layout.h"
#include "catalog/storage/sections.h"

namespace tonearm::catalog {

/// In the column: the track has no artist or was taken down.
inline constexpr std::uint32_t kNoCreator = ~std::uint32_t{0};

class CreatorIndex {
 public:
  /// The sections must outlive the index.
  CreatorIndex(const Sections& sections, const Layout& layout);

  /// The number of artists.
  std::size_t size() const { return starts_.size(); }
  /// The number of each position's artist, or kNoCreator. Callers must check it against `size`.
  const Array<std::uint32_t>& creator_numbers() const { return creator_numbers_; }
  /// Returns the name in its most frequent spelling. REQUIRES: number < size().
  std::string name(std::uint32_t number) const;
  /// Returns the case-folded name. REQUIRES: number < size().
  std::string folded_name(std::uint32_t number) const;

  /// For a remote file: the offsets of the artists, by number.
  const Array<std::uint32_t>& starts() const { return starts_; }
  /// Adds the likely range of a name, whose length is unknown before it is read. Reads the offset.
  void add_name_range(std::uint32_t number, std::vector<FileRange>& ranges) const;

 private:
  struct Names {
    std::string folded;
    std::string name;
  };
  Names names(std::uint32_t number) const;

  Extent creators_;
  Array<std::uint32_t> starts_;
  Array<std::uint32_t> creator_numbers_;
};

}  // namespace tonearm::catalog
