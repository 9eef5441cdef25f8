#include "catalog/storage/extent.h"

namespace tonearm::catalog {

std::string_view slice(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) throw_damaged("a section is truncated");
  return bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

Extent::Extent(const SnapshotFile& file, std::uint64_t offset, std::uint64_t size) : offset_(offset), size_(size) {
  if (file.blocks() == nullptr) {
    memory_ = file.bytes(offset, size);
  } else {
    file_ = &file;
  }
}

Extent Extent::subextent(std::uint64_t offset, std::uint64_t size) const {
  if (offset > size_ || size > size_ - offset) throw_damaged("a section is truncated");
  Extent sub = *this;
  sub.offset_ += offset;
  sub.size_ = size;
  if (file_ == nullptr) sub.memory_ = slice(memory_, offset, size);
  return sub;
}

std::string_view Extent::bytes(std::uint64_t offset, std::uint64_t size, std::string& buffer) const {
  if (file_ == nullptr) return slice(memory_, offset, size);
  const Extent wanted = subextent(offset, size);
  buffer.resize(static_cast<std::size_t>(size));
  file_->copy(wanted.offset_, buffer);
  return buffer;
}

std::string_view Extent::bytes(std::uint64_t offset, std::uint64_t size) const {
  if (file_ == nullptr) return slice(memory_, offset, size);
  return file_->bytes(subextent(offset, size).offset_, size);
}

}  // namespace tonearm::catalog
