#pragma once
// HTTP exchanges with a server, one at a time over a connection that closes afterwards, for command lines. Programs
// that send many requests use `client_pool.h`.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/http.h"

namespace tonearm::native {

/// "http://127.0.0.1:8081/base": scheme, host, port and path.
struct ServerUrl {
  bool tls = false;
  std::string host;
  std::string port;
  std::string path;  // without a slash at its end
};

/// Throws std::runtime_error that states the accepted form, without the text.
ServerUrl parse_server_url(std::string_view text);

/// The key of a request that is signed for S3 by AWS Signature Version 4. All of it is secret but the region.
struct RequestSigning {
  std::string region;
  std::string access_key;
  std::string secret_key;
  std::string session_token;  // empty: none
};

struct ClientRequest {
  std::string method;
  std::string target;                       // appended to the URL's path
  std::string token{};                      // a bearer token; empty: none
  std::string body{};                       // JSON; empty: none
  Headers headers{};                        // additional fields
  std::optional<RequestSigning> signing{};  // REQUIRES: no token and no body
};

struct ClientResponse {
  int status = 0;
  std::string body{};
  Headers headers{};
};

/// Sends one request; takes at most half a minute. `ca_file`: PEM certificates to trust instead of the system's; empty:
/// the system's. Throws std::runtime_error if there is no response.
ClientResponse send(const ServerUrl& server, const ClientRequest& request, const std::string& ca_file);

/// Receives the body of a successful response in pieces. An exception that it throws ends the exchange and reaches the
/// caller.
using BodySink = std::function<void(std::string_view)>;

/// Does the same for a response of any size: with status 200 the body goes to `sink`, and the response's body is empty.
/// The response may take an hour to begin, and then half a minute between pieces. Also throws std::runtime_error if the
/// response is incomplete.
ClientResponse download(const ServerUrl& server, const ClientRequest& request, const std::string& ca_file,
                        const BodySink& sink);

}  // namespace tonearm::native
