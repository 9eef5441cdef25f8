#include "people/recovery_store.h"

#include <array>
#include <limits>

#include "people/people_store.h"
#include "tonearm/ascii.h"

namespace tonearm::web {
namespace {

constexpr std::string_view kDigits = "0123456789abcdefghjkmnpqrstvwxyz";  // without i, l, o and u, which are misread
constexpr std::size_t kCodeDigits = 32;
constexpr std::size_t kGroup = 4;

bool is_valid_code(sql::Transaction& transaction, const std::string& key, const std::string& hash,
                   std::int64_t now_ms) {
  const auto found = transaction.execute(
      "SELECT 1 FROM site_recovery codes JOIN site_people people ON people.name_key = codes.name_key"
      " WHERE codes.name_key = ?1 AND codes.hash = ?2 AND codes.until_ms > ?3 AND people.is_leaving = 0",
      {key, hash, now_ms});
  return !found.empty();
}

void insert_code(sql::Transaction& transaction, const std::string& key, RecoveryStore::Issuer issuer,
                 const std::string& hash, std::int64_t expires_ms) {
  transaction.execute(
      "INSERT INTO site_recovery (name_key, issuer, hash, until_ms) VALUES (?1, ?2, ?3, ?4)"
      " ON CONFLICT (name_key, issuer) DO UPDATE SET hash = excluded.hash, until_ms = excluded.until_ms",
      {key, static_cast<std::int64_t>(issuer), hash, expires_ms});
}

}  // namespace

std::string new_recovery_code(Random& random) {
  std::array<std::uint8_t, kCodeDigits> bytes{};
  random.fill(bytes);
  std::string code;
  for (std::size_t i = 0; i < kCodeDigits; ++i) {
    if (i > 0 && i % kGroup == 0) code += '-';
    code += kDigits[bytes[i] % kDigits.size()];  // 256 is a multiple of 32, so all digits are equally likely
  }
  return code;
}

std::string recovery_hash(Hashing& hashing, std::string_view typed) {
  std::string code;
  for (const char typed_c : typed) {
    const char c = ascii::to_lower(typed_c);
    if (ascii::is_alphanumeric(c)) code += c == 'o' ? '0' : c == 'i' || c == 'l' ? '1' : c;
  }
  return ascii::to_hex(hashing.sha256("recovery " + code));
}

bool RecoveryStore::set_code(std::string_view name, Issuer issuer, const std::string& hash, std::int64_t expires_ms) {
  bool is_set = false;
  store_.transact([&](sql::Transaction& transaction) {
    const auto key = name_key(name);
    is_set = !transaction.execute("SELECT 1 FROM site_people WHERE name_key = ?1 AND is_leaving = 0", {key}).empty();
    if (is_set) insert_code(transaction, key, issuer, hash, expires_ms);
  });
  return is_set;
}

bool RecoveryStore::is_valid(std::string_view name, const std::string& hash, std::int64_t now_ms) {
  bool is_found = false;
  store_.transact(
      [&](sql::Transaction& transaction) { is_found = is_valid_code(transaction, name_key(name), hash, now_ms); });
  return is_found;
}

std::optional<std::vector<std::string>> RecoveryStore::use(std::string_view name, const std::string& hash,
                                                           const Change& change, std::int64_t now_ms) {
  std::optional<std::vector<std::string>> ended;
  store_.transact([&](sql::Transaction& transaction) {
    ended.reset();
    const auto key = name_key(name);
    if (!is_valid_code(transaction, key, hash, now_ms)) return;
    transaction.execute("UPDATE site_people SET password = ?2 WHERE name_key = ?1", {key, change.password});
    transaction.execute("DELETE FROM site_recovery WHERE name_key = ?1", {key});
    insert_code(transaction, key, Issuer::person, change.next_hash, std::numeric_limits<std::int64_t>::max());
    ended = end_sessions(transaction, key);
  });
  return ended;
}

}  // namespace tonearm::web
