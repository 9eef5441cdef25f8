#include "messages/message.h"

#include <doctest/doctest.h>

namespace tonearm::web {
namespace {

TEST_SUITE("web: messages") {
  TEST_CASE("finds a cookie by name") {
    const Headers headers{{"Cookie", "a=1; tonearm_session=abc;b=2"}, {"cookie", "c=3"}};
    CHECK(cookie(headers, "tonearm_session") == "abc");
    CHECK(cookie(headers, "a") == "1");
    CHECK(cookie(headers, "b") == "2");
    CHECK(cookie(headers, "c") == "3");
    CHECK_FALSE(cookie(headers, "session"));
    CHECK_FALSE(cookie({}, "a"));
  }

  TEST_CASE("cookies are HttpOnly, and Secure over https (WEB-6)") {
    CHECK(set_cookie("n", "v", 60, Transport::plain) == "n=v; Path=/; Max-Age=60; HttpOnly; SameSite=Lax");
    CHECK(set_cookie("n", "v", 60, Transport::secure) == "n=v; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure");
  }

  TEST_CASE("decodes paths") {
    CHECK(segments_of("/artists/A%2FB") == std::vector<std::string>{"artists", "A/B"});
    CHECK_FALSE(segments_of("/a/%ff"));
  }

  TEST_CASE("a body must have exactly the expected strings") {
    CHECK(read_strings(R"({"name":"a","password":"b"})", {"name", "password"}));
    for (const char* const body : {"", "[]", "{}", R"({"name":"a"})", R"({"name":"a","password":1})",
                                   R"({"name":"a","password":"b","x":"c"})", "{\"name\":"}) {
      CAPTURE(body);
      CHECK_FALSE(read_strings(body, {"name", "password"}));
    }
  }

  TEST_CASE("an error has a code, a message and Retry-After (WEB-2)") {
    const auto response = error_answer(429, "rate_limited", "Wait \"a little\".", 3);
    CHECK(response.status == 429);
    CHECK(response.body == R"({"error":"rate_limited","message":"Wait \"a little\"."})");
    CHECK(*find_header(response.headers, "Retry-After") == "3");
  }
}

}  // namespace
}  // namespace tonearm::web
