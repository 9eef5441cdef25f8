#pragma once
// Checks license receipts without a server (CLI-15, RECEIPT-6). Pure.

#include <boost/json.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "system/signing_keys.h"

namespace tonearm::cli {

struct CheckedReceipt {
  std::size_t line = 1;     // of the file, from 1
  std::string reason = {};  // why it proves nothing; empty: it is valid
  // Only of a valid receipt:
  std::string catalog_version = {};
  std::string signed_on = {};
  std::string root = {};
  std::string key_id = {};
  boost::json::object license_record = {};
};

/// Checks one receipt, which may have several lines, or one receipt on each line. A file without any has one result,
/// whose reason says so.
std::vector<CheckedReceipt> check_receipts(std::string_view file, const native::TrustedKeys& keys);

/// Returns what a valid receipt proves, as a sentence.
std::string proof_of(const CheckedReceipt& receipt);

}  // namespace tonearm::cli
