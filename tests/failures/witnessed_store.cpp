#include "witnessed_store.h"

#include <string_view>

namespace tonearm::test {

namespace {

/// FNV-1a.
class Digest {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) mix(static_cast<unsigned char>(byte));
    mix(0xff);
  }
  void add(const sql::Value& value) {
    mix(value.index());
    if (const auto* number = std::get_if<std::int64_t>(&value)) mix(static_cast<std::uint64_t>(*number));
    if (const auto* text = std::get_if<std::string>(&value)) add(std::string_view(*text));
    if (const auto* blob = std::get_if<sql::Blob>(&value)) add(std::string_view(blob->bytes));
  }
  std::uint64_t value() const { return value_; }

 private:
  void mix(std::uint64_t bits) { value_ = (value_ ^ bits) * 0x100000001b3U; }

  std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace

std::uint64_t digest_of(sql::Transaction& transaction) {
  Digest digest;
  for (const sql::Row& table :
       transaction.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")) {
    digest.add(table.at(0));
    for (const sql::Row& row : transaction.execute("SELECT * FROM " + std::get<std::string>(table.at(0)))) {
      for (const sql::Value& value : row) digest.add(value);
    }
  }
  return digest.value();
}

}  // namespace tonearm::test
