#pragma once
// Writes the responses of one connection in order. Responses to pipelined requests share writes. Runs on the
// connection's thread.

#include <string>
#include <utility>

#include "http/coroutine.h"
#include "http/output_buffers.h"
#include "http/session_lifecycle.h"
#include "tonearm/http.h"

namespace tonearm::native {

template <class Stream>
class ResponseWriter {
 public:
  /// Both outlive the object.
  ResponseWriter(Stream& stream, SessionLifecycle& lifecycle) : stream_(stream), lifecycle_(lifecycle) {}

  /// Adds a response to the output. The caller adds the pieces of its `source`.
  void add(std::string head, Response& response) {
    output_.add(std::move(head));
    output_.add(std::move(response.body));
    output_.add(std::move(response.shared_body));
  }
  void add(std::string piece) { output_.add(std::move(piece)); }

  std::size_t bytes() const { return output_.bytes(); }

  /// Writes what the socket accepts without waiting. Returns false if output is left or cannot be written.
  bool try_flush() {
    boost::beast::error_code error;
    while (!output_.is_empty() && !error) consume(stream_.write_some(output_.front(), error));
    return output_.is_empty();
  }

  /// Writes all output. Returns false if the connection must close.
  awaitable<bool> flush() {
    if (try_flush()) co_return true;
    lifecycle_.begin(Phase::answer);
    while (!output_.is_empty()) {
      const auto [error, count] = co_await stream_.async_write_some(output_.front(), kTuple);
      if (error) lifecycle_.skip_linger();
      if (error) co_return false;
      lifecycle_.expect_linger();
      consume(count);
      if (!output_.is_empty()) lifecycle_.extend_answer(count);
    }
    co_return true;
  }

 private:
  void consume(std::size_t bytes) {
    lifecycle_.on_output(bytes);
    output_.consume(bytes);
  }

  Stream& stream_;
  SessionLifecycle& lifecycle_;
  OutputBuffers output_;
};

}  // namespace tonearm::native
