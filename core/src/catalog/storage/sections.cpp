#include "catalog/storage/sections.h"

#include <algorithm>

#include "tonearm/ascii.h"
#include "tonearm/license_receipt.h"

namespace tonearm {

std::uint64_t database_size(std::string_view header) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  constexpr std::size_t kHeaderBytes = 100;
  if (header.size() < kHeaderBytes || !header.starts_with(kMagic)) return 0;
  const auto number = [header](std::size_t at, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value = value << 8U | static_cast<unsigned char>(header[at + i]);
    return value;
  };
  const std::uint64_t page_size = number(16, 2) == 1 ? 65'536 : number(16, 2);
  return page_size * number(28, 4);
}

namespace catalog {
namespace {

Trailer trailer_of(const SnapshotFile& file) {
  if (file.size() < sizeof(Trailer)) throw_damaged("it is truncated");
  return read_trailer(file.bytes(file.size() - sizeof(Trailer), sizeof(Trailer)), file.size());
}

}  // namespace

Trailer read_trailer(std::string_view end, std::uint64_t file_size) {
  Trailer trailer;
  if (end.size() < sizeof trailer) throw_damaged("it is truncated");
  std::memcpy(&trailer, end.substr(end.size() - sizeof trailer).data(), sizeof trailer);
  if (trailer.footer.magic != kFooterMagic || trailer.footer.file_size != file_size) {
    throw_damaged("it does not end like a snapshot of this format version: bytes are missing or were appended");
  }
  const bool has_key = trailer.signature.public_key != PublicKey{};
  if (!has_key && trailer.signature != SignatureBlock{}) throw_damaged("it has a signature without a key");
  return trailer;
}

std::optional<SignatureClaim> claim_of(const Trailer& trailer) {
  const auto& [block, footer] = trailer;
  if (block == SignatureBlock{}) return std::nullopt;
  return SignatureClaim{block.public_key, block.signature, signed_message(block, footer)};
}

Sha256 content_hash_of(Hashing& hashing, const Sha256& tables, std::string_view block_hashes) {
  return hashing.sha256(std::string(raw_bytes(tables)).append(block_hashes));
}

std::string version_of(const Sha256& content_hash) {
  constexpr std::size_t kDigits = 16;
  return ascii::to_hex(content_hash).substr(0, kDigits);
}

std::string signed_message(const SignatureBlock& block, const Footer& footer) {
  return std::string(kSignedPrefix).append(raw_bytes(block.signed_on)).append(raw_bytes(std::span(&footer, 1)));
}

Sections::Sections(const SnapshotFile& file) : file_(file) {
  const Footer footer = trailer_of(file).footer;
  const auto checked_extent = [&](std::uint64_t offset, std::uint64_t size) {
    if (offset > file.size() || size > file.size() - offset) throw_damaged("a section is truncated");
    return Extent(file, offset, size);
  };
  Directory directory;
  if (footer.directory_size < sizeof directory) throw_damaged("its directory is truncated");
  directory_ = checked_extent(footer.directory_offset, footer.directory_size);
  std::memcpy(&directory, directory_.bytes(0, sizeof directory).data(), sizeof directory);
  // Sections must be in order, so that the block hashes cover all of them.
  std::uint64_t end = database_size(file.bytes(0, std::min<std::uint64_t>(file.size(), kBlockBytes)));
  for (std::size_t i = 0; i < kSectionCount; ++i) {
    const auto [offset, size] = directory.sections[i];
    if (offset % kSectionAlignment != 0 || offset < end) throw_damaged("a section has an invalid offset");
    sections_[i] = checked_extent(offset, size);
    end = offset + size;
  }
  const auto [hashes, hashes_size] = directory.block_hashes;
  block_hashes_ = checked_extent(hashes, hashes_size);
  if (hashes < end || hashes % kBlockBytes != 0 || hashes + hashes_size != footer.directory_offset ||
      footer.directory_offset + footer.directory_size + sizeof(Trailer) != file.size()) {
    throw_damaged("its hashes do not follow its sections");
  }
  sections_begin_ = directory.sections.front().offset;
  content_hash_ = footer.content_hash;
  license_root_ = footer.license_root;
  directory_hash_ = footer.directory_hash;
}

Sections::Sections(const SnapshotFile& file, const Directory& directory) : file_(file) {
  for (std::size_t i = 0; i < kSectionCount; ++i) {
    sections_.at(i) = Extent(file, directory.sections.at(i).offset, directory.sections.at(i).size);
  }
}

Sha256 Sections::check_blocks(Hashing& hashing, const Sha256& tables, const Interrupted& interrupted) const {
  const std::string_view directory_bytes = directory_.all();
  if (hashing.sha256(directory_bytes) != directory_hash_) throw_damaged("its directory differs from its hash");
  Directory directory;
  std::memcpy(&directory, directory_bytes.data(), sizeof directory);
  const std::uint64_t hashed = directory.block_hashes.offset;
  const std::string_view block_hashes = block_hashes_.all();
  if (block_hashes.size() != hashed / kBlockBytes * sizeof(Sha256)) {
    throw_damaged("it has a wrong number of block hashes");
  }
  const std::string_view upper = directory_bytes.substr(sizeof directory);
  const auto check = [&](std::string_view block, std::string_view hashes, std::uint64_t number) {
    if (interrupted && interrupted()) throw Failure("the check of its blocks was interrupted");
    const Sha256 hash = hashing.sha256(block);
    const auto expected = slice(hashes, number * sizeof hash, sizeof hash);
    if (std::memcmp(hash.data(), expected.data(), hash.size()) != 0) throw_damaged("a block differs from its hash");
  };
  std::uint64_t number = 0;
  for (std::uint64_t at = 0; at < block_hashes.size(); at += kBlockBytes) {
    check(block_hashes.substr(static_cast<std::size_t>(at), kBlockBytes), upper, number++);
  }
  number = 0;
  for (std::uint64_t at = 0; at < hashed; at += kBlockBytes)
    check(file_.bytes(at, kBlockBytes), block_hashes, number++);
  return content_hash_of(hashing, tables,
                         block_hashes.substr(static_cast<std::size_t>(sections_begin_ / kBlockBytes * sizeof(Sha256))));
}

}  // namespace catalog

std::optional<SignatureClaim> signature_claim(const SnapshotFile& file) {
  return catalog::claim_of(catalog::trailer_of(file));
}

std::optional<SignedFacts> read_signed_facts(std::string_view message) {
  constexpr std::size_t kDayDigits = sizeof(catalog::SignatureBlock::signed_on);
  catalog::Footer footer;
  if (!message.starts_with(catalog::kSignedPrefix)) return std::nullopt;
  message.remove_prefix(catalog::kSignedPrefix.size());
  if (message.size() != kDayDigits + sizeof footer) return std::nullopt;
  const std::string_view day = message.substr(0, kDayDigits);
  std::memcpy(&footer, message.substr(kDayDigits).data(), sizeof footer);
  if (footer.magic != catalog::kFooterMagic || !std::all_of(day.begin(), day.end(), ascii::is_digit)) {
    return std::nullopt;
  }
  std::string date(day.substr(0, 4));
  date.append("-").append(day.substr(4, 2)).append("-").append(day.substr(6));
  return SignedFacts{catalog::version_of(footer.content_hash), std::move(date), footer.license_root};
}

}  // namespace tonearm
