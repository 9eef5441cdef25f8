#pragma once
// The people of the site and their sessions, in the site's own store: SQLite, or PostgreSQL where several servers share
// it. Safe for concurrent calls. Every function throws sql::Failure where the store fails.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tonearm/sql.h"

namespace tonearm::web {

/// The databases that hold them.
inline constexpr sql::Purpose kPeople{"site_people", "a store of a site's people"};

struct Person {
  std::string name;         // as they wrote it
  std::string password;     // Argon2id's string
  std::string account;      // of the API; empty where it is not made yet
  bool is_leaving = false;  // the deletion has begun and goes on until it is done
};

/// By the hashes of their tokens.
struct NewSession {
  std::string token;
  std::int64_t until_ms = 0;
  std::string device{};  // empty: it is known already
  std::int64_t device_until_ms = 0;
};

/// The form in which names are compared.
std::string name_key(std::string_view name);

/// WEB-7. Empty: the name may be taken; else what is wrong with it.
std::string_view name_objection(std::string_view name);

class PeopleStore {
 public:
  /// Makes its tables where there are none.
  explicit PeopleStore(sql::Store& store);

  enum class Added : std::uint8_t { yes, name_is_taken };
  Added add(const Person& person, std::int64_t now_ms);
  std::optional<Person> find(std::string_view name);
  void set_account(std::string_view name, const std::string& account);
  /// Where the password is still `before`: sets it, and ends all sessions of the name, whose hashes are returned; its
  /// devices are no longer known. Nothing: it is another one meanwhile, and nothing changes.
  std::optional<std::vector<std::string>> set_password(std::string_view name, const std::string& before,
                                                       const std::string& password);
  /// From now on nobody signs in by that name; its sessions end.
  void begin_leaving(std::string_view name);
  void remove(std::string_view name);
  std::vector<Person> leaving();

  /// Where `person` still has that password and stays: a session, and the device where one is named (WEB-8). False:
  /// neither is the case any more, and none is added. Those whose time has passed go.
  bool add_session(const Person& person, const NewSession& session, std::int64_t now_ms);
  std::optional<Person> find_session(const std::string& token, std::int64_t now_ms);
  void remove_session(const std::string& token);

  /// Whether somebody signed in by that name on the device; `token`: its hash.
  bool is_device_of(const std::string& token, std::string_view name, std::int64_t now_ms);

 private:
  sql::Store& store_;
};

}  // namespace tonearm::web
