#pragma once
// Ranges of a snapshot's file. If the file is resident, a read follows a pointer; if it is remote, a read uses the
// table of blocks. Constant; as safe for concurrent use as the file.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/storage/statement.h"
#include "tonearm/snapshot_file.h"

namespace tonearm::catalog {

/// Reinterprets bytes as an array. Throws CatalogDamaged if they end within an element.
template <class Value>
std::span<const Value> as_array(std::string_view bytes) {
  if (bytes.size() % sizeof(Value) != 0) throw_damaged("an array is truncated");
  // The writer stored these integers aligned, so reading them in place is defined.
  return {static_cast<const Value*>(static_cast<const void*>(bytes.data())), bytes.size() / sizeof(Value)};
}

/// Views the elements of a contiguous container as bytes.
template <class Values>
std::string_view raw_bytes(const Values& values) {
  const std::span view(values);
  return {static_cast<const char*>(static_cast<const void*>(view.data())), view.size_bytes()};
}

/// Returns `size` bytes from `offset`. Throws CatalogDamaged if there are fewer.
std::string_view slice(std::string_view bytes, std::uint64_t offset, std::uint64_t size);

/// Numbers of the file, each read on demand.
template <class Value>
class Array {
 public:
  using value_type = Value;

  Array() = default;
  Array(std::span<const Value> values) : values_(values.data()), size_(values.size()) {}  // NOLINT(*-explicit-*)
  Array(const std::vector<Value>& values) : Array(std::span<const Value>(values)) {}      // NOLINT(*-explicit-*)
  /// REQUIRES: the file is remote; `offset` is a multiple of sizeof(Value).
  Array(const SnapshotFile& file, std::uint64_t offset, std::size_t size)
      : file_(&file), blocks_(file.blocks()), offset_(offset), size_(size) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// REQUIRES: i < size().
  Value operator[](std::size_t i) const {
    if (blocks_ == nullptr) return values_[i];
    Value value;
    std::memcpy(&value, blocks_->at(offset_ + std::uint64_t{i} * sizeof(Value)), sizeof value);
    return value;
  }
  /// REQUIRES: begin + count <= size().
  Array subarray(std::size_t begin, std::size_t count) const {
    Array sub = *this;
    sub.size_ = count;
    if (blocks_ == nullptr) {
      sub.values_ += begin;
    } else {
      sub.offset_ += std::uint64_t{begin} * sizeof(Value);  // size_t may be 32 bits
    }
    return sub;
  }
  Array first(std::size_t count) const { return subarray(0, count); }
  /// Returns all values contiguous in memory, valid as long as SnapshotFile::bytes says.
  std::span<const Value> all() const {
    if (blocks_ == nullptr) return {values_, size_};
    return as_array<Value>(file_->bytes(offset_, size_ * sizeof(Value)));
  }
  /// Calls `visit(span)` for each contiguous piece in turn; a piece is valid until `visit` returns.
  template <class Visit>
  void each_piece(const Visit& visit) const {
    if (blocks_ == nullptr) return visit(all());
    for (std::size_t i = 0; i < size_;) {
      const std::uint64_t offset = offset_ + i * sizeof(Value);
      const auto to_block_end = static_cast<std::size_t>((kBlockBytes - offset % kBlockBytes) / sizeof(Value));
      const std::size_t count = std::min(size_ - i, to_block_end);
      visit(as_array<Value>({blocks_->at(offset), count * sizeof(Value)}));
      i += count;
    }
  }
  bool is_in_memory() const { return blocks_ == nullptr; }
  /// The range in the file. REQUIRES: not in memory.
  FileRange range() const { return {offset_, size_ * sizeof(Value)}; }
  FileRange range_of(std::size_t i) const { return {offset_ + i * sizeof(Value), sizeof(Value)}; }
  class Iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = const Value*;
    using reference = Value;

    Iterator() = default;
    Iterator(const Array* array, std::size_t at) : array_(array), at_(at) {}
    Value operator*() const { return (*array_)[at_]; }
    Value operator[](difference_type n) const { return *(*this + n); }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this += -1; }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    Iterator operator--(int) {
      const Iterator before = *this;
      --*this;
      return before;
    }
    Iterator& operator+=(difference_type n) {
      at_ = static_cast<std::size_t>(static_cast<difference_type>(at_) + n);
      return *this;
    }
    Iterator& operator-=(difference_type n) { return *this += -n; }
    friend Iterator operator+(Iterator it, difference_type n) { return it += n; }
    friend Iterator operator+(difference_type n, Iterator it) { return it += n; }
    friend Iterator operator-(Iterator it, difference_type n) { return it -= n; }
    friend difference_type operator-(const Iterator& a, const Iterator& b) {
      return static_cast<difference_type>(a.at_) - static_cast<difference_type>(b.at_);
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }
    friend bool operator!=(const Iterator& a, const Iterator& b) { return a.at_ != b.at_; }
    friend bool operator<(const Iterator& a, const Iterator& b) { return a.at_ < b.at_; }

   private:
    const Array* array_ = nullptr;
    std::size_t at_ = 0;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size_}; }

 private:
  const Value* values_ = nullptr;  // if the file is resident
  const SnapshotFile* file_ = nullptr;
  BlockTable* blocks_ = nullptr;
  std::uint64_t offset_ = 0;
  std::size_t size_ = 0;
};

/// A range of bytes of the file.
class Extent {
 public:
  Extent() = default;
  /// Memory that outlives the extent.
  explicit Extent(std::string_view memory) : memory_(memory), size_(memory.size()) {}
  /// REQUIRES: the range is inside the file, which outlives the extent.
  Extent(const SnapshotFile& file, std::uint64_t offset, std::uint64_t size);

  std::uint64_t size() const { return size_; }
  /// Throws CatalogDamaged if the extent is too short.
  Extent subextent(std::uint64_t offset, std::uint64_t size) const;
  /// Valid as long as SnapshotFile::bytes says. Throws CatalogDamaged if the extent is too short.
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const;
  std::string_view all() const { return bytes(0, size_); }
  /// For bytes that are read once: bytes of a remote file are copied into `buffer`, which must outlive the result.
  std::string_view bytes(std::uint64_t offset, std::uint64_t size, std::string& buffer) const;
  /// Returns `count` values from `offset`. Throws CatalogDamaged if the extent is too short or `offset` is not aligned.
  template <class Value>
  Array<Value> array(std::uint64_t offset, std::uint64_t count) const {
    if (offset % sizeof(Value) != 0 || count > size_ / sizeof(Value)) throw_damaged("an array is truncated");
    const Extent values = subextent(offset, count * sizeof(Value));
    if (file_ == nullptr) return as_array<Value>(values.memory_);
    return {*file_, values.offset_, static_cast<std::size_t>(count)};
  }
  template <class Value>
  Array<Value> array() const {
    if (size_ % sizeof(Value) != 0) throw_damaged("an array is truncated");
    return array<Value>(0, size_ / sizeof(Value));
  }

  bool is_in_memory() const { return file_ == nullptr; }
  /// The range of a part in the file. REQUIRES: not in memory.
  FileRange range(std::uint64_t offset, std::uint64_t size) const { return {offset_ + offset, size}; }

 private:
  std::string_view memory_;             // if the file is resident
  const SnapshotFile* file_ = nullptr;  // null: resident
  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace tonearm::catalog
