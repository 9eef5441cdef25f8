// Requests that are answered inline on the I/O thread, and pipelined responses.

#include <doctest/doctest.h>

#include <string>

#include "loop_fixture.h"
#include "raw_client.h"

namespace tonearm::test {
namespace {

std::string request_of(const std::string& target, const std::string& fields = {}) {
  return "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
}

std::string body_of(RawClient& client) {
  const auto answer = client.read_answer();
  return answer ? answer->body : "no answer";
}

}  // namespace

TEST_CASE("An inline response does not wait for a worker") {
  LoopOptions options;
  options.workers = 1;
  Loop loop(options);
  RawClient slow(loop.port());
  slow.send(request_of("/gate"));
  loop.handler.wait_for_gate_requests(1);
  RawClient client(loop.port());
  client.send(request_of("/once"));
  CHECK(body_of(client) == "GET /once ");
  CHECK(loop.handler.answered_inline == 1);
  loop.handler.open_gate();
  CHECK(body_of(slow) == "through");
}

TEST_CASE("Pipelined requests are answered in order, even if some need a worker") {
  Loop loop;
  RawClient client(loop.port());
  std::string requests;
  constexpr int kRequests = 300;  // more than are written, or read, at a time
  const auto target = [](int i) { return (i % 7 == 3 ? "/echo?" : "/once?") + std::to_string(i); };
  for (int i = 0; i < kRequests; ++i) requests += request_of(target(i));
  client.send(requests);
  for (int i = 0; i < kRequests; ++i) CHECK(body_of(client) == "GET " + target(i) + ' ');
}

TEST_CASE("Large responses to pipelined requests arrive complete, however slowly the client reads") {
  Loop loop;
  RawClientOptions options;
  options.receive_bytes = 4'096;
  RawClient client(loop.port(), options);
  std::string requests;
  constexpr int kRequests = 200;
  for (int i = 0; i < kRequests; ++i) requests += request_of(i % 50 == 49 ? "/large" : "/once/big");
  client.send(requests);
  for (int i = 0; i < kRequests; ++i) CHECK(body_of(client).size() == (i % 50 == 49 ? 100'000 : 4'000));
}

TEST_CASE("Input after the last request of a connection is not answered") {
  Loop loop;
  RawClient client(loop.port());
  client.send(request_of("/once?1") + request_of("/once?2", "Connection: close\r\n") + request_of("/once?3"));
  CHECK(body_of(client) == "GET /once?1 ");
  CHECK(body_of(client) == "GET /once?2 ");
  CHECK(client.read_end());
  CHECK(loop.handler.answered_inline == 2);
}

TEST_CASE("A malformed head is refused after the responses to the requests before it") {
  Loop loop;
  RawClient client(loop.port());
  client.send(request_of("/once?1") + "GET /once\r\n\r\n");
  CHECK(body_of(client) == "GET /once?1 ");
  const auto refused = client.read_answer();
  CHECK((refused && refused->status == 400));
  CHECK(client.read_end());
}

TEST_CASE("A response of an inline call is compressed on a worker, and its failure is a 500") {
  Loop loop;
  RawClient client(loop.port());
  client.send(request_of("/once/big", "Accept-Encoding: gzip\r\n"));
  const auto answer = client.read_answer();
  REQUIRE(answer);
  const auto* coding = find_header(answer->headers, "Content-Encoding");
  CHECK((coding != nullptr && *coding == "gzip"));
  CHECK(answer->body.size() < 1'000);
  client.send(request_of("/once/throw"));
  const auto failure = client.read_answer();
  CHECK((failure && failure->status == 500));
  CHECK(loop.log.errors == 1);
  client.send(request_of("/once"));
  CHECK(body_of(client) == "GET /once ");
}

TEST_CASE("After a slow call, the next ones run on workers") {
  Loop loop;
  RawClient client(loop.port());
  client.send(request_of("/once/busy"));
  CHECK(body_of(client) == "busy");
  client.send(request_of("/once"));
  CHECK(body_of(client) == "GET /once ");
  CHECK(loop.handler.answered_inline == 1);
}

}  // namespace tonearm::test
