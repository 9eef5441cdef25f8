#pragma once
// Who is signed in: the token in a cookie, and the person behind it (WEB-6). The store holds a hash of the token; a
// visitor who is not signed in has a token too, which nothing is stored for. Safe for concurrent calls.

#include <optional>
#include <string>

#include "people/people_store.h"
#include "routes/request_context.h"
#include "tonearm/ports.h"
#include "rate_limits/login_throttle.h"

namespace tonearm::web {

class Sessions {
 public:
  Sessions(PeopleStore& people, Clock& clock, Random& random, Hashing& hashing)
      : people_(people), clock_(clock), random_(random), hashing_(hashing) {}

  /// The cookie's token, where it has the form of one.
  static std::optional<std::string> token_of(const RequestHead& head, Transport transport);

  /// What a page of the session sends with every write.
  std::string csrf_of(const std::string& token) const;
  /// WEB-9: whether the head carries it.
  bool has_csrf(const RequestHead& head, Transport transport) const;

  struct SignedIn {
    Person person;
    std::string session;  // names it among the session keys
  };
  std::optional<SignedIn> find(const RequestHead& head, Transport transport) const;

  struct Issued {
    std::string token;
    Headers cookies;  // Set-Cookie fields
  };
  /// Of nobody.
  Issued begin(Transport transport) const;
  /// Of a person whose password was found right; the device is known from now on. Nothing: the password was changed or
  /// the account deleted meanwhile.
  std::optional<Issued> begin(const RequestHead& head, const Person& person, Transport transport);
  void end(const std::string& session);

  /// The device's hash, where its owner signed in on it before.
  std::optional<std::string> known_device(const RequestHead& head, std::string_view name, Transport transport) const;

 private:
  std::string new_token() const;
  std::string hash(std::string_view use, std::string_view token) const;

  PeopleStore& people_;
  Clock& clock_;
  Random& random_;
  Hashing& hashing_;
};

}  // namespace tonearm::web
