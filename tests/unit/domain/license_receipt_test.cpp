#include "tonearm/license_receipt.h"

#include <doctest/doctest.h>

#include <array>

#include "system/system_ports.h"
#include "tonearm/ascii.h"

using namespace tonearm;

namespace {

std::vector<Sha256> leaves_of(std::size_t count, Hashing& hashing) {
  std::vector<Sha256> leaves;
  leaves.reserve(count);
  for (std::size_t i = 0; i < count; ++i) leaves.push_back(leaf_hash("record " + std::to_string(i), hashing));
  return leaves;
}

}  // namespace

// RECEIPT-3
TEST_CASE("the roots are those of the reference implementation of RFC 6962") {
  const std::array<std::string, 8> records{"",         std::string(1, '\0'), "\x10", " !", "01", "@ABC",
                                           "PQRSTUVW", "`abcdefghijklmno"};
  constexpr std::array<std::string_view, 9> kRoots{"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                                                   "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
                                                   "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
                                                   "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
                                                   "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
                                                   "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
                                                   "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
                                                   "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
                                                   "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"};
  native::OpensslHashing hashing;
  std::vector<Sha256> leaves;
  for (std::size_t count = 0; count < kRoots.size(); ++count) {
    CHECK(ascii::to_hex(tree_root(leaves, hashing)) == kRoots[count]);
    if (count < records.size()) leaves.push_back(leaf_hash(records[count], hashing));
  }
}

// RECEIPT-3
TEST_CASE("every leaf of trees of all sizes has a path to the root, and no other leaf has it") {
  native::OpensslHashing hashing;
  for (std::size_t count = 1; count <= 40; ++count) {
    const std::vector<Sha256> leaves = leaves_of(count, hashing);
    const Sha256 root = tree_root(leaves, hashing);
    for (std::size_t i = 0; i < count; ++i) {
      CAPTURE(count);
      CAPTURE(i);
      std::vector<PathStep> path;
      CHECK(tree_root(leaves, i, hashing, path) == root);
      CHECK(path_root(leaves[i], path, hashing) == root);
      CHECK(path.size() <= 6);
      CHECK(path_root(leaf_hash("record x", hashing), path, hashing) != root);
      if (path.empty()) continue;
      path.front().side = path.front().side == Side::left ? Side::right : Side::left;
      CHECK(path_root(leaves[i], path, hashing) != root);
    }
  }
}

TEST_CASE("a node is no leaf: two hashes as a record give another hash") {
  native::OpensslHashing hashing;
  const std::vector<Sha256> leaves = leaves_of(2, hashing);
  std::string both(leaves[0].begin(), leaves[0].end());
  both.append(leaves[1].begin(), leaves[1].end());
  CHECK(leaf_hash(both, hashing) != tree_root(leaves, hashing));
}

// RECEIPT-4
TEST_CASE("the signed message states day, version and root, and nothing else is read as one") {
  std::string message = "Tonearm snapshot, signed with Ed25519\n20260115Tonearm\n";
  message.append(56, '\x07').append(32, '\xab').append(32, '\xcd');
  const auto facts = read_signed_facts(message);
  REQUIRE(facts.has_value());
  CHECK(facts->signed_on == "2026-01-15");
  CHECK(facts->catalog_version == "abababababababab");
  Sha256 root;
  root.fill(0xcd);
  CHECK(facts->root == root);
  CHECK_FALSE(read_signed_facts(message + "x"));
  CHECK_FALSE(read_signed_facts(message.substr(1)));
  CHECK_FALSE(read_signed_facts({}));
  for (const std::size_t at : {0U, 37U, 38U, 45U, 46U, 53U}) {
    std::string altered = message;
    altered[at] = 'x';
    CHECK_FALSE(read_signed_facts(altered));
  }
}
