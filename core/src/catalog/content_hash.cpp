#include "catalog/content_hash.h"

#include <sqlite3.h>

#include <array>
#include <string_view>

#include "catalog/statement.h"

namespace tonearm::catalog {
namespace {

constexpr std::size_t kBlockBytes = 1U << 20U;

struct Table {
  std::string_view name;
  std::string_view select;
};

constexpr std::array<Table, 9> kTables{{
    {"manifest", "SELECT key, value FROM manifest WHERE key <> 'content_hash' ORDER BY key"},
    {"listing", "SELECT list, place, id, label, count FROM listing ORDER BY list, place"},
    {"creators", "SELECT place, folded, name, count FROM creators ORDER BY place"},
    {"synonyms", "SELECT set_number, place, phrase FROM synonyms ORDER BY set_number, place"},
    {"columns", "SELECT name, data FROM columns ORDER BY name"},
    {"ids", "SELECT id, position FROM ids ORDER BY id"},
    {"terms", "SELECT key, count, place FROM terms ORDER BY key"},
    {"postings", "SELECT place, data FROM postings ORDER BY place"},
    {"tracks", "SELECT position, json, offsets, neighbors FROM tracks ORDER BY position"},
}};

/// The port hashes whole texts only. So the stream is cut into blocks, and the hash is that of the row of the
/// blocks' hashes: memory stays small, however large the catalog is.
class BlockHash {
 public:
  explicit BlockHash(Hashing& hashing) : hashing_(hashing) {}

  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto part = bytes.substr(0, kBlockBytes - block_.size());
      block_.append(part);
      bytes.remove_prefix(part.size());
      if (block_.size() == kBlockBytes) close_block();
    }
  }

  void add_number(std::uint64_t number) {
    std::array<char, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(number >> (8 * i) & 0xffU);
    add({bytes.data(), bytes.size()});
  }

  void add_text(std::string_view text) {
    add_number(text.size());
    add(text);
  }

  Sha256 finish() {
    if (!block_.empty()) close_block();
    return hashing_.sha256(digests_);
  }

 private:
  void close_block() {
    const Sha256 digest = hashing_.sha256(block_);
    digests_.append(digest.begin(), digest.end());
    block_.clear();
  }

  Hashing& hashing_;
  std::string block_;
  std::string digests_;
};

void add_table(sqlite3* database, const Table& table, BlockHash& hash) {
  hash.add_text(table.name);
  Statement select(database, table.select);
  const int columns = sqlite3_column_count(select.handle());
  while (select.step()) {
    hash.add("r");
    for (int i = 0; i < columns; ++i) {
      switch (sqlite3_column_type(select.handle(), i)) {
        case SQLITE_INTEGER:
          hash.add("i");
          hash.add_number(static_cast<std::uint64_t>(select.integer(i)));
          break;
        case SQLITE_TEXT:
          hash.add("t");
          hash.add_text(select.text(i));
          break;
        case SQLITE_BLOB:
          hash.add("b");
          hash.add_text(select.blob(i));
          break;
        default:
          damaged("a value has a type that no snapshot has");
      }
    }
  }
  hash.add("e");
}

}  // namespace

std::string content_hash(sqlite3* database, Hashing& hashing) {
  BlockHash hash(hashing);
  for (const Table& table : kTables) add_table(database, table, hash);
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const std::uint8_t byte : hash.finish()) {
    hex.push_back(kDigits[byte >> 4U]);
    hex.push_back(kDigits[byte & 15U]);
  }
  return hex;
}

}  // namespace tonearm::catalog
