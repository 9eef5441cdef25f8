// Calls that are answered on the thread of their connection, and answers that leave together.

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

TEST_CASE("What is answered at once waits for no worker") {
  LoopOptions options;
  options.workers = 1;
  Loop loop(options);
  RawClient slow(loop.port());
  slow.send(request_of("/gate"));
  loop.handler.wait_for_guests(1);
  RawClient client(loop.port());
  client.send(request_of("/once"));
  CHECK(body_of(client) == "GET /once ");
  CHECK(loop.handler.answered_at_once == 1);
  loop.handler.open_gate();
  CHECK(body_of(slow) == "through");
}

TEST_CASE("Requests that came together are answered in order, those that wait for workers among them") {
  Loop loop;
  RawClient client(loop.port());
  std::string requests;
  constexpr int kRequests = 300;  // more than are written, or read, at a time
  const auto target = [](int i) { return (i % 7 == 3 ? "/echo?" : "/once?") + std::to_string(i); };
  for (int i = 0; i < kRequests; ++i) requests += request_of(target(i));
  client.send(requests);
  for (int i = 0; i < kRequests; ++i) CHECK(body_of(client) == "GET " + target(i) + ' ');
}

TEST_CASE("Large answers to requests that came together arrive whole, however slowly they are taken") {
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

TEST_CASE("What comes after the last request of a connection is not answered") {
  Loop loop;
  RawClient client(loop.port());
  client.send(request_of("/once?1") + request_of("/once?2", "Connection: close\r\n") + request_of("/once?3"));
  CHECK(body_of(client) == "GET /once?1 ");
  CHECK(body_of(client) == "GET /once?2 ");
  CHECK(client.read_end());
  CHECK(loop.handler.answered_at_once == 2);
}

TEST_CASE("A wrong head after others is refused after their answers") {
  Loop loop;
  RawClient client(loop.port());
  client.send(request_of("/once?1") + "GET /once\r\n\r\n");
  CHECK(body_of(client) == "GET /once?1 ");
  const auto refused = client.read_answer();
  CHECK((refused && refused->status == 400));
  CHECK(client.read_end());
}

TEST_CASE("What is answered at once is compressed on a worker, and its failure is a 500") {
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

TEST_CASE("After a call that took long, the next ones go to the workers") {
  Loop loop;
  RawClient client(loop.port());
  client.send(request_of("/once/busy"));
  CHECK(body_of(client) == "busy");
  client.send(request_of("/once"));
  CHECK(body_of(client) == "GET /once ");
  CHECK(loop.handler.answered_at_once == 1);
}

}  // namespace tonearm::test
