#pragma once
// Sign-in sessions (WEB-6): the token in a cookie, and the person who is signed in with it. The store contains a hash
// of the token. A visitor who is not signed in has a token, too, but nothing is stored for it. Safe for concurrent
// calls.

#include <optional>
#include <string>
#include <vector>

#include "people/people_store.h"
#include "rate_limits/login_throttle.h"
#include "routes/request_context.h"
#include "tonearm/ports.h"

namespace tonearm::web {

class Sessions {
 public:
  Sessions(PeopleStore& people, Clock& clock, Random& random, Hashing& hashing)
      : people_(people), clock_(clock), random_(random), hashing_(hashing) {}

  /// Returns a new secret: 256 random bits as hexadecimal digits.
  std::string new_token() const;
  /// Returns whether a text has the form of such a secret.
  static bool is_token(std::string_view text);

  /// Returns the token of the cookie if it is well-formed.
  static std::optional<std::string> token_of(const RequestHead& head, Transport transport);

  /// Returns the token that pages send with every write.
  std::string csrf_of(const std::string& token) const;
  /// Returns whether the request has the CSRF token of its session (WEB-9).
  bool has_csrf(const RequestHead& head, Transport transport) const;

  struct SignedIn {
    Person person;
    std::string session_id;  // the hash of the token
  };
  std::optional<SignedIn> find(const RequestHead& head, Transport transport) const;

  struct Issued {
    std::string token;
    Headers cookies;                   // Set-Cookie fields
    std::vector<std::string> ended{};  // ids of older sessions that this one ended
  };
  /// Issues a token for a visitor who is not signed in.
  Issued issue_anonymous(Transport transport) const;
  /// Starts a session for a person whose password has been checked, and remembers the device. Returns nothing if the
  /// password has been changed or the account deleted since the check.
  std::optional<Issued> start(const RequestHead& head, const Person& person, Transport transport);
  void end(const std::string& session_id);

  /// Returns the hash of the device if the person has signed in on it before.
  std::optional<std::string> known_device(const RequestHead& head, std::string_view name, Transport transport) const;

 private:
  std::string hash(std::string_view purpose, std::string_view token) const;

  PeopleStore& people_;
  Clock& clock_;
  Random& random_;
  Hashing& hashing_;
};

}  // namespace tonearm::web
