#include "receipts/log_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "releases/release_log.h"
#include "tonearm/ascii.h"
#include "tonearm/result.h"

namespace tonearm::cli {
namespace {

using native::LoggedRelease;

/// Throws Failure if no trusted key signed the release.
void check_signature(const LoggedRelease& release, const native::TrustedKeys& keys) {
  const auto key = keys.find(release.key_id);
  if (!key) throw Failure("names the key " + release.key_id + ", which is not the one of --key");
  if (!native::is_signed_by_own_key({*key, release.signature, release.signed_message})) {
    throw Failure("has a signature that does not match its signed message");
  }
}

bool has_head(const native::ReleaseLog& log, std::string_view head) {
  return head == native::kNoRelease ||
         std::ranges::any_of(log.releases(), [&](const LoggedRelease& release) { return release.hash == head; });
}

ReceiptRelease release_of(const CheckedReceipt& receipt, const std::vector<LoggedRelease>& releases) {
  if (!receipt.reason.empty()) return {receipt.line, 0, receipt.reason};
  const auto found = std::ranges::find_if(releases, [&](const LoggedRelease& release) {
    return release.facts.catalog_version == receipt.catalog_version && release.facts.signed_on == receipt.signed_on &&
           ascii::to_hex(release.facts.root) == receipt.root;
  });
  if (found == releases.end()) {
    return {receipt.line, 0,
            fmt::format("the log has no release of the catalog {}, signed on {}, with its root",
                        receipt.catalog_version, receipt.signed_on)};
  }
  return {receipt.line, static_cast<std::size_t>(found - releases.begin()) + 1};
}

}  // namespace

bool CheckedLog::is_valid() const {
  return reason.empty() &&
         std::ranges::all_of(receipts, [](const ReceiptRelease& receipt) { return receipt.reason.empty(); });
}

CheckedLog check_log(std::string_view text, const native::TrustedKeys& keys, const LogExpectations& expected) {
  CheckedLog checked;
  try {
    const native::ReleaseLog log(text);
    const auto& releases = log.releases();
    if (releases.empty()) throw Failure("it has no releases");
    for (std::size_t i = 0; i < releases.size(); ++i) {
      try {
        check_signature(releases[i], keys);
      } catch (const Failure& failure) {
        throw Failure(fmt::format("line {} {}", i + 1, failure.what()));
      }
    }
    if (!expected.head.empty() && !has_head(log, expected.head)) {
      throw Failure("no line has the hash of --head, so lines were changed or removed since");
    }
    for (const auto& receipt : expected.receipts) checked.receipts.push_back(release_of(receipt, releases));
    checked.releases = releases.size();
    checked.head = log.head();
    checked.first_signed_on = releases.front().facts.signed_on;
    checked.last_signed_on = releases.back().facts.signed_on;
  } catch (const Failure& failure) {
    checked.reason = failure.what();
  }
  return checked;
}

}  // namespace tonearm::cli
