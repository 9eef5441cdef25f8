#pragma once
// Membership in posting lists of either form.

#include "catalog/index/posting_list.h"

namespace tonearm::catalog {

/// Whether a posting list contains positions. Calls must have ascending positions. The list must outlive the reader.
class MemberReader {
 public:
  explicit MemberReader(const PostingList& list) : list_(list), cursor_(list.positions) {}
  bool contains(std::uint32_t position) {
    return list_.dense ? has_bit(list_.bits.data(), position) : cursor_.find(position);
  }

 private:
  const PostingList& list_;
  ListCursor cursor_;
};

}  // namespace tonearm::catalog
