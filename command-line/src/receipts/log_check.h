#pragma once
// Checks a log of catalog releases without a server (CLI-16, RECEIPT-9). Pure.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "receipts/receipt_check.h"
#include "system/signing_keys.h"

namespace tonearm::cli {

/// What a log is compared with.
struct LogExpectations {
  std::string head;                      // the hash of a line that was read earlier; empty: none
  std::vector<CheckedReceipt> receipts;  // their catalogs must be in the log
};

/// A receipt, and the release of its catalog.
struct ReceiptRelease {
  std::size_t line = 1;     // of the file of receipts
  std::size_t release = 0;  // from 1; 0 with a reason
  std::string reason = {};
};

struct CheckedLog {
  std::string reason = {};  // why it proves nothing; empty: it is valid
  std::size_t releases = 0;
  std::string head = {};  // the hash of the last line
  std::string first_signed_on = {};
  std::string last_signed_on = {};
  std::vector<ReceiptRelease> receipts = {};

  bool is_valid() const;
};

CheckedLog check_log(std::string_view text, const native::TrustedKeys& keys, const LogExpectations& expected);

}  // namespace tonearm::cli
