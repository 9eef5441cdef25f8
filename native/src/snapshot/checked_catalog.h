#pragma once
// Opens a snapshot on disk after everything that must be checked before it is served. Thread-safe.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "files/pinned_file.h"
#include "tonearm/catalog.h"

namespace tonearm::native {

/// Returns why a snapshot with this signature, or none, may not be served, or nothing if it may.
using SignatureRule = std::function<std::optional<std::string>(const std::optional<SignatureClaim>&)>;

struct CheckedCatalog {
  std::shared_ptr<const PinnedFile> file;
  std::shared_ptr<const Catalog> catalog;
};

/// Checks the signature before anything else, then every block (HOST-27, HOST-30). `rule`: empty if signatures are not
/// required. Returns why the file may not be served; if `options.interrupted` is true by now, that is no statement
/// about the file. Throws std::runtime_error or CatalogDamaged if the file cannot be read.
Result<CheckedCatalog> open_checked(const std::string& path, const Catalog::Options& options, Hashing& hashing,
                                    const SignatureRule& rule);

/// Returns what `rule` says of the file's signature. Reads only the end of the file.
Result<void> check_signature(const PinnedFile& file, const SignatureRule& rule);

}  // namespace tonearm::native
