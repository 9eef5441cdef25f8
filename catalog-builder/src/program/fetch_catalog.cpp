#include "program/fetch_catalog.h"

#include <fmt/format.h>

#include <limits>

#include "remote_catalog/catalog_download.h"
#include "review/opened_snapshot.h"
#include "system/signing_keys.h"

namespace tonearm::builder {
namespace {

native::SignatureRule rule_of(const std::string& key) {
  if (key.empty()) return native::alteration;
  return [keys = native::TrustedKeys(key)](const std::optional<SignatureClaim>& claim) { return keys.refusal(claim); };
}

}  // namespace

std::string fetch_catalog(const FetchOptions& options, Hashing& hashing, Random& random) {
  native::DownloadOptions download{options.access,         options.output,
                                   options.bases,          options.output + ".download",
                                   options.bytes_max,      std::numeric_limits<std::uint64_t>::max(),
                                   rule_of(options.key),   {.allow_evaluation = true},
                                   native::FileMode::kept, /*checks_file=*/true};
  native::CatalogDownload fetched(std::move(download), hashing, random);
  const auto outcome = fetched.run();
  const OpenedSnapshot snapshot(options.output);
  return fmt::format("{}: version {}, {} tracks, {}; {} bytes read\n", options.output, snapshot.catalog().version(),
                     snapshot.catalog().track_count(),
                     outcome == native::CatalogDownload::Outcome::unchanged ? "unchanged" : "replaced",
                     fetched.counts().bytes.load());
}

}  // namespace tonearm::builder
