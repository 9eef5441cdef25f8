#pragma once
// Checks of passwords and recovery codes, all of them throttled (WEB-8, WEB-26), and the session that follows. Safe for
// concurrent calls. Each throws std::runtime_error if the API does not answer, and sql::Failure if the store fails.

#include <optional>
#include <string>
#include <string_view>

#include "routes/site_routes.h"

namespace tonearm::web {

struct Credentials {
  std::string name;
  std::string password;
};

/// The result of a password check: either the person or the response to send.
struct PasswordCheck {
  std::optional<Response> rejection;
  std::optional<Person> person;
};

/// Checks the password of a person. A failure delays the next attempts.
PasswordCheck check_password(Site& site, const RequestContext& context, const Credentials& credentials);

/// Who guesses, for the throttle.
LoginThrottle::Attempt attempt_of(Site& site, const RequestContext& context, std::string_view name);
/// Counts an attempt. Returns 429 if it is throttled.
std::optional<Response> throttle_attempt(Site& site, const LoginThrottle::Attempt& attempt);

/// Returns the hash of a new password, or nothing if the client already waits for another hash.
std::optional<std::string> hash_password(Site& site, const RequestContext& context, std::string_view password);
/// 429: the client already waits for the check of another password.
Response too_many_hashes();

/// Creates the API account if the person has none, which also completes an interrupted sign-up.
void ensure_account(Site& site, Person& person);

/// Replaces the person's recovery code and returns it.
std::string issue_recovery_code(Site& site, std::string_view name);

/// The session of a browser as JSON. `recovery_code`: a new one, which is shown once; empty: none.
Response session_answer(Site& site, int status, const std::string& token, const std::optional<Person>& person,
                        const std::string& recovery_code = {});
/// Starts a session, and ends the previous one of the browser and those that are too old. 401 if the password has
/// changed since it was checked.
Response start_session(Site& site, const RequestContext& context, int status, const Person& person,
                       const std::string& recovery_code = {});
Response with_cookies(Response response, Headers cookies);
/// 401: the password has changed since it was checked.
Response password_changed();

}  // namespace tonearm::web
