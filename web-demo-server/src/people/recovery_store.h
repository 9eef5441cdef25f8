#pragma once
// Stores the codes with which a person who has forgotten the password sets a new one (WEB-32): one that the person
// keeps, and one of the operator, which expires. The store contains only their hashes. Safe for concurrent calls. Every
// function throws sql::Failure if the store fails.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm::web {

/// 160 random bits as letters and digits, with a dash after each four. People may type `o` for `0`, and `i` or `l` for
/// `1`.
std::string new_recovery_code(Random& random);

/// Returns the hash of a code as a person types it: in any case, with or without dashes and spaces. SHA-256 suffices,
/// because a code of 160 random bits cannot be guessed from its hash.
std::string recovery_hash(Hashing& hashing, std::string_view typed);

class RecoveryStore {
 public:
  enum class Issuer : std::uint8_t { person, site_operator };

  /// REQUIRES: a PeopleStore has created the tables of `store`.
  explicit RecoveryStore(sql::Store& store) : store_(store) {}

  /// Replaces the code of this issuer. Returns false if there is no such person, or if they are being deleted.
  bool set_code(std::string_view name, Issuer issuer, const std::string& hash, std::int64_t expires_ms);
  /// Returns whether the person may use the code.
  bool is_valid(std::string_view name, const std::string& hash, std::int64_t now_ms);
  /// Uses a code: replaces the password and all codes of the person, ends their sessions, whose ids are returned, and
  /// forgets their devices. Returns nothing and changes nothing if the code is not valid.
  struct Change {
    std::string password;   // an Argon2id hash string
    std::string next_hash;  // of the person's next code
  };
  std::optional<std::vector<std::string>> use(std::string_view name, const std::string& hash, const Change& change,
                                              std::int64_t now_ms);

 private:
  sql::Store& store_;
};

}  // namespace tonearm::web
