#pragma once
// Makes license receipts (RECEIPT-1).

#include <span>
#include <vector>

#include "catalog/query/fetch.h"
#include "tonearm/license_receipt.h"

namespace tonearm::catalog {

/// What receipts are made from. All of it outlives the call.
struct ReceiptSources {
  const Index& index;
  const Fetcher& fetcher;
  const SignatureClaim& claim;
  const Sha256& root;  // the signed one
};

/// As Catalog::receipts. On a remote file, all blocks are fetched in one round.
std::vector<LicenseReceipt> make_receipts(std::span<const std::uint32_t> positions, const ReceiptSources& from,
                                          Hashing& hashing);

}  // namespace tonearm::catalog
