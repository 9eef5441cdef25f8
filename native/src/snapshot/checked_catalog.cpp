#include "snapshot/checked_catalog.h"

#include <utility>

namespace tonearm::native {

// HOST-30. The signature covers the footer; check_blocks verifies the rest of the file against the footer.
Result<void> check_signature(const PinnedFile& file, const SignatureRule& rule) {
  if (!rule) return {};
  const auto refusal = rule(signature_claim(file));
  if (refusal) return Error{ErrorCode::unavailable, *refusal};
  return {};
}

Result<CheckedCatalog> open_checked(const std::string& path, const Catalog::Options& options, Hashing& hashing,
                                    const SignatureRule& rule) {
  auto file = std::make_shared<const PinnedFile>(path);
  // Nothing else of the file is read before this check.
  if (const auto trusted = check_signature(*file, rule); !trusted) return trusted.error();
  auto opened = Catalog::open(file, options);
  if (!opened) return opened.error();
  if (const auto sound = (*opened)->check_blocks(hashing, options.interrupted); !sound) return sound.error();
  if (!file->is_unchanged()) return Error{ErrorCode::unavailable, "it changed while it was checked"};
  return CheckedCatalog{std::move(file), *std::move(opened)};
}

}  // namespace tonearm::native
