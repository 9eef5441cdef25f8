#pragma once
// The dependencies of the routes. They must outlive the routes.

#include <cstdint>
#include <string>

#include "http/running_requests.h"
#include "monitoring/log.h"
#include "oauth/client_documents.h"
#include "people/feed_store.h"
#include "people/oauth_store.h"
#include "people/passwords.h"
#include "people/people_store.h"
#include "people/recovery_store.h"
#include "people/share_store.h"
#include "people/webhook_store.h"
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

/// Who may switch the plan of a person (WEB-27).
enum class PlanChoice : std::uint8_t { operator_only, people };

/// The site as an authorization server of OAuth (OAUTH-1).
struct OauthServer {
  OauthStore& store;
  ClientDocuments& documents;
  Throttle& registrations;  // of each visitor
  Throttle& refreshes;      // of each grant
  std::string issuer;       // the public address of the site; empty: the site is no authorization server
  std::string resource;     // the identifier of the API's /mcp
};

struct Site {
  Clock& clock;
  native::Log& log;
  Backend& backend;
  OperatorAccount& operator_account;
  SessionKeys& session_keys;
  PeopleStore& people;
  ShareStore& shares;
  RecoveryStore& recovery;
  FeedStore& feeds;
  WebhookStore& webhooks;
  Random& random;
  Hashing& hashing;
  Passwords& passwords;
  Sessions& sessions;
  LoginThrottle& login_throttle;
  Throttle& sign_up_throttle;
  Throttle& webhook_throttle;             // messages that a person asks for
  native::RunningRequests& person_calls;  // calls of each person to the API
  SiteFolders folders;
  PlanChoice plan_choice = PlanChoice::operator_only;
  bool allows_private_webhooks = false;  // the operator allowed some addresses: then receivers may use http
  OauthServer oauth;
};

}  // namespace tonearm::web
