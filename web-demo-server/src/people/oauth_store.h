#pragma once
// Stores the applications that registered themselves, and which of them people connected with their accounts
// (docs/spec/oauth.md). A grant is what a person allowed an application; it becomes a connection when the application
// has exchanged its code. The access token of a grant that ends is a key of the API, which the site revokes; until then
// the store keeps its id (OAUTH-14). The store contains only hashes of codes and tokens. Safe for concurrent calls.
// Every function throws sql::Failure if the store fails.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/sql.h"

namespace tonearm::web {

/// An application.
struct OauthClient {
  std::string id;
  std::string name;  // as it calls itself; may be empty
  std::vector<std::string> redirects;
};

struct OauthGrant {
  std::string id;
  std::string person;
  std::string account;  // the person's
  std::string client_id;
  std::string client_name;  // when the person allowed it; may be empty
  std::string redirect;     // the address that gets the code
  std::string challenge;    // S256
  std::string key_id;       // of its access token; empty: its code has not been exchanged
};

enum class OauthTokenKind : std::uint8_t { code, refresh, access };

struct FoundToken {
  enum class State : std::uint8_t { valid, used, expired };
  OauthGrant grant;
  OauthTokenKind kind = OauthTokenKind::code;
  State state = State::valid;
};

/// A connection as its person sees it.
struct Connection {
  std::string id;
  std::string name;      // of the application; may be empty
  std::string redirect;  // the address to which the person returned
  std::int64_t created_ms = 0;
  std::int64_t used_ms = 0;  // when it got its last access token
  std::string key_id;        // of that token, which is a session key
};

class OauthStore {
 public:
  /// REQUIRES: a PeopleStore has created the tables of `store`.
  explicit OauthStore(sql::Store& store) : store_(store) {}

  /// Registers an application. Forgets those without grants that are older than a week and, if there are too many, the
  /// oldest of the others. Returns false if all of them have grants (OAUTH-3).
  bool add_client(const OauthClient& client, std::int64_t now_ms);
  std::optional<OauthClient> find_client(const std::string& id);

  /// Adds a grant and its code. Forgets the person's oldest codes above the limit (OAUTH-9). Returns false and adds
  /// nothing if the account is no longer the person's.
  bool add_grant(const OauthGrant& grant, const std::string& code_hash, std::int64_t code_expires_ms,
                 std::int64_t now_ms);
  /// Returns nothing if the token does not exist, its grant has ended, or its person is being deleted.
  std::optional<FoundToken> find_token(const std::string& hash, std::int64_t now_ms);

  struct NextTokens {
    std::string refresh_hash;
    std::int64_t refresh_expires_ms = 0;
    std::string access_hash;
    std::int64_t access_expires_ms = 0;
    std::string key_id;  // of the session key that is the access token
  };
  /// Uses a code or a refresh token once, and adds the next tokens of its grant. Ends the grant's previous access
  /// token, and the person's oldest connections above the limit (OAUTH-9). Returns false if the token is not valid:
  /// then the key of `next` has ended.
  bool exchange(const std::string& hash, const NextTokens& next, std::int64_t now_ms);
  void end_grant(const std::string& grant_id);

  /// The ids of keys that have ended and are not yet removed.
  std::vector<std::string> ended_keys(std::size_t count_max);
  /// REQUIRES: the API has revoked the key.
  void remove_ended_key(const std::string& key_id);

  /// The connections of a person, newest first.
  std::vector<Connection> connections(std::string_view name, std::int64_t now_ms);

 private:
  sql::Store& store_;
};

}  // namespace tonearm::web
