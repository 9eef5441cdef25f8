#include "memory_catalog.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "system/system_ports.h"

namespace tonearm::test {
namespace {

class MemoryFile final : public SnapshotFile, public SqliteSnapshot {
 public:
  explicit MemoryFile(std::string bytes) : bytes_(std::move(bytes)) {}

  const SnapshotFile& file() const override { return *this; }
  sql::SqliteHandle connect() const override {
    sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
    const std::uint64_t size = std::min<std::uint64_t>(database_size(bytes_), bytes_.size());
    if (size == 0) throw Failure("the bytes are no database");
    auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(size));
    if (copy == nullptr) throw Failure("no memory for a snapshot");
    std::memcpy(copy, bytes_.data(), size);
    // SQLite frees the copy even on failure.
    if (sqlite3_deserialize(database.get(), "main", copy, static_cast<sqlite3_int64>(size),
                            static_cast<sqlite3_int64>(size),
                            SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
      throw Failure("the bytes are no database");
    }
    return database;
  }
  std::uint64_t size() const override { return bytes_.size(); }
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override {
    return std::string_view(bytes_).substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
  }

 private:
  std::string bytes_;
};

/// The blocks of a file in memory, and the file that reads them.
class MemoryBlocks final : public PagedSnapshot, private BlockSource, private PartialResults {
 public:
  MemoryBlocks(std::string bytes, Blocks blocks)
      : memory_(std::move(bytes)), blocks_(blocks), file_(memory_.size(), *this, kBlocksKept) {}

  const PagedFile& file() const override { return file_; }
  sql::SqliteHandle connect() const override { return memory_.connect(); }
  void end_request() const override {
    file_.end_request();
    fetched_.clear();
    results_.clear();
  }
  std::size_t kept_blocks_max() const override { return kept_blocks_max_; }

 private:
  /// Like the edge: each replay releases what it borrowed, but blocks that were fetched for the request stay available.
  void fetch(std::span<const Request> wanted) override {
    const auto is_new = [this](const Request& it) { return fetched_.count(it.block) == 0; };
    if (blocks_ == Blocks::after_replay && std::any_of(wanted.begin(), wanted.end(), is_new)) {
      for (const Request& it : wanted) fetched_.insert(it.block);
      kept_blocks_max_ = std::max(kept_blocks_max_, fetched_.size());
      throw BlocksMissing{};
    }
    for (const auto& [block, into] : wanted) {
      const std::uint64_t offset = block * kBlockBytes;
      const auto bytes = memory_.bytes(offset, std::min(kBlockBytes, memory_.size() - offset));
      std::memcpy(into, bytes.data(), bytes.size());
    }
  }

  PartialResults* partial_results() override { return blocks_ == Blocks::after_replay ? this : nullptr; }
  std::optional<std::string> find(std::string_view key) override {
    const auto stored = results_.find(key);
    if (stored != results_.end()) return stored->second;
    if (!earlier_) earlier_ = fetched_;
    return std::nullopt;
  }
  void store(std::string_view key, std::string_view result) override {
    results_.emplace(key, result);
    if (earlier_) fetched_ = *std::exchange(earlier_, std::nullopt);
  }

  static constexpr std::size_t kBlocksKept = 8;

  MemoryFile memory_;
  Blocks blocks_;
  mutable std::set<std::uint32_t> fetched_;  // for the current request
  std::size_t kept_blocks_max_ = 0;
  mutable std::map<std::string, std::string, std::less<>> results_;  // of the current request
  std::optional<std::set<std::uint32_t>> earlier_;  // the blocks fetched before those of the current partial result
  PagedFile file_;
};

class MemoryOutput final : public SqliteSnapshotOutput {
 public:
  sqlite3* database() override { return database_.get(); }
  std::uint64_t end_database() override {
    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(
        sqlite3_serialize(database_.get(), "main", &size, 0), &sqlite3_free);
    if (!bytes) throw Failure("the snapshot cannot be serialized");
    bytes_.assign(reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size));
    database_.reset();
    return bytes_.size();
  }
  std::string read(std::uint64_t offset, std::uint64_t size) override { return bytes_.substr(offset, size); }
  void append(std::string_view bytes) override { bytes_ += bytes; }
  std::unique_ptr<const SnapshotFile> written() override { return std::make_unique<const MemoryFile>(bytes_); }
  std::string take() { return std::move(bytes_); }

 private:
  sql::SqliteHandle database_ = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  std::string bytes_;
};

}  // namespace

std::string snapshot_bytes(std::span<const Track> tracks, const SnapshotOptions& options) {
  native::OpensslHashing hashing;
  return snapshot_bytes(tracks, options, hashing);
}

std::string snapshot_bytes(std::span<const Track> tracks, const SnapshotOptions& options, Hashing& hashing) {
  MemoryOutput output;
  write_snapshot(output, TracksInMemory(tracks), options, hashing);
  return output.take();
}

std::shared_ptr<const SqliteSnapshot> snapshot_of_bytes(std::string bytes) {
  return std::make_shared<const MemoryFile>(std::move(bytes));
}

std::shared_ptr<const PagedSnapshot> paged_snapshot_of_bytes(std::string bytes, Blocks blocks) {
  return std::make_shared<const MemoryBlocks>(std::move(bytes), blocks);
}

std::string id_of(const RenderedTrack& track) {
  const auto begin = track.offsets[0];
  return std::string(track.json.substr(begin + 1, track.offsets[1] - begin - 2));  // without its quotes
}

std::shared_ptr<const Catalog> make_memory_catalog(std::span<const Track> tracks, const SnapshotOptions& options,
                                                   Catalog::Options open_options) {
  open_options.allow_evaluation = open_options.allow_evaluation || options.evaluation;
  return Catalog::open(snapshot_of_bytes(snapshot_bytes(tracks, options)), open_options).value();
}

}  // namespace tonearm::test
