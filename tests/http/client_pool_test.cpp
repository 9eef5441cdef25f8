#include "client/client_pool.h"

#include <doctest/doctest.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "client/client_connection.h"
#include "loop_fixture.h"

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;

ServerUrl url_of(const test::Loop& loop) { return parse_server_url("http://127.0.0.1:" + std::to_string(loop.port())); }

/// Answers the first request of a connection, and closes it at the second one. Serves a number of connections.
class BreakingServer {
 public:
  explicit BreakingServer(int connections) : thread_([this, connections] { serve(connections); }) {}
  ~BreakingServer() { thread_.join(); }
  BreakingServer(const BreakingServer&) = delete;
  BreakingServer& operator=(const BreakingServer&) = delete;

  ServerUrl url() const {
    return parse_server_url("http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()));
  }

  std::atomic<int> requests{0};

 private:
  void serve(int connections) {
    for (int i = 0; i < connections; ++i) {
      auto socket = acceptor_.accept();
      std::string input;
      boost::system::error_code error;
      boost::asio::read_until(socket, boost::asio::dynamic_buffer(input), "\r\n\r\n", error);
      if (!error) ++requests;
      input.clear();
      boost::asio::write(socket, boost::asio::buffer(kResponse), error);
      boost::asio::read_until(socket, boost::asio::dynamic_buffer(input), "\r\n\r\n", error);
      if (!error) ++requests;
    }
  }

  static constexpr std::string_view kResponse = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  boost::asio::io_context io_;
  boost::asio::ip::tcp::acceptor acceptor_{io_, {boost::asio::ip::address_v4::loopback(), 0}};
  std::thread thread_;
};

TEST_SUITE("client: pool") {
  TEST_CASE("if an idle connection breaks, only GET and HEAD are retried") {
    BreakingServer server(7);  // three of them stay unused, because libcurl connects before it is stopped
    ClientPool pool(server.url(), {});
    CHECK(pool.send({"POST", "/"}).status == 200);
    CHECK_THROWS_AS(pool.send({"POST", "/"}), std::runtime_error);
    CHECK(server.requests == 2);
    for (const auto* method : {"GET", "HEAD"}) CHECK(pool.send({method, "/"}).status == 200);
    CHECK(server.requests == 5);  // the second of these broke a connection and was sent again
    CHECK(pool.send({"GET", "/"}).status == 200);
    CHECK(server.requests == 7);
  }

  TEST_CASE("consecutive exchanges use one connection") {
    test::Loop loop;
    ClientPool pool(url_of(loop), {});
    for (int i = 0; i < 20; ++i) {
      const auto echo = pool.send({"POST", "/echo", "", "body " + std::to_string(i)});
      CHECK(echo.status == 200);
      CHECK(echo.body == "POST /echo body " + std::to_string(i));
      CHECK(loop.metrics.connections == 1);
    }
    CHECK(pool.send({"GET", "/empty"}).status == 204);
    const auto head = pool.send({"HEAD", "/huge"});
    CHECK(head.status == 200);
    CHECK(head.body.empty());
    CHECK(*find_header(head.headers, "content-length") == "8388608");
    CHECK(pool.send({"GET", "/huge"}).body.size() == 8'388'608);
    CHECK(loop.metrics.connections == 1);
  }

  TEST_CASE("a connection that the server has closed is not reused") {
    test::LoopOptions options;
    options.limits.idle_timeout = milliseconds(50);
    test::Loop loop(options);
    ClientPool pool(url_of(loop), {});
    for (int i = 0; i < 3; ++i) {
      CHECK(pool.send({"POST", "/echo", "", "x"}).status == 200);
      while (loop.metrics.connections > 0) std::this_thread::sleep_for(milliseconds(10));
    }
  }

  TEST_CASE("concurrent exchanges use a connection each") {
    test::Loop loop;
    ClientPool pool(url_of(loop), {});
    std::vector<std::thread> threads;
    threads.reserve(4);
    std::atomic<int> right = 0;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&pool, &right, thread] {
        for (int i = 0; i < 25; ++i) {
          const auto body = std::to_string(thread) + '-' + std::to_string(i);
          if (pool.send({"PUT", "/echo", "", body}).body == "PUT /echo " + body) ++right;
        }
      });
    }
    for (auto& thread : threads) thread.join();
    CHECK(right == 100);
    CHECK(loop.metrics.connections <= 4);
  }

  TEST_CASE("an exchange times out, and the next one succeeds") {
    test::Loop loop;
    ClientPool pool(url_of(loop), {{}, 8, milliseconds(200)});
    CHECK(pool.send({"GET", "/echo"}).status == 200);
    CHECK_THROWS_AS(pool.send({"POST", "/gate"}), std::runtime_error);
    loop.handler.open_gate();
    CHECK(pool.send({"GET", "/echo"}).body == "GET /echo ");
  }

  TEST_CASE("no request is repeated after a timeout") {
    test::Loop loop;
    ClientPool pool(url_of(loop), {.idle_max = 8, .time = milliseconds(200)});
    CHECK(pool.send({"GET", "/echo"}).status == 200);  // leaves an idle connection
    CHECK_THROWS_AS(pool.send({"GET", "/gate"}), ClientTimeout);
    loop.handler.wait_for_gate_requests(1);
    loop.handler.open_gate();
    CHECK(pool.send({"GET", "/echo"}).status == 200);
    CHECK(loop.metrics.connections <= 2);
  }

  TEST_CASE("bodies that are too long, alone or together, are an error, and later ones are received") {
    test::Loop loop;
    ClientPool one(url_of(loop), {.body_bytes_max = 50'000});
    CHECK_THROWS_AS(one.send({"GET", "/large"}), std::runtime_error);
    ClientPool together(url_of(loop), {.bodies_bytes_max = 50'000});
    CHECK_THROWS_AS(together.send({"GET", "/large"}), std::runtime_error);
    for (int i = 0; i < 20; ++i) CHECK(together.send({"GET", "/big"}).body.size() == 4'000);
  }

  TEST_CASE("a file of certificates that cannot be read is reported with the reason") {
    CHECK_THROWS_WITH_AS(ClientTrust("/nonexistent.pem"),
                         "cannot read the certificates of /nonexistent.pem: No such file or directory",
                         std::runtime_error);
  }

  TEST_CASE("a server that is not running is reported") {
    std::string url;
    {
      const test::Loop loop;
      url = "http://127.0.0.1:" + std::to_string(loop.port());
    }
    ClientPool pool(parse_server_url(url), {});
    CHECK_THROWS_WITH(pool.send({"GET", "/echo"}),
                      (url.substr(7).insert(0, "cannot connect to ") + ": connection refused").c_str());
  }
}

}  // namespace
}  // namespace tonearm::native
