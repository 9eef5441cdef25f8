#pragma once
// A client that sends whatever bytes it is told to, and reads answers one by one.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/http.h"

namespace tonearm::test {

/// Whether an answer has a body behind its head.
enum class BodyIs : std::uint8_t { there, left_out };

struct RawClientOptions {
  const char* from = "127.0.0.1";  // any address of 127.0.0.0/8
  int receive_bytes = 0;           // what the system takes for a client that does not read; 0: its own choice
};

class RawClient {
 public:
  /// Connects to a port of 127.0.0.1. Throws std::runtime_error.
  explicit RawClient(std::uint16_t port, const RawClientOptions& options = {});
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  /// False: the server has closed the connection.
  bool send(std::string_view bytes);
  /// No more comes from the client, but it still listens.
  void end();

  /// Nothing where no whole answer came in time.
  std::optional<Response> read_answer(BodyIs body = BodyIs::there);
  /// Whether the next bytes are these.
  bool read_text(std::string_view text);
  /// Takes at most so many bytes; 0 where there are no more to come, or the connection was cut off.
  std::size_t take(std::size_t bytes_max);
  /// Whether the server closes the connection, with nothing more said.
  bool read_end();

 private:
  bool receive();

  int socket_;
  bool ended_ = false;
  std::string buffer_;
};

}  // namespace tonearm::test
