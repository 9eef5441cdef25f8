#include "tonearm/paged_file.h"

#include <algorithm>
#include <cstring>
#include <list>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tonearm {
namespace {

/// The largest number of blocks that sequential reading fetches at once.
constexpr std::uint32_t kReadaheadMax = 16;
/// The size of cached contiguous copies: bitmaps of common terms and tags.
constexpr std::size_t kCopiedBytesMax = std::size_t{8} * 1024 * 1024;
constexpr std::size_t kCopiesMax = 1024;

}  // namespace

class PagedFile::Cache final : public BlockTable {
 public:
  Cache(std::uint64_t file_size, BlockSource& source, std::size_t blocks_max)
      : BlockTable(file_size),
        source_(source),
        blocks_max_(std::max<std::size_t>(blocks_max, 8)),
        is_pinned_(blocks_.size()) {}

  std::string_view bytes(std::uint64_t offset, std::uint64_t size);
  void prefetch(std::span<const FileRange> ranges);
  void read(std::uint64_t offset, std::span<char> out);
  void end_request();
  PartialResults* partial_results() { return source_.partial_results(); }
  std::size_t resident_count() const { return residents_.size(); }

 private:
  using Buffer = std::unique_ptr<char[]>;  // NOLINT(*-avoid-c-arrays): 64 KiB that need not be filled first
  using WordBuffer = std::unique_ptr<std::uint64_t[]>;  // NOLINT(*-avoid-c-arrays): the same
  struct Resident {
    std::uint32_t number = 0;
    Buffer buffer;
  };

  struct Contiguous {
    std::uint64_t offset = 0;
    std::size_t size = 0;
    std::size_t request = 0;  // the last request that used it
    WordBuffer copy;

    std::string_view bytes() const { return {static_cast<const char*>(static_cast<const void*>(copy.get())), size}; }
  };

  const char* fetch(std::size_t number) override;
  /// Returns null if no copy from `offset` has `size` bytes.
  const Contiguous* find_copy(std::uint64_t offset, std::uint64_t size);
  /// Evicts copies of earlier requests while the limits are exceeded.
  void evict_copies();
  /// Pins a block until the request ends. Returns false if the request has reached its limit of pins.
  bool pin(std::size_t number);
  void fetch_blocks(std::span<const std::uint32_t> numbers);
  /// Returns a buffer for one more block beside `pending` others: new, or that of an evicted block.
  Buffer acquire_buffer(std::size_t pending);
  bool is_resident(std::uint32_t number) const { return blocks_[number] != nullptr; }
  /// The largest number of blocks that one fetch can load without evicting some of them.
  std::size_t fetch_max() const { return blocks_max_ * 3 / 4; }

  BlockSource& source_;
  const std::size_t blocks_max_;
  std::vector<Resident> residents_;
  std::size_t clock_hand_ = 0;       // the position of the clock algorithm in `residents_`
  std::size_t next_sequential_ = 0;  // the block after those fetched last
  std::uint32_t readahead_ = 1;
  std::vector<std::uint8_t> is_pinned_;  // blocks that this request refers to
  std::vector<std::size_t> pinned_;
  std::list<Contiguous> copies_;  // most recently used first
  std::size_t copied_bytes_ = 0;
  std::size_t request_ = 0;
  std::unordered_map<std::uint64_t, std::list<Contiguous>::iterator> copy_at_;  // by offset: the longest
};

const PagedFile::Cache::Contiguous* PagedFile::Cache::find_copy(std::uint64_t offset, std::uint64_t size) {
  const auto found = copy_at_.find(offset);
  if (found == copy_at_.end() || found->second->size < size) return nullptr;
  copies_.splice(copies_.begin(), copies_, found->second);
  found->second->request = request_;
  return &*found->second;
}

bool PagedFile::Cache::pin(std::size_t number) {
  if (is_pinned_[number] != 0) return true;
  if (pinned_.size() >= blocks_max_ / 4) return false;
  if (!is_resident(static_cast<std::uint32_t>(number))) (void)at(number * kBlockBytes);
  is_pinned_[number] = 1;
  pinned_.push_back(number);
  return true;
}

void PagedFile::Cache::evict_copies() {
  while (!copies_.empty() && copies_.back().request != request_ &&
         (copied_bytes_ > kCopiedBytesMax || copies_.size() > kCopiesMax)) {
    const Contiguous& oldest = copies_.back();
    const auto found = copy_at_.find(oldest.offset);
    if (found != copy_at_.end() && &*found->second == &oldest) copy_at_.erase(found);
    copied_bytes_ -= oldest.size;
    copies_.pop_back();
  }
}

std::string_view PagedFile::Cache::bytes(std::uint64_t offset, std::uint64_t size) {
  if (size == 0) return {};
  const auto number = static_cast<std::size_t>(offset / kBlockBytes);
  const bool is_in_block = offset % kBlockBytes + size <= kBlockBytes;
  const bool is_block_resident = is_resident(static_cast<std::uint32_t>(number));
  if (is_in_block && is_block_resident && pin(number)) return {at(offset), static_cast<std::size_t>(size)};
  // Checked before the block is fetched: `prefetch` skips ranges that have a copy.
  if (const Contiguous* found = find_copy(offset, size))
    return found->bytes().substr(0, static_cast<std::size_t>(size));
  if (is_in_block && pin(number)) return {at(offset), static_cast<std::size_t>(size)};
  WordBuffer copy(new std::uint64_t[static_cast<std::size_t>((size + 7) / 8)]);  // NOLINT(*-owning-memory): not filled
  char* const begin = static_cast<char*>(static_cast<void*>(copy.get()));
  read(offset, {begin, static_cast<std::size_t>(size)});
  copies_.push_front({offset, static_cast<std::size_t>(size), request_, std::move(copy)});
  copied_bytes_ += copies_.front().size;
  copy_at_[offset] = copies_.begin();
  evict_copies();
  return copies_.front().bytes();
}

void PagedFile::Cache::read(std::uint64_t offset, std::span<char> out) {
  const std::uint64_t piece_max = fetch_max() * kBlockBytes;
  for (std::size_t done = 0; done < out.size();) {
    const std::uint64_t at = offset + done;
    const std::uint64_t piece = std::min<std::uint64_t>(out.size() - done, piece_max - at % kBlockBytes);
    const FileRange range{at, piece};
    if (piece > kBlockBytes - at % kBlockBytes) prefetch({&range, 1});
    for (std::uint64_t copied = 0; copied < piece;) {
      const std::uint64_t from = at + copied;
      const std::uint64_t size = std::min(piece - copied, kBlockBytes - from % kBlockBytes);
      std::memcpy(out.data() + done + copied, this->at(from), static_cast<std::size_t>(size));
      copied += size;
    }
    done += static_cast<std::size_t>(piece);
  }
}

void PagedFile::Cache::prefetch(std::span<const FileRange> ranges) {
  std::vector<std::uint32_t> numbers;
  for (const auto& [offset, size] : ranges) {
    if (size == 0) continue;
    if (find_copy(offset, size) != nullptr) continue;
    const std::uint64_t first = offset / kBlockBytes;
    for (std::uint64_t number = first; number <= (offset + size - 1) / kBlockBytes; ++number) {
      // Past the end of the file, the read reports the error. More than fits would be evicted again.
      if (number >= blocks_.size() || number - first >= fetch_max()) break;
      used_[static_cast<std::size_t>(number)] = 1;
      if (!is_resident(static_cast<std::uint32_t>(number))) numbers.push_back(static_cast<std::uint32_t>(number));
    }
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  numbers.resize(std::min(numbers.size(), fetch_max()));
  fetch_blocks(numbers);
}

const char* PagedFile::Cache::fetch(std::size_t number) {
  // Sequential reads double the readahead.
  const std::uint32_t readahead = number == next_sequential_ ? std::min(2 * readahead_, kReadaheadMax) : 1;
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = number; i < std::min(number + readahead, blocks_.size()); ++i) {
    if (i == number || !is_resident(static_cast<std::uint32_t>(i))) numbers.push_back(static_cast<std::uint32_t>(i));
  }
  numbers.resize(std::min(numbers.size(), fetch_max()));
  fetch_blocks(numbers);
  readahead_ = readahead;
  next_sequential_ = std::size_t{numbers.back()} + 1;
  return blocks_[number];
}

void PagedFile::Cache::fetch_blocks(std::span<const std::uint32_t> numbers) {
  if (numbers.empty()) return;
  std::vector<Resident> fetched;
  std::vector<BlockSource::Request> requests;
  fetched.reserve(numbers.size());
  requests.reserve(numbers.size());
  for (const std::uint32_t number : numbers) {
    fetched.push_back({number, acquire_buffer(fetched.size())});
    requests.push_back({number, fetched.back().buffer.get()});
  }
  source_.fetch(requests);
  for (Resident& held : fetched) {
    blocks_[held.number] = held.buffer.get();
    used_[held.number] = 1;
    residents_.push_back(std::move(held));
  }
}

PagedFile::Cache::Buffer PagedFile::Cache::acquire_buffer(std::size_t pending) {
  if (residents_.size() + pending < blocks_max_) {
    return Buffer(new char[kBlockBytes]);  // NOLINT(*-owning-memory): not filled, unlike by make_unique
  }
  // A block that was used since the hand last passed gets a second chance.
  while (true) {
    clock_hand_ = clock_hand_ < residents_.size() ? clock_hand_ : 0;
    Resident& held = residents_[clock_hand_];
    if (is_pinned_[held.number] != 0 || used_[held.number] != 0) {
      used_[held.number] = 0;
      ++clock_hand_;
      continue;
    }
    blocks_[held.number] = nullptr;
    Buffer buffer = std::move(held.buffer);
    // The newest block takes its place. It is kept until the hand has passed all others.
    held = std::move(residents_.back());
    residents_.pop_back();
    ++clock_hand_;
    return buffer;
  }
}

void PagedFile::Cache::end_request() {
  ++request_;
  evict_copies();
  for (const std::size_t number : pinned_) is_pinned_[number] = 0;
  pinned_.clear();
}

PagedFile::PagedFile(std::uint64_t size, BlockSource& source, std::size_t blocks_max)
    : size_(size), cache_(std::make_unique<Cache>(size, source, blocks_max)) {}

PagedFile::~PagedFile() = default;

std::string_view PagedFile::bytes(std::uint64_t offset, std::uint64_t size) const {
  return cache_->bytes(offset, size);
}

void PagedFile::prefetch(std::span<const FileRange> ranges) const { cache_->prefetch(ranges); }

BlockTable* PagedFile::blocks() const { return cache_.get(); }

PartialResults* PagedFile::partial_results() const { return cache_->partial_results(); }

void PagedFile::copy(std::uint64_t offset, std::span<char> out) const { cache_->read(offset, out); }

void PagedFile::end_request() const { cache_->end_request(); }

std::size_t PagedFile::resident_blocks() const { return cache_->resident_count(); }

}  // namespace tonearm
