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

TEST_CASE("A full queue is answered 503 unavailable, and the connection stays open") {
  LoopOptions options;
  options.workers = 1;
  options.queue.waiting_max = 1;
  Loop loop(options);
  RawClient running(loop.port());
  running.send(kGate);
  loop.handler.wait_for_gate_requests(1);
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

// HOST-29
TEST_CASE("Health checks are answered while all threads are busy and the queue is full") {
  LoopOptions options;
  options.workers = 2;
  options.queue.waiting_max = 1;
  Loop loop(options);
  std::deque<RawClient> busy;
  for (int i = 0; i < 3; ++i) {
    busy.emplace_back(loop.port()).send(kGate);
    if (i < 2) loop.handler.wait_for_gate_requests(i + 1);
  }
  while (loop.queued() < 1) std::this_thread::yield();
  RawClient client(loop.port());
  client.send(kEcho);
  CHECK(status_of(client.read_answer()) == 503);
  client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto answer = client.read_answer();
  REQUIRE(answer);
  CHECK(answer->status != 503);
  loop.handler.open_gate();
  for (auto& one : busy) CHECK(status_of(one.read_answer()) == 200);
}

TEST_CASE("A request with a body that meets a full queue does not break its connection") {
  LoopOptions options;
  options.workers = 1;
  options.queue.waiting_max = 0;
  Loop loop(options);
  RawClient client(loop.port());
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET /x HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(status_of(client.read_answer()) == 503);
  CHECK(status_of(client.read_answer()) == 503);
}

// HOST-20
TEST_CASE(
    "A connection above the limit is answered 503 and closed if all others are busy, but a health check is served") {
  LoopOptions options;
  options.limits.connections_max = 2;
  options.workers = 3;
  Loop loop(options);
  std::deque<RawClient> busy;
  for (int i = 0; i < 2; ++i) {
    busy.emplace_back(loop.port());
    busy.back().send(kGate);
  }
  loop.handler.wait_for_gate_requests(2);
  RawClient refused(loop.port());
  refused.send(kEcho);
  const auto answer = refused.read_answer();
  CHECK((answer && names_unavailable(*answer)));
  CHECK(refused.read_end());
  RawClient check(loop.port());
  check.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(status_of(check.read_answer()) == 200);
  CHECK(check.read_end());
  loop.handler.open_gate();
  for (auto& client : busy) CHECK(status_of(client.read_answer()) == 200);
}

// HOST-20
TEST_CASE("A full table closes the connection that has been idle longest, and serves the new one") {
  LoopOptions options;
  options.limits.connections_max = 2;
  Loop loop(options);
  std::deque<RawClient> clients;
  for (int i = 0; i < 3; ++i) {
    clients.emplace_back(loop.port());
    clients.back().send(kEcho);
    CHECK(status_of(clients.back().read_answer()) == 200);
  }
  CHECK(clients[0].read_end());
  clients[2].send(kEcho);
  CHECK(status_of(clients[2].read_answer()) == 200);
}

// HOST-20
TEST_CASE("An address that opens connections without end blocks neither others nor itself") {
  LoopOptions options;
  options.limits.connections_max = 6;
  options.limits.connections_per_client_max = 3;
  Loop loop(options);
  RawClient other(loop.port(), {"127.0.0.3"});
  std::deque<RawClient> flood;
  for (int i = 0; i < 50; ++i) flood.emplace_back(loop.port(), RawClientOptions{"127.0.0.2"});
  other.send(kEcho);
  CHECK(status_of(other.read_answer()) == 200);
  flood.back().send(kEcho);
  CHECK(status_of(flood.back().read_answer()) == 200);
  RawClient fresh(loop.port(), {"127.0.0.4"});
  fresh.send(kEcho);
  CHECK(status_of(fresh.read_answer()) == 200);
}

// HOST-20
TEST_CASE("Refused bodies that arrive slowly block no slot") {
  LoopOptions options;
  options.limits.connections_max = 3;
  Loop loop(options);
  std::deque<RawClient> slow;
  for (int i = 0; i < 3; ++i) {
    slow.emplace_back(loop.port());
    slow.back().send("POST /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx");
    CHECK(status_of(slow.back().read_answer()) == 401);
  }
  RawClient client(loop.port());
  client.send(kEcho);
  CHECK(status_of(client.read_answer()) == 200);
}

// HOST-20
TEST_CASE("A health check does not wait for space in the queue") {
  LoopOptions options;
  options.queue.waiting_max = 0;
  Loop loop(options);
  RawClient client(loop.port());
  client.send(kEcho);
  CHECK(status_of(client.read_answer()) == 503);
  client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(status_of(client.read_answer()) == 200);
}

// HOST-20
TEST_CASE("Behind a trusted proxy the forwarded address is the client, and its concurrent requests are limited") {
  LoopOptions options;
  options.limits.connections_per_client_max = 1;
  options.trusted_proxies = {*native::AddressBlock::parse("127.0.0.0/8")};
  Loop loop(options);
  const auto request = [](std::string_view path, std::string_view client) {
    return "GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: " + std::string(client) + "\r\n\r\n";
  };
  RawClient first(loop.port());
  RawClient second(loop.port());
  first.send(request("/gate", "192.0.2.1"));
  loop.handler.wait_for_gate_requests(1);
  second.send(request("/echo", "192.0.2.1"));
  const auto refused = second.read_answer();
  CHECK((refused && names_unavailable(*refused)));
  for (const auto* path : {"/echo", "/health"}) {
    second.send(request(path, path == std::string_view("/health") ? "192.0.2.1" : "192.0.2.2"));
    CHECK(status_of(second.read_answer()) == 200);
  }
  loop.handler.open_gate();
  CHECK(status_of(first.read_answer()) == 200);
  // The slot is released shortly after the client has read the response, but before the connection's next request.
  first.send(request("/health", "192.0.2.1"));
  CHECK(status_of(first.read_answer()) == 200);
  second.send(request("/echo", "192.0.2.1"));
  CHECK(status_of(second.read_answer()) == 200);
}

TEST_CASE("A slot becomes free when a client closes its connection") {
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

TEST_CASE("A stop closes idle connections at once, and the others after their response") {
  Loop loop;
  RawClient idle(loop.port());
  idle.send(kEcho);
  CHECK(status_of(idle.read_answer()) == 200);
  RawClient busy(loop.port());
  busy.send(std::string(kGate) + std::string(kEcho));
  loop.handler.wait_for_gate_requests(1);
  loop.server().stop();
  CHECK(idle.read_end());
  CHECK_FALSE(loop.server().wait_until_closed(milliseconds(50)));
  loop.handler.open_gate();
  const auto answer = busy.read_answer();
  REQUIRE(answer);
  CHECK(answer->body == "through");
  const auto* connection = find_header(answer->headers, "Connection");
  CHECK((connection != nullptr && *connection == "close"));
  CHECK(busy.read_end());
  CHECK(loop.server().wait_until_closed(milliseconds(5'000)));
  CHECK_THROWS(RawClient(loop.port()));
}

// HOST-5
TEST_CASE("Compressed bodies decompress to the original") {
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

void wait_until_closed(const Loop& loop) {
  while (loop.metrics.connections > 0) std::this_thread::sleep_for(milliseconds(5));
}

// HOST-46
TEST_CASE("A read of a file does not wait for a worker") {
  LoopOptions options;
  options.workers = 1;
  Loop busy(options);
  RawClient waiting(busy.port());
  waiting.send(kGate);
  busy.handler.wait_for_gate_requests(1);
  RawClient file(busy.port());
  file.send("GET /file HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(status_of(file.read_answer()) == 200);
  busy.handler.open_gate();
  CHECK(status_of(waiting.read_answer()) == 200);
}

// HOST-46
TEST_CASE("A client with too many waiting requests is answered 429, and others are served") {
  LoopOptions options;
  options.queue.waiting_per_client_max = 1;
  options.queue.running_per_client_max = 1;
  Loop loop(options);
  const auto request = [](const std::string& path, int owner) {
    return "GET " + path + " HTTP/1.1\r\nHost: a\r\nX-Owner: " + std::to_string(owner) + "\r\n\r\n";
  };
  RawClient running(loop.port());
  running.send(request("/gate", 1));
  loop.handler.wait_for_gate_requests(1);
  RawClient waiting(loop.port());
  waiting.send(request("/gate", 1));
  while (loop.queued() == 0) std::this_thread::sleep_for(milliseconds(5));
  RawClient refused(loop.port());
  refused.send(request("/echo", 1));
  const auto answer = refused.read_answer();
  REQUIRE(answer.has_value());
  CHECK(answer->status == 429);
  CHECK(*find_header(answer->headers, "Retry-After") == "1");
  CHECK(answer->body.find("rate_limited") != std::string::npos);
  RawClient other(loop.port());
  other.send(request("/echo", 2));
  CHECK(status_of(other.read_answer()) == 200);
  loop.handler.open_gate();
  CHECK(status_of(running.read_answer()) == 200);
  CHECK(status_of(waiting.read_answer()) == 200);
}

// HOST-47
TEST_CASE("Answers that a client does not read are limited per client and in total") {
  LoopOptions options;
  options.limits.phase_timeout = std::chrono::hours(1);
  options.limits.progress_timeout = std::chrono::hours(1);
  options.limits.pending_bytes_per_client_max = 12 * 1024 * 1024;
  options.limits.pending_bytes_max = 12 * 1024 * 1024;
  Loop loop(options);
  constexpr std::string_view kHuge = "GET /huge HTTP/1.1\r\nHost: a\r\n\r\n";
  RawClient slow(loop.port(), {"127.0.0.1", 4'096});
  slow.send(kHuge);
  CHECK(slow.receive(1) == 1);
  RawClient second(loop.port(), {"127.0.0.1", 4'096});
  second.send(kHuge);
  const auto answer = second.read_answer();
  CHECK((answer && names_unavailable(*answer)));
  second.send(kEcho);
  CHECK(status_of(second.read_answer()) == 200);
  RawClient other(loop.port(), {"127.0.0.2", 0});
  other.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(status_of(other.read_answer()) == 200);
  other.send(kHuge);  // not possible beside the first answer, which has as many bytes
  CHECK(status_of(other.read_answer()) == 503);
}

// HOST-47
TEST_CASE("A client that has more unread than others loses its oldest answer if the total is exhausted") {
  LoopOptions options;
  options.limits.phase_timeout = std::chrono::hours(1);
  options.limits.progress_timeout = std::chrono::hours(1);
  options.limits.pending_bytes_max = 20 * 1024 * 1024;
  Loop loop(options);
  constexpr std::string_view kHuge = "GET /huge HTTP/1.1\r\nHost: a\r\n\r\n";
  RawClient first(loop.port(), {"127.0.0.1", 4'096});
  RawClient second(loop.port(), {"127.0.0.1", 4'096});
  for (auto* const slow : {&first, &second}) {
    slow->send(kHuge);
    CHECK(slow->receive(1) == 1);
  }
  RawClient other(loop.port(), {"127.0.0.2", 0});
  other.send(kHuge);
  CHECK(status_of(other.read_answer()) == 200);
  while (loop.metrics.connections > 2) std::this_thread::sleep_for(milliseconds(5));
}

// WEB-14
TEST_CASE("A handler completes every response, also those of the host itself") {
  Loop loop;
  for (const auto* const request :
       {"GET /echo HTTP/1.1\r\nHost: a\r\n\r\n", "GET /refuse HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /throw HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "bad\r\n\r\n"}) {
    CAPTURE(request);
    RawClient client(loop.port());
    client.send(request);
    const auto answer = client.read_answer();
    REQUIRE(answer.has_value());
    CHECK(find_header(answer->headers, "X-Completed") != nullptr);
  }
}

// HOST-22
TEST_CASE("The connection of a client that never reads is closed") {
  Loop loop;
  RawClient client(loop.port());
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "GET /big HTTP/1.1\r\nHost: a\r\n\r\n";
  std::thread sender([&] { client.send(many); });
  while (loop.metrics.connections == 0) std::this_thread::sleep_for(milliseconds(5));
  wait_until_closed(loop);
  sender.join();
}

// HOST-22
TEST_CASE("A client that reads too slowly is disconnected, even if the kernel has the rest of the response") {
  for (const auto* path : {"/large", "/huge"}) {
    CAPTURE(path);
    LoopOptions options;
    options.limits.progress_timeout = std::chrono::hours(1);
    options.limits.idle_timeout = std::chrono::hours(1);
    Loop loop(options);
    RawClient client(loop.port(), {"127.0.0.1", 4'096});
    client.send("GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n\r\n");
    std::size_t received = 0;
    for (auto count = client.receive(64); count > 0; count = client.receive(64)) {
      received += count;
      std::this_thread::sleep_for(milliseconds(5));
    }
    CHECK(received < 100'000);
    wait_until_closed(loop);
  }
}

// HOST-22
TEST_CASE("A client that reads a large response steadily receives all of it, however long that takes") {
  LoopOptions options;
  options.limits.phase_timeout = milliseconds(1'000);
  options.limits.answer_bytes_min = 16 * 1024;
  Loop loop(options);
  RawClient client(loop.port(), {"127.0.0.1", 64 * 1024});
  client.send("GET /huge HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  std::size_t received = 0;
  for (auto count = client.receive(64 * 1024); count > 0; count = client.receive(64 * 1024)) {
    received += count;
    std::this_thread::sleep_for(milliseconds(10));
  }
  CHECK(received > 8 * 1024 * 1024);
}

// HOST-20
TEST_CASE("A new connection waits while evicted connections are still open") {
  LoopOptions options;
  options.limits.connections_max = 4;
  options.limits.refusals_max = 1;
  Loop loop(options);
  std::deque<RawClient> busy;
  for (int i = 0; i < 2; ++i)
    busy.emplace_back(loop.port());  // one on each thread; the second thread does not accept connections
  busy.back().send("GET /once/busy HTTP/1.1\r\nHost: a\r\n\r\n");
  std::this_thread::sleep_for(milliseconds(20));
  std::deque<RawClient> flood;
  for (int i = 0; i < 30; ++i) flood.emplace_back(loop.port());
  RawClient fresh(loop.port());
  fresh.send(kEcho);
  CHECK(status_of(fresh.read_answer()) == 200);
  CHECK(status_of(busy.back().read_answer()) == 200);
}

// HOST-22
TEST_CASE("The last response of a connection has the same minimum speed as any other") {
  LoopOptions options;
  options.limits.close_timeout = milliseconds(100);
  options.limits.answer_bytes_min = 16 * 1024;
  Loop loop(options);
  const auto read_all = [&](std::size_t bytes, milliseconds pause) {
    RawClient client(loop.port(), {"127.0.0.1", 4'096});
    client.send("GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    std::size_t received = 0;
    for (auto count = client.receive(bytes); count > 0; count = client.receive(bytes)) {
      received += count;
      std::this_thread::sleep_for(pause);
    }
    return received;
  };
  CHECK(read_all(2'048, milliseconds(20)) > 100'000);
  CHECK(read_all(64, milliseconds(5)) < 100'000);
  wait_until_closed(loop);
}

// HOST-20
TEST_CASE("A connection that is evicted while its next request arrives still delivers the previous response") {
  LoopOptions options;
  options.limits.connections_max = 1;
  options.limits.close_timeout = std::chrono::seconds(5);
  Loop loop(options);
  RawClient client(loop.port(), {"127.0.0.1", 4'096});
  std::string requests;
  for (int i = 0; i < 5; ++i) requests += "GET /big HTTP/1.1\r\nHost: a\r\n\r\n";
  client.send(requests + "GET /big HTTP/1.1\r\nHo");
  std::size_t received = client.receive(1);
  std::this_thread::sleep_for(milliseconds(50));
  const RawClient other(loop.port());
  std::this_thread::sleep_for(milliseconds(100));
  for (auto count = client.receive(4'096); count > 0; count = client.receive(4'096)) received += count;
  CHECK(received > 5 * 4'000);
  CHECK(received < 6 * 4'000);  // and no response to the incomplete request
}

TEST_CASE("Finished responses are sent even if the next request fails") {
  Loop loop;
  RawClient client(loop.port());
  loop.random.fails_from = 2;  // random bytes are drawn for 64 requests at a time; the next draw fails
  const auto ask = [&client](int requests, int answers) {
    std::string bytes;
    for (int i = 0; i < requests; ++i) bytes += "GET /once/a HTTP/1.1\r\nHost: a\r\n\r\n";
    client.send(bytes);
    for (int i = 0; i < answers; ++i) CHECK(status_of(client.read_answer()) == 200);
  };
  ask(24, 24);
  ask(24, 24);
  ask(17, 16);
  CHECK(client.read_end());
  CHECK(loop.log.errors == 1);
}

TEST_CASE("Many concurrent clients are all answered") {
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

TEST_CASE("HOST-35: the line about a failure names the request and, if the client sent a valid one, its trace") {
  Loop loop;
  RawClient client(loop.port());
  const std::string trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  client.send("GET /throw HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\ntraceparent: " + trace + "\r\n\r\n");
  CHECK(status_of(client.read_answer()) == 500);
  CHECK(loop.log.last() == "request failed: secret request=mine traceparent=" + trace);
  client.send("GET /throw HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\ntraceparent: 00-evil\r\n\r\n");
  CHECK(status_of(client.read_answer()) == 500);
  CHECK(loop.log.last() == "request failed: secret request=mine traceparent=");
}

TEST_CASE("HOST-33: metrics count requests by route template and by duration") {
  Loop loop;
  RawClient client(loop.port());
  client.send("GET /v1/search?q=a HTTP/1.1\r\nHost: a\r\n\r\nGET /v1/searching HTTP/1.1\r\nHost: a\r\n\r\nbad\r\n\r\n");
  for (int i = 0; i < 3; ++i) client.read_answer();
  CHECK(client.read_end());
  const auto text = loop.metrics.text({3, "0123456789abcdef", 7});
  for (const auto* line : {"tonearm_requests_total{route=\"/v1/search\",status=\"200\"} 1\n",
                           "tonearm_request_duration_seconds_bucket{route=\"/v1/search\",le=\"+Inf\"} 1\n",
                           "tonearm_request_duration_seconds_count{route=\"other\"} 2\n",
                           "tonearm_requests_total{route=\"other\",status=\"200\"} 1\n",
                           "tonearm_requests_total{route=\"other\",status=\"400\"} 1\n", "tonearm_queued_jobs 3\n",
                           "tonearm_catalog_info{version=\"0123456789abcdef\"} 1\n", "tonearm_catalog_tracks 7\n"}) {
    CAPTURE(line);
    CHECK(text.find(line) != std::string::npos);
  }
}

}  // namespace
}  // namespace tonearm::test
