#include "tonearm/http_fields.h"

#include <doctest/doctest.h>

#include "tonearm/http.h"

namespace tonearm::http_fields {

TEST_CASE("A token consists of tchars (RFC 9110, 5.6.2)") {
  CHECK(is_token("X-Request-Id"));
  CHECK(is_token("!#$%&'*+-.^_`|~09azAZ"));
  for (const std::string_view other : {"", "a b", "a:", "(a)", "a\t", "\"a\"", "caf\xc3\xa9", "a,b", "a/b"}) {
    CHECK_FALSE(is_token(other));
  }
}

TEST_CASE("Elements of a list are returned without surrounding spaces and tabs (RFC 9110, 5.6.1)") {
  std::string_view list = " gzip ;q=1 ,\tzstd,, br ";
  CHECK(next_element(list, ',') == "gzip ;q=1");
  CHECK(next_element(list, ',') == "zstd");
  CHECK(next_element(list, ',').empty());
  CHECK(next_element(list, ',') == "br");
  CHECK(list.empty());
  CHECK(next_element(list, ',').empty());

  std::string_view item = "gzip ; q=0.5";
  CHECK(next_element(item, ';') == "gzip");
  CHECK(next_element(item, ';') == "q=0.5");
  CHECK(trimmed(" \t ").empty());
}

TEST_CASE("A list is searched for whole tokens, ignoring case") {
  CHECK(has_token("close", "close"));
  CHECK(has_token(" a ,\tClose ", "close"));
  CHECK_FALSE(has_token("closed, xclose", "close"));
  CHECK_FALSE(has_token("", "close"));
  CHECK_FALSE(has_token(",,", "close"));
}

TEST_CASE("The first preference of a name is read from a list, ignoring case and quotes (RFC 7240)") {
  CHECK(preference("return=minimal", "return") == "minimal");
  CHECK(preference(R"(wait=10; x="a,b" , Return = "minimal" ;y)", "return") == "minimal");
  CHECK(preference("return=minimal, return=representation", "return") == "minimal");
  CHECK(preference(R"(note="a, return=minimal", return=other)", "return") == "other");
  CHECK(preference(R"(note="\", return=minimal)", "return") == std::nullopt);
  CHECK(preference("respond-async", "respond-async") == "");
  for (const std::string_view other :
       {"", ",,", "returns=minimal", "minimal", "x;return=minimal", "\"return=minimal"}) {
    CHECK_FALSE(preference(other, "return").has_value());
  }
}

TEST_CASE("Weights are 0 to 1 with at most three decimals (RFC 9110, 12.4.2)") {
  CHECK(weight("0") == 0);
  CHECK(weight("1") == 1000);
  CHECK(weight("1.000") == 1000);
  CHECK(weight("0.5") == 500);
  CHECK(weight("0.007") == 7);
  CHECK(weight("0.") == 0);
  for (const std::string_view malformed : {"", "2", "1.001", "1.5", "0.1234", ".5", "-0", "0,5", "0.x", "00", "x"}) {
    CHECK_FALSE(weight(malformed).has_value());
  }
}

TEST_CASE("If-None-Match compares entity tags weakly (RFC 9110, 8.8.3.2 and 13.1.2)") {
  for (const std::string_view list :
       {R"("a")", R"("b", "a")", R"("b","a" )", R"(W/"a")", R"(W/"b", W/"a")", "*", R"("b", *)", R"(,, "a")"}) {
    CHECK(matches_entity_tag(list, R"("a")"));
  }
  for (const std::string_view list : {"", " ", ",", "a", R"("b")", R"("a)", R"(w/"a")", R"(W/a)", R"("ab")",
                                      R"(x, "a")", R"("b" x "a")", "W/", R"(W/"a)"}) {
    CHECK_FALSE(matches_entity_tag(list, R"("a")"));
  }
}

TEST_CASE("Field names ignore case (RFC 9110, 5.1), and the first field is found") {
  const Headers headers{{"ETag", "1"}, {"etag", "2"}, {"Vary", "3"}};
  CHECK(is_named(headers[0], "eTAG"));
  CHECK_FALSE(is_named(headers[0], "ETags"));
  REQUIRE(find_header(headers, "ETAG") != nullptr);
  CHECK(*find_header(headers, "ETAG") == "1");
  CHECK(find_header(headers, "Date") == nullptr);
}

}  // namespace tonearm::http_fields
