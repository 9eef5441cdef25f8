#include "links/robots.h"

#include <doctest/doctest.h>

namespace tonearm::builder {

TEST_CASE("without a rule everything may be fetched") {
  for (const auto* text : {"", "Sitemap: https://a.example/map", "User-agent: *\nDisallow:\n", "<html>404</html>",
                           "User-agent: other\nDisallow: /\n", "Disallow: /\n"}) {
    CAPTURE(text);
    CHECK(Robots(text, "tonearm").allows("/x?y"));
  }
  CHECK(Robots().allows("/"));
}

// RFC 9309, 2.2.2 and 5.2
TEST_CASE("the longest matching rule decides, and Allow wins ties") {
  const Robots robots(
      "user-agent: *\r\n"
      "disallow: /audio/ # not now\r\n"
      "ALLOW: /audio/free/\r\n"
      "Disallow: /*.php$\r\n"
      "Disallow: /same\r\n"
      "Allow: /same\r\n"
      "Disallow: /a*b*c\r\n",
      "tonearm");
  for (const auto* target : {"/", "/audio", "/audio/free/x.mp3", "/x.php?y", "/same", "/ab", "/Audio/"}) {
    CAPTURE(target);
    CHECK(robots.allows(target));
  }
  for (const auto* target : {"/audio/x", "/x.php", "/a/b/php/x.php", "/abc", "/a1b2c3"}) {
    CAPTURE(target);
    CHECK_FALSE(robots.allows(target));
  }
}

TEST_CASE("a group for our agent replaces the group for all") {
  const Robots robots("User-agent: *\nDisallow: /\nUser-agent: other\nUser-agent: Tonearm\nDisallow: /private\n",
                      "tonearm");
  CHECK(robots.allows("/x"));
  CHECK_FALSE(robots.allows("/private/x"));
}

TEST_CASE("the group for all ends where another agent's begins") {
  const Robots robots("User-agent: *\nDisallow: /x\nUser-agent: other\nDisallow: /\n", "tonearm");
  CHECK(robots.allows("/y"));
  CHECK_FALSE(robots.allows("/x"));
}

TEST_CASE("rules with many stars take bounded time") {
  std::string pattern = "/";
  for (int i = 0; i < 1'000; ++i) pattern += "*a";
  const Robots robots("User-agent: *\nDisallow: " + pattern + "b$\n", "tonearm");
  CHECK(robots.allows("/" + std::string(100'000, 'a')));
}

}  // namespace tonearm::builder
