#include "program/append_release.h"

#include <fmt/format.h>

#include <filesystem>

#include "files/publication.h"
#include "files/whole_file.h"
#include "releases/release_log.h"
#include "review/opened_snapshot.h"
#include "system/signing_keys.h"
#include "tonearm/result.h"
#include "tonearm/snapshot_file.h"

namespace tonearm::builder {
namespace {

SignatureClaim checked_claim(const std::string& path) {
  try {
    const auto claim = signature_claim(*open_snapshot_file(path));
    if (!claim) throw Failure("is not signed, so it cannot be logged");
    if (!native::is_signed_by_own_key(*claim)) throw Failure("has an invalid signature");
    return *claim;
  } catch (const Failure& failure) {
    throw Failure(path + ": " + failure.what());
  }
}

native::ReleaseLog read_log(const std::string& path, const std::string& text) {
  try {
    return native::ReleaseLog(text);
  } catch (const Failure& failure) {
    throw Failure(path + ": " + failure.what());
  }
}

/// Returns the text of the log; empty if there is no file.
std::string text_of_log(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error == std::errc::no_such_file_or_directory) return {};
  auto text = native::file_bytes(path);
  if (error || text.size() != size) throw Failure(path + " cannot be read");
  return text;
}

}  // namespace

std::string append_release(const std::string& snapshot, const std::string& log) {
  const auto claim = checked_claim(snapshot);
  native::Publication file(log);  // no other process appends meanwhile
  const auto text = text_of_log(log);
  auto releases = read_log(log, text);
  const auto count = releases.releases().size();
  if (count > 0 && releases.releases().back().signature == claim.signature) {
    return fmt::format("{}: the snapshot is already release {}, the last one; head {}\n", log, count, releases.head());
  }
  file.write(text + releases.append(claim));
  file.publish();
  return fmt::format("{}: release {}, catalog {}; head {}\n", log, count + 1,
                     releases.releases().back().facts.catalog_version, releases.head());
}

}  // namespace tonearm::builder
