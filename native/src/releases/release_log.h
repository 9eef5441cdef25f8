#pragma once
// The log of catalog releases (RECEIPT-9): JSON Lines, of which each has the hash of the line before. Whoever keeps the
// hash of the last line can see later whether a release was changed, removed or inserted. For one thread at a time.

#include <string>
#include <string_view>
#include <vector>

#include "system/system_ports.h"
#include "tonearm/license_receipt.h"
#include "tonearm/signature.h"

namespace tonearm::native {

/// A line of the log. The hex forms are those of a receipt.
struct LoggedRelease {
  std::string hash;    // SHA-256 of the line without its end, 64 hex digits
  std::string key_id;  // of the signer, as the line names it; unverified
  SignedFacts facts;   // of the signed message
  std::string signed_message;
  Signature signature{};
};

/// The hash before the first line.
inline constexpr std::string_view kNoRelease = "0000000000000000000000000000000000000000000000000000000000000000";

class ReleaseLog {
 public:
  /// Reads the lines of a log, which may be empty. Throws Failure with the number of the first line that is malformed,
  /// incomplete, or does not follow the line before it. Checks no signature.
  explicit ReleaseLog(std::string_view text);

  const std::vector<LoggedRelease>& releases() const { return releases_; }
  /// Returns the hash of the last line, or kNoRelease.
  std::string_view head() const { return releases_.empty() ? kNoRelease : std::string_view(releases_.back().hash); }
  /// Appends a signed snapshot, and returns its line with the end. Throws Failure if the claim is not that of one.
  std::string append(const SignatureClaim& claim);

 private:
  void read_line(std::string_view line);

  OpensslHashing hashing_;
  std::vector<LoggedRelease> releases_;
};

}  // namespace tonearm::native
