#pragma once
// The type of license receipts (RECEIPT-1).

#include <string>

#include "reflection/object_type.h"
#include "tonearm/license_receipt.h"

namespace tonearm::table {

inline constexpr std::string_view kReceiptFormat = "tonearm-license-receipt";
inline constexpr std::int64_t kReceiptVersion = 1;

struct ReceiptView {
  const LicenseReceipt& receipt;
  SignedFacts facts;
  std::string key_id;
};

extern const Type<ReceiptView> kReceiptType;

}  // namespace tonearm::table
