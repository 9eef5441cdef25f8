#pragma once
// A client that sends arbitrary bytes and reads responses one by one.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/http.h"

namespace tonearm::test {

/// Whether a response has a body.
enum class BodyIs : std::uint8_t { present, absent };

struct RawClientOptions {
  const char* from = "127.0.0.1";  // any address of 127.0.0.0/8
  int receive_bytes = 0;           // the receive buffer of the socket; 0: the default
};

class RawClient {
 public:
  /// Connects to a port of 127.0.0.1. Throws std::runtime_error.
  explicit RawClient(std::uint16_t port, const RawClientOptions& options = {});
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  /// Returns false if the server has closed the connection.
  bool send(std::string_view bytes);
  /// Closes the sending side only.
  void end();

  /// Returns nothing if no complete response arrives in time.
  std::optional<Response> read_answer(BodyIs body = BodyIs::present);
  /// Returns whether the next bytes are `text`.
  bool read_text(std::string_view text);
  /// Reads at most so many bytes. Returns 0 at the end, or if the connection was reset.
  std::size_t receive(std::size_t bytes_max);
  /// Returns whether the server closes the connection without sending more.
  bool read_end();

 private:
  bool receive();

  int socket_;
  bool ended_ = false;
  std::string buffer_;
};

}  // namespace tonearm::test
