#pragma once
// Stores the applications that registered themselves, and which of them people connected with their accounts
// (docs/spec/oauth.md). A grant is what a person allowed an application; it becomes a connection when the application
// has exchanged its code. The store contains only hashes of codes and tokens. Safe for concurrent calls. Every function
// throws sql::Failure if the store fails.

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
  std::string account;  // the person's; empty in a new grant
  std::string client_id;
  std::string client_name;  // when the person allowed it; may be empty
  std::string redirect;     // the address that gets the code
  std::string challenge;    // S256
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

  // The functions that end grants return the ids of the session keys to revoke.

  /// Adds a grant and its code. Ends the person's oldest grants above the limit (OAUTH-9).
  std::vector<std::string> add_grant(const OauthGrant& grant, const std::string& code_hash,
                                     std::int64_t code_expires_ms, std::int64_t now_ms);
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
  /// token. Returns nothing and changes nothing if the token is not valid.
  std::optional<std::vector<std::string>> exchange(const std::string& hash, const NextTokens& next,
                                                   std::int64_t now_ms);
  std::vector<std::string> end_grant(const std::string& grant_id);

  /// The connections of a person, newest first.
  std::vector<Connection> connections(std::string_view name, std::int64_t now_ms);

 private:
  sql::Store& store_;
};

}  // namespace tonearm::web
