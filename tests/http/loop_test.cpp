#include "loop_fixture.h"

#include <doctest/doctest.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <deque>

#include "raw_client.h"

namespace tonearm::test {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kEcho = "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr std::string_view kGate = "GET /gate HTTP/1.1\r\nHost: a\r\n\r\n";

int status_of(const std::optional<Response>& response) { return response ? response->status : 0; }

bool names_unavailable(const Response& response) {
  return response.status == 503 && response.body.find(R"("error":"unavailable")") != std::string::npos;
}

std::string gunzipped(std::string data, std::size_t size) {
  std::string out(size, '\0');
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  stream.next_in = static_cast<Bytef*>(static_cast<void*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = static_cast<Bytef*>(static_cast<void*>(out.data()));
  stream.avail_out = static_cast<uInt>(out.size());
  CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  CHECK(stream.total_out == size);
  inflateEnd(&stream);
  return out;
}

TEST_CASE("A full queue is 503 unavailable, and the connection stands") {
  LoopOptions options;
  options.workers = 1;
  options.queue_max = 1;
  Loop loop(options);
  RawClient running(loop.port());
  running.send(kGate);
  loop.handler.wait_for_guests(1);
  RawClient waiting(loop.port());
  waiting.send(kGate);
  while (loop.queued() == 0) std::this_thread::sleep_for(milliseconds(5));
  RawClient refused(loop.port());
  refused.send(kEcho);
  const auto answer = refused.read_answer();
  CHECK((answer && names_unavailable(*answer)));
  loop.handler.open_gate();
  CHECK(status_of(running.read_answer()) == 200);
  CHECK(status_of(waiting.read_answer()) == 200);
  refused.send(kEcho);
  CHECK(status_of(refused.read_answer()) == 200);
}

TEST_CASE("A request with a body that finds the queue full keeps its connection in step") {
  LoopOptions options;
  options.workers = 1;
  options.queue_max = 0;
  Loop loop(options);
  RawClient client(loop.port());
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET /x HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(status_of(client.read_answer()) == 503);
  CHECK(status_of(client.read_answer()) == 503);
}

TEST_CASE("A connection above the bound is told so and closed") {
  LoopOptions options;
  options.limits.connections_max = 2;
  options.limits.refusals_max = 1;
  Loop loop(options);
  std::deque<RawClient> clients;
  for (int i = 0; i < 2; ++i) {
    clients.emplace_back(loop.port());
    clients.back().send(kEcho);
    CHECK(status_of(clients.back().read_answer()) == 200);
  }
  clients.emplace_back(loop.port());
  clients.back().send(kEcho);
  const auto answer = clients.back().read_answer();
  CHECK((answer && names_unavailable(*answer)));
  CHECK(clients.back().read_end());
}

TEST_CASE("A place becomes free when a client leaves") {
  LoopOptions options;
  options.limits.connections_max = 1;
  Loop loop(options);
  {
    RawClient first(loop.port());
    first.send(kEcho);
    CHECK(status_of(first.read_answer()) == 200);
  }
  while (loop.metrics.connections > 0) std::this_thread::sleep_for(milliseconds(5));
  RawClient second(loop.port());
  second.send(kEcho);
  CHECK(status_of(second.read_answer()) == 200);
}

TEST_CASE("A stop ends resting connections at once, and the others behind their answer") {
  Loop loop;
  RawClient resting(loop.port());
  resting.send(kEcho);
  CHECK(status_of(resting.read_answer()) == 200);
  RawClient busy(loop.port());
  busy.send(std::string(kGate) + std::string(kEcho));
  loop.handler.wait_for_guests(1);
  loop.server().stop();
  CHECK(resting.read_end());
  CHECK_FALSE(loop.server().wait_for_end(milliseconds(50)));
  loop.handler.open_gate();
  const auto answer = busy.read_answer();
  REQUIRE(answer);
  CHECK(answer->body == "through");
  const auto* connection = find_header(answer->headers, "Connection");
  CHECK((connection != nullptr && *connection == "close"));
  CHECK(busy.read_end());
  CHECK(loop.server().wait_for_end(milliseconds(5'000)));
  CHECK_THROWS(RawClient(loop.port()));
}

TEST_CASE("Compressed bodies are what was compressed") {
  Loop loop;
  RawClient client(loop.port());
  const std::string plain = '"' + std::string(3998, 'a') + '"';
  client.send("GET /big HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
  const auto gzip = client.read_answer();
  REQUIRE(gzip);
  CHECK(gunzipped(gzip->body, plain.size()) == plain);
  client.send("GET /big HTTP/1.1\r\nHost: a\r\nAccept-Encoding: zstd\r\n\r\n");
  const auto zstd = client.read_answer();
  REQUIRE(zstd);
  std::string out(plain.size(), '\0');
  CHECK(ZSTD_decompress(out.data(), out.size(), zstd->body.data(), zstd->body.size()) == plain.size());
  CHECK(out == plain);
}

TEST_CASE("A client that never takes its answers is given up") {
  LoopOptions options;
  options.limits.write_timeout = milliseconds(300);
  Loop loop(options);
  RawClient client(loop.port());
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "GET /big HTTP/1.1\r\nHost: a\r\n\r\n";
  std::thread sender([&] { client.send(many); });
  while (loop.metrics.connections == 0) std::this_thread::sleep_for(milliseconds(5));
  int waits = 0;
  for (; loop.metrics.connections > 0 && waits < 2'000; ++waits) std::this_thread::sleep_for(milliseconds(10));
  CHECK(waits < 2'000);
  sender.join();
}

TEST_CASE("Many clients at once are all answered") {
  Loop loop;
  constexpr int kClients = 8;
  constexpr int kRequests = 50;
  std::atomic<int> answered{0};
  std::vector<std::thread> threads;
  threads.reserve(kClients);
  for (int i = 0; i < kClients; ++i) {
    threads.emplace_back([&] {
      RawClient client(loop.port());
      for (int j = 0; j < kRequests; ++j) {
        client.send(j % 2 == 0 ? "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi" : kEcho);
        if (status_of(client.read_answer()) == 200) ++answered;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(answered == kClients * kRequests);
}

TEST_CASE("Metrics count requests by the class of their route") {
  Loop loop;
  RawClient client(loop.port());
  client.send("GET /v1/search?q=a HTTP/1.1\r\nHost: a\r\n\r\nGET /v1/searching HTTP/1.1\r\nHost: a\r\n\r\nbad\r\n\r\n");
  for (int i = 0; i < 3; ++i) client.read_answer();
  CHECK(client.read_end());
  const auto text = loop.metrics.text({3, "0123456789abcdef", 7});
  for (const auto* line : {"tonearm_requests_total{route=\"search\",status=\"200\"} 1\n",
                           "tonearm_requests_total{route=\"other\",status=\"200\"} 1\n",
                           "tonearm_requests_total{route=\"other\",status=\"400\"} 1\n", "tonearm_queued_jobs 3\n",
                           "tonearm_catalog_info{version=\"0123456789abcdef\"} 1\n", "tonearm_catalog_tracks 7\n"}) {
    CAPTURE(line);
    CHECK(text.find(line) != std::string::npos);
  }
}

}  // namespace
}  // namespace tonearm::test
