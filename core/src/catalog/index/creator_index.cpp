#include "catalog/index/creator_index.h"

#include <algorithm>

#include "catalog/index/listing.h"
#include "catalog/storage/statement.h"

namespace tonearm::catalog {
namespace {

/// The builder rejects lines of more than 1 MiB.
constexpr std::uint64_t kNamesBytesMax = 4U << 20U;
/// Most artists need less.
constexpr std::uint64_t kUsualBytes = 128;

}  // namespace

CreatorIndex::CreatorIndex(const Sections& sections, const Layout& layout)
    : creators_(sections[SectionId::creators]),
      starts_(sections[SectionId::creator_starts].array<std::uint32_t>()),
      creator_numbers_(sections[SectionId::creator].array<std::uint32_t>()) {
  if (creator_numbers_.size() != layout.size) throw_damaged("the section creator has the wrong size");
  if (starts_.size() > layout.size) throw_damaged("there are more artists than tracks");
}

CreatorIndex::Names CreatorIndex::names(std::uint32_t number) const {
  const std::uint64_t start = starts_[number];
  std::string buffer;
  CreatorHead head;
  std::memcpy(&head, creators_.bytes(start, sizeof head, buffer).data(), sizeof head);
  if (head.names_bytes() > kNamesBytesMax) throw_damaged("the name of an artist is too long");
  std::string names_buffer;
  const std::string_view both = creators_.bytes(start + sizeof head, head.names_bytes(), names_buffer);
  return {std::string(both.substr(0, head.folded_bytes)), std::string(both.substr(head.folded_bytes))};
}

std::string CreatorIndex::name(std::uint32_t number) const { return names(number).name; }

std::string CreatorIndex::folded_name(std::uint32_t number) const { return names(number).folded; }

void CreatorIndex::add_name_range(std::uint32_t number, std::vector<FileRange>& ranges) const {
  const std::uint64_t start = std::min<std::uint64_t>(starts_[number], creators_.size());
  ranges.push_back(creators_.range(start, std::min(kUsualBytes, creators_.size() - start)));
}

}  // namespace tonearm::catalog
