#pragma once
// The sections of a snapshot: the arrays after its database, read in place (docs/snapshot-format.md). Constant once
// opened, safe for concurrent use.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "catalog/storage/extent.h"
#include "tonearm/ports.h"
#include "tonearm/snapshot_file.h"

namespace tonearm::catalog {

static_assert(std::endian::native == std::endian::little, "sections are read as they are stored");

/// In the order of the file: sections that few queries read first, sections that nearly every query needs last.
enum class SectionId : std::uint8_t {
  tracks,
  postings,
  fingerprints,
  fingerprint_index,
  file_hashes,
  changes,
  license_tree,
  rank_quality,
  rank_short,
  rank_long,
  rank_slow,
  rank_fast,
  rank_newest,
  order_quality,
  order_short,
  order_long,
  order_slow,
  order_fast,
  order_newest,
  families,
  creators,
  creator_starts,
  creator,
  spellings,
  ids,
  tie_rank,
  tie_order,
  duration_ms,
  bpm_hundredths,
  tempos,
  quality,
  flags,
  thesaurus,
  tag_terms,
  terms,
  phrases,
  track_blocks,
  completions,  // the last one written: the totals of its texts are those of searches of the others
};
inline constexpr std::size_t kSectionCount = 38;
inline constexpr std::array<std::string_view, kSectionCount> kSectionNames{
    "tracks",       "postings",      "fingerprints", "fingerprint_index", "file_hashes",    "changes",
    "license_tree", "rank_quality",  "rank_short",   "rank_long",         "rank_slow",      "rank_fast",
    "rank_newest",  "order_quality", "order_short",  "order_long",        "order_slow",     "order_fast",
    "order_newest", "families",      "creators",     "creator_starts",    "creator",        "spellings",
    "ids",          "tie_rank",      "tie_order",    "duration_ms",       "bpm_hundredths", "tempos",
    "quality",      "flags",         "thesaurus",    "tag_terms",         "terms",          "phrases",
    "track_blocks", "completions"};

/// The alignment of every section. The first one starts at a block boundary.
inline constexpr std::uint64_t kSectionAlignment = 4096;

struct SectionRange {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// Followed by the SHA-256 of every 64 KiB of the block hashes.
struct Directory {
  std::array<SectionRange, kSectionCount> sections{};
  SectionRange block_hashes;
};

inline constexpr std::array<char, 8> kFooterMagic{'T', 'o', 'n', 'e', 'a', 'r', 'm', '\n'};

/// The last bytes of the file.
struct Footer {
  std::array<char, 8> magic = kFooterMagic;
  std::uint64_t file_size = 0;
  std::uint64_t directory_offset = 0;
  std::uint64_t directory_size = 0;
  Sha256 directory_hash{};
  Sha256 content_hash{};
  Sha256 license_root{};
};
static_assert(sizeof(Footer) == 128 && sizeof(Directory) == (kSectionCount + 1) * 16);

/// Precedes the footer. All zeros: the snapshot is not signed. It signs the date and the footer, and so everything that
/// the footer's hashes cover.
struct SignatureBlock {
  PublicKey public_key{};
  std::array<char, 8> signed_on{};  // "20260115", UTC
  Signature signature{};

  friend bool operator==(const SignatureBlock&, const SignatureBlock&) = default;
};
static_assert(sizeof(SignatureBlock) == 104);

/// The signature covers these bytes, the date and the footer, so that it cannot be reused as a signature of anything
/// else.
inline constexpr std::string_view kSignedPrefix = "Tonearm snapshot, signed with Ed25519\n";
std::string signed_message(const SignatureBlock& block, const Footer& footer);

/// The end of the file: what depends on nothing after it.
struct Trailer {
  SignatureBlock signature;
  Footer footer;
};
static_assert(sizeof(Trailer) == sizeof(SignatureBlock) + sizeof(Footer));

/// `end`: the last bytes of a file of this size. Throws CatalogDamaged if they are not the end of a snapshot.
Trailer read_trailer(std::string_view end, std::uint64_t file_size);
/// Returns nothing if the snapshot is not signed.
std::optional<SignatureClaim> claim_of(const Trailer& trailer);

/// Returns the first 16 hex digits of a content hash (SERVICE-8).
std::string version_of(const Sha256& content_hash);

/// Returns the content hash: a hash over the hash of the tables and the block hashes of the sections.
Sha256 content_hash_of(Hashing& hashing, const Sha256& tables, std::string_view block_hashes);

class Sections {
 public:
  /// Throws CatalogDamaged if the file has no directory, is truncated or has bytes after its end. The file must outlive
  /// the object.
  explicit Sections(const SnapshotFile& file);
  /// The sections of a file that is being written; those that `directory` lacks are empty. The content hash and the
  /// root are unknown.
  Sections(const SnapshotFile& file, const Directory& directory);

  const Extent& operator[](SectionId id) const { return sections_[static_cast<std::size_t>(id)]; }
  const Sha256& content_hash() const { return content_hash_; }
  /// The root of the tree of license records.
  const Sha256& license_root() const { return license_root_; }

  /// Reads the whole file. Returns the content hash of its sections and of tables with the hash `tables`. Throws
  /// CatalogDamaged if a block differs from its hash, and Failure if interrupted.
  Sha256 check_blocks(Hashing& hashing, const Sha256& tables, const Interrupted& interrupted = {}) const;

 private:
  const SnapshotFile& file_;
  std::array<Extent, kSectionCount> sections_;
  Extent directory_;
  Extent block_hashes_;
  Sha256 directory_hash_{};
  Sha256 content_hash_{};
  Sha256 license_root_{};
  std::uint64_t sections_begin_ = 0;
};

}  // namespace tonearm::catalog
