#include "catalog/index/license_tree.h"

#include <doctest/doctest.h>

#include "system/system_ports.h"

using namespace tonearm;
using namespace tonearm::catalog;

namespace {

std::vector<Sha256> nodes_of(std::size_t count, Hashing& hashing) {
  std::vector<Sha256> nodes;
  nodes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) nodes.push_back(leaf_hash(std::to_string(i), hashing));
  return nodes;
}

}  // namespace

// RECEIPT-3
TEST_CASE("the stored rows lead every track block to the root of the whole tree") {
  native::OpensslHashing hashing;
  for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 31U, 33U, 255U, 256U, 257U, 300U, 4'097U}) {
    CAPTURE(count);
    const std::vector<Sha256> nodes = nodes_of(count, hashing);
    const EncodedLicenseTree encoded = encode_license_tree(nodes, hashing);
    CHECK(encoded.root == tree_root(nodes, hashing));
    const LicenseTree tree(Extent(encoded.section), static_cast<std::uint32_t>(count));
    CHECK(tree.root(hashing) == encoded.root);
    for (std::size_t block = 0; block<count; block += count> 300 ? 97 : 1) {
      std::vector<PathStep> path;
      CHECK(tree.ascend(static_cast<std::uint32_t>(block), nodes[block], hashing, path) == encoded.root);
      std::vector<PathStep> expected;
      tree_root(nodes, block, hashing, expected);
      CHECK(path == expected);
    }
  }
}

// RECEIPT-5
TEST_CASE("the rows above the first add a fifteenth to it") {
  native::OpensslHashing hashing;
  const EncodedLicenseTree empty = encode_license_tree({}, hashing);
  CHECK(empty.section.empty());
  CHECK(LicenseTree(Extent(empty.section), 0).root(hashing) == empty.root);
  const std::size_t size = encode_license_tree(nodes_of(4'096, hashing), hashing).section.size();
  CHECK(size == (4'096 + 256 + 16) * sizeof(Sha256));
}

TEST_CASE("an altered or truncated section is detected") {
  native::OpensslHashing hashing;
  const std::vector<Sha256> nodes = nodes_of(40, hashing);
  const EncodedLicenseTree encoded = encode_license_tree(nodes, hashing);
  std::vector<PathStep> path;
  std::string altered = encoded.section;
  altered[0] ^= 1;
  const LicenseTree wrong(Extent(altered), 40);
  CHECK_THROWS_WITH_AS(wrong.ascend(0, nodes[0], hashing, path),
                       "the snapshot is damaged: a license record differs from its hash", CatalogDamaged);
  CHECK(wrong.ascend(20, nodes[20], hashing, path) == encoded.root);
  const std::string half = encoded.section.substr(0, 320);
  const LicenseTree truncated(Extent(half), 40);
  CHECK_THROWS_AS(truncated.ascend(0, nodes[0], hashing, path), CatalogDamaged);
}
