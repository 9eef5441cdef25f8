// Follows the path of a license receipt from a record to the root. The host provides SHA-256.
#include <tonearm/license_receipt.h>

/// Stands for a real hash in this example.
class FirstByte final : public tonearm::Hashing {
 public:
  tonearm::Sha256 sha256(std::string_view data) override { return {static_cast<std::uint8_t>(data.size())}; }
  tonearm::Sha256 hmac_sha256(std::string_view /*key*/, std::string_view data) override { return sha256(data); }
};

int main() {
  FirstByte hashing;
  const auto leaf = tonearm::leaf_hash("a record", hashing);
  std::vector<tonearm::PathStep> path;
  const auto root = tonearm::tree_root({leaf, leaf, leaf}, 1, hashing, path);
  return tonearm::path_root(leaf, path, hashing) == root && !tonearm::read_signed_facts("no signature") ? 0 : 1;
}
