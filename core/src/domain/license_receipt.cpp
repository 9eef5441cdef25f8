#include "tonearm/license_receipt.h"

#include <array>

#include "tonearm/ascii.h"

namespace tonearm {
namespace {

// The first bytes keep a leaf from being read as a node (RFC 6962, 2.1).
constexpr char kLeafPrefix = 0;
constexpr char kNodePrefix = 1;

void append(std::string& bytes, const Sha256& hash) { bytes.append(hash.begin(), hash.end()); }

Sha256 node_hash(const Sha256& left, const Sha256& right, Hashing& hashing) {
  std::string bytes(1, kNodePrefix);
  append(bytes, left);
  append(bytes, right);
  return hashing.sha256(bytes);
}

/// Replaces the nodes of a level by those of the next. A node without a sibling is its own parent.
void ascend(std::vector<Sha256>& nodes, Hashing& hashing) {
  std::size_t parents = 0;
  for (std::size_t i = 0; i < nodes.size(); i += 2) {
    nodes[parents++] = i + 1 < nodes.size() ? node_hash(nodes[i], nodes[i + 1], hashing) : nodes[i];
  }
  nodes.resize(parents);
}

}  // namespace

Sha256 leaf_hash(std::string_view record, Hashing& hashing) {
  return hashing.sha256(std::string(1, kLeafPrefix).append(record));
}

Sha256 tree_root(std::vector<Sha256> nodes, Hashing& hashing) {
  if (nodes.empty()) return hashing.sha256({});
  while (nodes.size() > 1) ascend(nodes, hashing);
  return nodes.front();
}

Sha256 tree_root(std::vector<Sha256> nodes, std::size_t index, Hashing& hashing, std::vector<PathStep>& path) {
  for (; nodes.size() > 1; index /= 2) {
    const bool is_right = index % 2 == 1;
    if (is_right) {
      path.push_back({Side::left, nodes[index - 1]});
    } else if (index + 1 < nodes.size()) {
      path.push_back({Side::right, nodes[index + 1]});
    }
    ascend(nodes, hashing);
  }
  return nodes.front();
}

Sha256 path_root(const Sha256& leaf, std::span<const PathStep> path, Hashing& hashing) {
  Sha256 node = leaf;
  for (const PathStep& step : path) {
    node = step.side == Side::left ? node_hash(step.hash, node, hashing) : node_hash(node, step.hash, hashing);
  }
  return node;
}

std::string key_id(const PublicKey& key, Hashing& hashing) {
  constexpr std::size_t kDigits = 16;
  // RFC 8410: the DER prefix is the same for all keys.
  constexpr std::array<unsigned char, 12> kDerPrefix{0x30, 0x2a, 0x30, 0x05, 0x06, 0x03,
                                                     0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};
  std::string der(kDerPrefix.begin(), kDerPrefix.end());
  der.append(key.begin(), key.end());
  return ascii::to_hex(hashing.sha256(der)).substr(0, kDigits);
}

}  // namespace tonearm
