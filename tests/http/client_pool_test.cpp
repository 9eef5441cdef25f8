#include "client/client_pool.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "loop_fixture.h"

namespace tonearm::native {
namespace {

using std::chrono::milliseconds;

ServerUrl url_of(const test::Loop& loop) { return parse_server_url("http://127.0.0.1:" + std::to_string(loop.port())); }

TEST_SUITE("client: pool") {
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
