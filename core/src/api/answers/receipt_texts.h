#pragma once
// License receipts as JSON (RECEIPT-1).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tonearm/catalog.h"

namespace tonearm::api {

/// Returns the receipt of each track, by position. REQUIRES: the catalog is signed; the positions are valid.
std::vector<std::string> receipt_texts(const Catalog& catalog, std::span<const std::uint32_t> positions,
                                       Hashing& hashing);

}  // namespace tonearm::api
