#pragma once
// Collects the posting lists of terms and facets while tracks are added by position, and writes them.

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "catalog/index/term_index.h"
#include "catalog/writer/section_writer.h"
#include "catalog/writer/track_terms.h"
#include "text/text_table.h"

namespace tonearm::catalog {

class PostingListBuilder {
 public:
  /// REQUIRES: positions ascend from call to call; the track is not taken down.
  void add(std::uint32_t position, const Track& track, const std::unordered_map<std::string, FieldCounts>& words,
           const AverageLengths& average);
  struct Written {
    std::string terms;                                 // the section
    std::string tag_terms;                             // the section
    std::map<std::string, PostingLocation> locations;  // of the wanted keys that some track has
  };
  /// The keys whose locations are stored or used elsewhere.
  struct Keys {
    std::span<const std::string> tags;  // of the listed tags; some track has each
    std::span<const std::string> wanted;
  };
  /// The number of posting lists.
  std::size_t size() const { return terms_.size(); }
  /// Writes the section `postings`. Calls `on_list`, which is not empty, for each posting list.
  Written write(SectionWriter& sections, const Layout& layout, std::span<const std::uint32_t> tie_rank,
                const Keys& keys, const std::function<void()>& on_list) const;

 private:
  /// The tracks of a term. Large catalogs have many, so they are compressed: for each track, the distance from the
  /// previous position, seven bits to a byte, then its impact if the term is a text.
  class Collected {
   public:
    std::uint32_t count() const { return count_; }
    /// Whether the last track has this position.
    bool ends_with(std::uint32_t position) const { return count_ != 0 && last_ == position; }
    /// Starts to load where `add` writes.
    void prefetch_end() const { __builtin_prefetch(bytes_.data() + bytes_.size()); }
    void add(std::uint32_t position);
    void add(std::uint32_t position, std::uint8_t impact);
    /// Reads the tracks. `impacts` stays empty if the term has none.
    void read(bool has_impacts, std::vector<std::uint32_t>& positions, std::vector<std::uint8_t>& impacts) const;

   private:
    void append(std::uint8_t byte);

    std::vector<std::uint8_t> bytes_;
    std::uint32_t count_ = 0;
    std::uint32_t last_ = 0;
  };
  text::TextTable<Collected> terms_;  // by key (facets.h)
};

}  // namespace tonearm::catalog
