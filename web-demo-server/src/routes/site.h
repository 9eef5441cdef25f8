#pragma once
// The dependencies of the routes. They must outlive the routes.

#include <functional>
#include <string>

#include "http/running_requests.h"
#include "monitoring/log.h"
#include "people/passwords.h"
#include "people/people_store.h"
#include "rate_limits/login_throttle.h"
#include "rate_limits/throttle.h"
#include "routes/sessions.h"
#include "upstream/operator_account.h"
#include "upstream/session_keys.h"

namespace tonearm::web {

struct SiteFolders {
  std::string site;     // the built page; empty: none
  std::string media;    // empty: none
  std::string catalog;  // the snapshot; empty: none
};

struct Site {
  Clock& clock;
  native::Log& log;
  Backend& backend;
  OperatorAccount& operator_account;
  SessionKeys& session_keys;
  PeopleStore& people;
  Passwords& passwords;
  Sessions& sessions;
  LoginThrottle& login_throttle;
  Throttle& sign_up_throttle;
  native::RunningRequests& person_calls;  // calls of each person to the API
  SiteFolders folders;
};

}  // namespace tonearm::web
