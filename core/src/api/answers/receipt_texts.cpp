#include "api/answers/receipt_texts.h"

#include "table/receipt_answers.h"

namespace tonearm::api {

std::vector<std::string> receipt_texts(const Catalog& catalog, std::span<const std::uint32_t> positions,
                                       Hashing& hashing) {
  const SignatureClaim& claim = *catalog.signature();
  const auto facts = read_signed_facts(claim.message);
  if (!facts) throw Failure("the catalog's signature has no date");
  const std::string key = key_id(claim.public_key, hashing);
  std::vector<std::string> texts;
  texts.reserve(positions.size());
  for (const LicenseReceipt& receipt : catalog.receipts(positions, hashing)) {
    texts.push_back(to_json(table::kReceiptType, {receipt, *facts, key}));
  }
  return texts;
}

}  // namespace tonearm::api
