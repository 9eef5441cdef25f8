#pragma once
// A client of OAuth 2.1 for one API (OAUTH-1 to OAUTH-10): a public client with a proof key. All addresses must be
// https, or http of this machine. Each function throws ServerError, with the server's message, if a server refuses or
// does not answer.

#include <string>

#include "login/login_file.h"
#include "login/redirect_receiver.h"

namespace tonearm::cli {

/// The authorization server of an API.
struct AuthorizationServer {
  std::string issuer;
  std::string resource;  // what tokens are requested for
  std::string authorization_endpoint;
  std::string token_endpoint;
  std::string registration_endpoint;
  std::string revocation_endpoint;
};

/// What a request for authorization binds its answer to.
struct AuthorizationRequest {
  std::string client_id;
  std::string redirect_uri;
  std::string state;
  std::string verifier;  // RFC 7636
};

class OauthClient {
 public:
  /// `ca_file`: as ApiAccess::ca_file.
  explicit OauthClient(std::string ca_file) : ca_file_(std::move(ca_file)) {}

  /// Reads the metadata of the API (RFC 9728) and of its authorization server (RFC 8414), and checks that each belongs
  /// to the address it was read from.
  AuthorizationServer discover(const std::string& api) const;
  /// Registers this program (RFC 7591) and returns a request with new random values.
  AuthorizationRequest register_client(const AuthorizationServer& server, const std::string& redirect_uri) const;
  /// Exchanges the code of an answer. Throws ServerError if the person denied the request, or if the answer is of
  /// another issuer (RFC 9207).
  Login exchange(const AuthorizationServer& server, const AuthorizationRequest& request,
                 const RedirectAnswer& answer) const;
  /// Returns the login with new tokens; the previous ones end.
  Login refresh(const Login& login) const;
  /// Ends the connection of a login.
  void revoke(const Login& login) const;

 private:
  std::string ca_file_;
};

/// Returns the address of the page where the person decides.
std::string authorization_page(const AuthorizationServer& server, const AuthorizationRequest& request);

/// Returns the code challenge `S256` of a verifier (RFC 7636, 4.2).
std::string code_challenge(const std::string& verifier);

}  // namespace tonearm::cli
