#include "catalog/index/license_tree.h"

#include <algorithm>
#include <span>

namespace tonearm::catalog {
namespace {

/// Four levels of the tree are computed from each stored row: 8.5 bytes are stored per track, and a path reads 512
/// bytes from each row.
constexpr std::uint64_t kGroupNodes = 16;

std::uint64_t parents_of(std::uint64_t nodes) { return (nodes + kGroupNodes - 1) / kGroupNodes; }

}  // namespace

EncodedLicenseTree encode_license_tree(std::vector<Sha256> lowest, Hashing& hashing) {
  EncodedLicenseTree encoded;
  std::vector<Sha256> row = std::move(lowest);
  for (;;) {
    encoded.section += raw_bytes(row);
    if (row.size() <= kGroupNodes) break;
    std::vector<Sha256> parents;
    parents.reserve(static_cast<std::size_t>(parents_of(row.size())));
    for (std::size_t begin = 0; begin < row.size(); begin += kGroupNodes) {
      const auto group = std::span(row).subspan(begin, std::min<std::size_t>(kGroupNodes, row.size() - begin));
      parents.push_back(tree_root({group.begin(), group.end()}, hashing));
    }
    row = std::move(parents);
  }
  encoded.root = tree_root(std::move(row), hashing);
  return encoded;
}

template <class Visit>
void LicenseTree::each_group(std::uint32_t track_block, const Visit& visit) const {
  std::uint64_t row_begin = 0;  // in nodes
  std::uint64_t index = track_block;
  for (std::uint64_t count = lowest_count_;; count = parents_of(count)) {
    const std::uint64_t first = index / kGroupNodes * kGroupNodes;
    visit((row_begin + first) * sizeof(Sha256), std::min(kGroupNodes, count - first), index - first);
    if (count <= kGroupNodes) return;
    row_begin += count;
    index /= kGroupNodes;
  }
}

std::vector<Sha256> LicenseTree::nodes_at(std::uint64_t offset, std::uint64_t count) const {
  std::vector<Sha256> nodes(static_cast<std::size_t>(count));
  std::string buffer;
  const std::string_view bytes = section_.bytes(offset, count * sizeof(Sha256), buffer);
  if (count > 0) std::memcpy(nodes.data(), bytes.data(), bytes.size());
  return nodes;
}

Sha256 LicenseTree::root(Hashing& hashing) const {
  std::vector<Sha256> highest;
  each_group(0, [&](std::uint64_t offset, std::uint64_t count, std::uint64_t /*index*/) {
    highest = nodes_at(offset, count);
  });
  return tree_root(std::move(highest), hashing);
}

Sha256 LicenseTree::ascend(std::uint32_t track_block, const Sha256& node, Hashing& hashing,
                           std::vector<PathStep>& path) const {
  Sha256 root = node;
  each_group(track_block, [&](std::uint64_t offset, std::uint64_t count, std::uint64_t index) {
    auto nodes = nodes_at(offset, count);
    if (nodes[static_cast<std::size_t>(index)] != root) throw_damaged("a license record differs from its hash");
    root = tree_root(std::move(nodes), static_cast<std::size_t>(index), hashing, path);
  });
  return root;
}

void LicenseTree::add_ranges(std::uint32_t track_block, std::vector<FileRange>& ranges) const {
  each_group(track_block, [&](std::uint64_t offset, std::uint64_t count, std::uint64_t /*index*/) {
    const Extent group = section_.subextent(offset, count * sizeof(Sha256));
    ranges.push_back(group.range(0, group.size()));
  });
}

}  // namespace tonearm::catalog
