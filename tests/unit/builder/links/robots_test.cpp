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

// RFC 9309, 2.2.3
TEST_CASE("stars match any text, also none, and a dollar matches the end") {
  struct Case {
    const char* pattern;
    const char* target;
    bool is_match;
  };
  for (const auto& row :
       {Case{"/", "/", true}, Case{"/x", "/", false}, Case{"*", "/x", true}, Case{"/**b", "/ab", true},
        Case{"/*", "/", true}, Case{"/*$", "/a", true}, Case{"/$", "/", true}, Case{"/$", "/a", false},
        Case{"/*a$", "/aba", true}, Case{"/*a$", "/ab", false}, Case{"/a*a$", "/a", false},
        Case{"/*aab", "/aaab", true}, Case{"/*abab*c", "/abaababxc", true}, Case{"/*abab*c", "/abaabac", false},
        Case{"/*ab*ab", "/ab", false}, Case{"/*ab*$", "/xabx", true}, Case{"/a$b", "/a$b", true}}) {
    CAPTURE(row.pattern);
    CAPTURE(row.target);
    CHECK(Robots(std::string("User-agent: *\nDisallow: ") + row.pattern, "tonearm").allows(row.target) != row.is_match);
  }
}

TEST_CASE("LINK-5: a decision has bounded cost, whatever robots.txt contains") {
  const auto steps_of = [](const std::string& rules, const std::string& target, bool is_allowed) {
    std::uint64_t steps = 0;
    CHECK(Robots("User-agent: *\n" + rules, "tonearm").allows(target, steps) == is_allowed);
    return steps;
  };
  const auto repeated = [](std::size_t bytes, const std::string& text) {
    std::string result;
    while (result.size() + text.size() <= bytes) result += text;
    return result;
  };
  constexpr std::size_t kRulesBytes = 500'000;
  const std::string target = "/" + std::string(1'000, 'a');
  SUBCASE("one long rule of repeated bytes") {
    const auto rule = "Disallow: /*" + std::string(kRulesBytes, 'a') + "b";
    CHECK(steps_of(rule, "/" + std::string(1'000'000, 'a'), true) <= 2 * (kRulesBytes + 1'000'000) + 10);
  }
  SUBCASE("one rule of many stars") {
    const auto rule = "Disallow: /" + repeated(kRulesBytes, "*a") + "b$";
    CHECK(steps_of(rule, target, true) <= 2 * (kRulesBytes + target.size()));
  }
  SUBCASE("as many rules as fit") {
    const auto rules = repeated(kRulesBytes, "Allow:/*aab\n");
    const auto count = rules.size() / std::string("Allow:/*aab\n").size();
    const auto steps = steps_of(rules, target, true);
    CHECK(steps <= 2 * (kRulesBytes + count * target.size()));
    CHECK(steps < kRobotsStepsMax);
  }
  SUBCASE("an address so long that its decision would exceed the bound is not fetched") {
    const auto steps = steps_of(repeated(kRulesBytes, "Allow:/*aab\n"), "/" + std::string(100'000, 'a'), false);
    CHECK(steps < kRobotsStepsMax + 300'000);
  }
}

}  // namespace tonearm::builder
