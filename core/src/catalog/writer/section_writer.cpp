#include "catalog/writer/section_writer.h"

#include <algorithm>

namespace tonearm::catalog {
namespace {

std::string_view view(const Sha256& hash) { return raw_bytes(hash); }

/// Returns "20260115" for "2026-01-15".
std::array<char, 8> to_digits(std::string date) {
  std::array<char, 8> digits{};
  std::erase(date, '-');
  std::copy_n(date.begin(), std::min(date.size(), digits.size()), digits.begin());
  return digits;
}

}  // namespace

SectionWriter::SectionWriter(SnapshotOutput& output, Hashing& hashing, std::uint64_t database_bytes)
    : output_(output), hashing_(hashing), size_(0), first_block_(0) {
  for (std::uint64_t at = 0; at < database_bytes; at += kBlockBytes) {
    const std::uint64_t count = std::min(kBlockBytes, database_bytes - at);
    block_ += output.read(at, count);
    size_ += count;
    if (block_.size() == kBlockBytes) {
      block_hashes_ += view(hashing_.sha256(block_));
      block_.clear();
    }
  }
  fill_to(kBlockBytes);
  first_block_ = size_ / kBlockBytes;
}

void SectionWriter::begin(SectionId id) {
  end_section();
  // Posting lists are packed into as few blocks as possible.
  fill_to(id == SectionId::postings ? kBlockBytes : kSectionAlignment);
  open_ = id;
  directory_.sections[static_cast<std::size_t>(id)].offset = size_;
}

void SectionWriter::end_section() {
  if (!open_) return;
  SectionRange& range = directory_.sections[static_cast<std::size_t>(*open_)];
  range.size = size_ - range.offset;
}

Sections SectionWriter::written(const SnapshotFile& file) {
  end_section();
  open_.reset();
  return {file, directory_};
}

void SectionWriter::append(std::string_view bytes) {
  output_.append(bytes);
  size_ += bytes.size();
  while (!bytes.empty()) {
    const auto part = bytes.substr(0, kBlockBytes - block_.size());
    block_.append(part);
    bytes.remove_prefix(part.size());
    if (block_.size() < kBlockBytes) return;
    block_hashes_ += view(hashing_.sha256(block_));
    block_.clear();
  }
}

void SectionWriter::fill_to(std::uint64_t boundary) {
  if (size_ % boundary != 0) append(std::string(static_cast<std::size_t>(boundary - size_ % boundary), '\0'));
}

Sha256 SectionWriter::finish(const Sha256& tables, const Sha256& license_root, const SnapshotSigner& signer) {
  end_section();
  fill_to(kBlockBytes);
  Footer footer;
  footer.content_hash =
      content_hash_of(hashing_, tables,
                      std::string_view(block_hashes_).substr(static_cast<std::size_t>(first_block_) * sizeof(Sha256)));
  directory_.block_hashes = {size_, block_hashes_.size()};
  std::string directory(raw_bytes(std::span(&directory_, 1)));
  for (std::size_t at = 0; at < block_hashes_.size(); at += kBlockBytes) {
    directory += view(hashing_.sha256(std::string_view(block_hashes_).substr(at, kBlockBytes)));
  }
  output_.append(block_hashes_);
  output_.append(directory);
  footer.directory_offset = size_ + block_hashes_.size();
  footer.directory_size = directory.size();
  footer.file_size = footer.directory_offset + directory.size() + sizeof(SignatureBlock) + sizeof footer;
  footer.directory_hash = hashing_.sha256(directory);
  footer.license_root = license_root;
  SignatureBlock block;
  if (signer.key != nullptr) {
    block.public_key = signer.key->public_key();
    block.signed_on = to_digits(signer.signed_on);
    block.signature = signer.key->sign(signed_message(block, footer));
  }
  output_.append(raw_bytes(std::span(&block, 1)));
  output_.append(raw_bytes(std::span(&footer, 1)));
  return footer.content_hash;
}

}  // namespace tonearm::catalog
