#pragma once
// The API of one server, over libcurl: one exchange at a time on a connection that is kept (CLI-2).

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tonearm::cli {

/// The server cannot be reached, or answers with an error (CLI-5). The message may quote the server.
class ServerError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where the API is.
struct ApiAddress {
  std::string url;  // without a slash at its end
  /// Whether a key would go over a network unencrypted: http, and not to this machine.
  bool is_exposed = false;
  bool is_local = false;  // on this machine
};
/// Throws std::invalid_argument that says what is accepted.
ApiAddress read_api_address(const std::string& text);

struct ApiRequest {
  std::string_view method;
  std::string target;  // behind the address: "/v1/search?q=rain"
  std::string body{};  // JSON; empty: none
};

struct ApiAnswer {
  int status = 0;
  std::string body;
  std::int64_t retry_after_s = 0;  // 0: the server does not say

  bool is_good() const { return status >= 200 && status < 300; }
};

struct ApiAccess {
  std::string url;
  std::string key;        // REQUIRES: visible ASCII
  std::string ca_file;    // PEM certificates to trust in place of the system's; empty: the system's
  bool is_local = false;  // on this machine: no proxy is asked
};

class ApiClient {
 public:
  explicit ApiClient(ApiAccess access);
  ~ApiClient();
  ApiClient(const ApiClient&) = delete;
  ApiClient& operator=(const ApiClient&) = delete;

  /// Whatever the server answers. Throws ServerError where there is no answer within two minutes, or one above 64 MiB.
  ApiAnswer ask(const ApiRequest& request);
  /// A good answer. Throws ServerError with the server's message for any other.
  ApiAnswer ask_well(const ApiRequest& request);

 private:
  struct Connection;
  ApiAccess access_;
  std::unique_ptr<Connection> connection_;
};

/// What an answer that is not good says: the message of the error's body, or else its status.
std::string error_message(const ApiAnswer& answer);

}  // namespace tonearm::cli
