#pragma once
// Used by the examples: a snapshot in memory, and ports that are only suitable for examples.

#include <tonearm/ports.h>
#include <tonearm/sqlite_snapshot.h>
#include <fstream>
#include <iterator>

namespace example {

class SnapshotInMemory final : public tonearm::SnapshotFile, public tonearm::SqliteSnapshot {
 public:
  explicit SnapshotInMemory(const char* path) {
    std::ifstream input(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(input), {});
  }
  const SnapshotFile& file() const override { return *this; }
  std::uint64_t size() const override { return bytes_.size(); }
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override {
    return {bytes_.data() + offset, size};
  }
  tonearm::sql::SqliteHandle connect() const override {
    return tonearm::sql::open_sqlite_image({bytes_.data(), tonearm::database_size(bytes_)});
  }

 private:
  std::string bytes_;
};

/// A clock with a fixed time.
class FixedClock final : public tonearm::Clock {
 public:
  std::int64_t now_ms() override { return 1'768'478'400'000; }  // 2026-01-15T12:00:00Z
};

/// Predictable bytes. A real program uses its operating system's.
class PredictableRandom final : public tonearm::Random {
 public:
  void fill(std::span<std::uint8_t> out) override {
    for (auto& byte : out) byte = next_++;
  }

 private:
  std::uint8_t next_ = 0;
};

/// Not SHA-256. A real program uses that of its cryptography library.
class WeakHashing final : public tonearm::Hashing {
 public:
  tonearm::Sha256 sha256(std::string_view data) override {
    tonearm::Sha256 folded{};
    for (std::size_t i = 0; i < data.size(); ++i) folded.at(i % folded.size()) ^= static_cast<std::uint8_t>(data[i]);
    return folded;
  }
  tonearm::Sha256 hmac_sha256(std::string_view key, std::string_view data) override {
    return sha256(std::string(key).append(data));
  }
};

}  // namespace example
