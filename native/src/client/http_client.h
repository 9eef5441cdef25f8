#pragma once
// HTTP exchanges with a server: one at a time over a connection that ends with it, for the command line. Who asks again
// and again has `client_pool.h`.

#include <functional>
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

/// Throws std::runtime_error that says what is accepted.
ServerUrl parse_server_url(std::string_view text);

struct ClientRequest {
  std::string method;
  std::string target;   // behind the URL's path
  std::string token{};  // a bearer token; empty: none
  std::string body{};   // JSON; empty: none
  Headers headers{};    // further fields
};

struct ClientResponse {
  int status = 0;
  std::string body{};
  Headers headers{};
};

/// Connects, asks, and closes; half a minute at most. `ca_file`: PEM certificates to trust instead of the system's;
/// empty: the system's. Throws std::runtime_error where there is no answer.
ClientResponse ask(const ServerUrl& server, const ClientRequest& request, const std::string& ca_file);

/// What takes the body of a good answer, piece by piece. What it throws ends the exchange and comes out of it.
using BodySink = std::function<void(std::string_view)>;

/// As `ask`, for an answer of any size: with status 200 its body goes into `sink` and the response's is empty. The
/// answer may take an hour to begin, and then half a minute from piece to piece. Throws std::runtime_error also where
/// the answer breaks off.
ClientResponse download(const ServerUrl& server, const ClientRequest& request, const std::string& ca_file,
                        const BodySink& sink);

}  // namespace tonearm::native
