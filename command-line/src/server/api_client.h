#pragma once
// A client of the API over libcurl, with one request at a time on a persistent connection (CLI-2).

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tonearm::cli {

/// The server is unreachable or returned an error (CLI-5). The message may quote the server.
class ServerError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The address of the API.
struct ApiAddress {
  std::string url;  // without a trailing slash
  /// Whether the key would be sent unencrypted over a network: http to another machine.
  bool is_exposed = false;
  bool is_local = false;  // on this machine
};
/// Throws std::invalid_argument with the accepted form.
ApiAddress read_api_address(const std::string& text);

struct ApiRequest {
  std::string_view method;
  std::string target;  // after the address: "/v1/search?q=rain"
  std::string body{};  // empty: none
  std::string_view body_type = "application/json";
};

struct ApiAnswer {
  int status = 0;
  std::string body;
  std::int64_t retry_after_s = 0;  // 0: not stated

  bool is_success() const { return status >= 200 && status < 300; }
};

struct ApiAccess {
  std::string url;
  std::string key;        // REQUIRES: visible ASCII; empty: none is sent
  std::string ca_file;    // trusted PEM certificates; empty: those of the system
  bool is_local = false;  // on this machine: no proxy is used
  /// Returns another key after the server refused this one with 401; the request is then sent once more. Empty: none.
  std::function<std::string(const std::string& refused)> renew_key{};
};

class ApiClient {
 public:
  explicit ApiClient(ApiAccess access);
  ~ApiClient();
  ApiClient(const ApiClient&) = delete;
  ApiClient& operator=(const ApiClient&) = delete;

  /// Sends a request and returns any answer. Throws ServerError if there is no answer within two minutes, or if it
  /// exceeds 64 MiB, and what `renew_key` throws.
  ApiAnswer send(const ApiRequest& request);
  /// Sends a request and returns a success. Throws ServerError with the server's message for other answers.
  ApiAnswer send_or_throw(const ApiRequest& request);

 private:
  ApiAnswer send_once(const ApiRequest& request);

  struct Connection;
  ApiAccess access_;
  std::unique_ptr<Connection> connection_;
};

/// Returns the message of an error answer, or its status if it has no message.
std::string error_message(const ApiAnswer& answer);

}  // namespace tonearm::cli
