#include "catalog/lookup/receipts.h"

#include <algorithm>
#include <utility>

#include "reflection/track_type.h"

namespace tonearm::catalog {
namespace {

LicenseReceipt make_receipt(std::uint32_t position, const ReceiptSources& from, Hashing& hashing) {
  const Index& index = from.index;
  const std::uint32_t block = position / kTracksPerBlock;
  const std::uint32_t first = block * kTracksPerBlock;
  LicenseReceipt receipt;
  receipt.claim = from.claim;
  std::vector<Sha256> leaves;
  for (std::uint32_t other = first; other < std::min(first + kTracksPerBlock, index.layout.size); ++other) {
    const RenderedTrack track = index.tracks.at(other).rendered;
    std::string record = table::license_record(track);
    leaves.push_back(leaf_hash(record, hashing));
    if (other != position) continue;
    receipt.track_id = id_of(track);
    receipt.record = std::move(record);
  }
  const Sha256 node = tree_root(std::move(leaves), position - first, hashing, receipt.path);
  if (index.licenses.ascend(block, node, hashing, receipt.path) != from.root) {
    throw_damaged("the license records differ from their signed root");
  }
  return receipt;
}

}  // namespace

std::vector<LicenseReceipt> make_receipts(std::span<const std::uint32_t> positions, const ReceiptSources& from,
                                          Hashing& hashing) {
  from.fetcher.receipts(positions);
  std::vector<LicenseReceipt> receipts;
  receipts.reserve(positions.size());
  for (const std::uint32_t position : positions) receipts.push_back(make_receipt(position, from, hashing));
  return receipts;
}

}  // namespace tonearm::catalog
