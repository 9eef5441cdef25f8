#pragma once
// Stores the people of the site and their sign-in sessions, in SQLite or, if several servers share the store, in
// PostgreSQL. Safe for concurrent calls. Every function throws sql::Failure if the store fails.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tonearm/sql.h"

namespace tonearm::web {

/// Identifies the databases that this class may open.
inline constexpr sql::Purpose kPeople{"site_people", "a store of a site's people"};

struct Person {
  std::string name;      // as entered at sign-up
  std::string password;  // an Argon2id hash string
  std::string account;   // account id in the API; empty: not created yet
  bool is_being_deleted = false;
};

/// The sign-in sessions that a person may have at once, and as many known devices (WEB-6).
inline constexpr int kSessionsMax = 20;

struct NewSession {
  std::string token_hash;
  std::int64_t expires_ms = 0;
  std::string device_hash{};  // empty: the device is already known
  std::int64_t device_expires_ms = 0;
};

/// Returns the form in which names are compared.
std::string name_key(std::string_view name);

/// Returns what is wrong with a new name, or an empty string if it is acceptable (WEB-7).
std::string_view name_error(std::string_view name);

/// Ends all sign-in sessions of a person, whose ids are returned, and forgets the known devices. `key`: a name_key.
std::vector<std::string> end_sessions(sql::Transaction& transaction, const std::string& key);

/// Whether the account is that of the person with this name_key, who is not being deleted.
bool is_account_of(sql::Transaction& transaction, const std::string& key, const std::string& account);

class PeopleStore {
 public:
  /// Creates missing tables.
  explicit PeopleStore(sql::Store& store);

  enum class Added : std::uint8_t { yes, name_is_taken };
  Added add(const Person& person, std::int64_t now_ms);
  std::optional<Person> find(std::string_view name);
  void set_account(std::string_view name, const std::string& account);
  /// Replaces the password hash if it is still `before`. Ends all sign-in sessions of the person, whose ids are
  /// returned, and forgets the known devices. Returns nothing and changes nothing if the hash is different.
  std::optional<std::vector<std::string>> set_password(std::string_view name, const std::string& before,
                                                       const std::string& password);
  /// Marks the person as being deleted and ends the sign-in sessions. Nobody can sign in with the name any more.
  void begin_deletion(std::string_view name);
  /// Removes all data of the person. Changes nothing if the name has no owner, or another one with another password
  /// hash.
  void remove(const Person& person);
  std::vector<Person> pending_deletions();

  /// Adds a sign-in session and, if given, a known device (WEB-8). Ends the person's oldest sessions, whose ids are
  /// returned, and forgets their oldest devices, so that kSessionsMax of each remain. Returns nothing and adds nothing
  /// if the password hash of `person` has changed or the person is being deleted. Removes expired sessions and devices.
  std::optional<std::vector<std::string>> add_session(const Person& person, const NewSession& session,
                                                      std::int64_t now_ms);
  std::optional<Person> find_session(const std::string& token_hash, std::int64_t now_ms);
  void remove_session(const std::string& token_hash);

  /// Returns whether the person has signed in on the device.
  bool is_device_of(const std::string& device_hash, std::string_view name, std::int64_t now_ms);

 private:
  sql::Store& store_;
};

}  // namespace tonearm::web
