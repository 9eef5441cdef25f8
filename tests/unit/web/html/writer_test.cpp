#include "html/writer.h"

#include <doctest/doctest.h>

#include <stdexcept>

namespace tonearm::web::html {
namespace {

std::string page_with(std::string_view text) {
  Writer out;
  out.open("p", {{"title", text}}).text(text).close();
  return out.take();
}

TEST_SUITE("web: HTML") {
  TEST_CASE("text cannot become markup, in an element or in an attribute (WEB-16)") {
    CHECK(page_with("<script>alert(1)</script>\"'&") ==
          "<!doctype html>\n<p title=\"&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\">"
          "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;</p>");
  }

  TEST_CASE("control characters and invalid UTF-8 do not reach a page (WEB-16)") {
    CHECK(page_with(std::string_view("a\0b\x07\xff", 5)) ==
          "<!doctype html>\n<p title=\"ab\xEF\xBF\xBD\">ab\xEF\xBF\xBD</p>");
  }

  TEST_CASE("a URL becomes an attribute only if it is http or https (WEB-16)") {
    for (const char* const url :
         {"javascript:alert(1)", "JavaScript://%0aalert(1)", "data:text/html,x", "//evil.example/", "http:///x",
          "https://a b/", "http://a\\b", "vbscript:x", "", " https://a/", "https://a/\n"}) {
      CAPTURE(url);
      CHECK_FALSE(Attribute::web("href", url).is_valid());
    }
    CHECK(Attribute::web("href", "https://a.example/?q=\"").is_valid());
    CHECK(Attribute::web("href", "HTTP://a.example").is_valid());
  }

  TEST_CASE("a path of the site cannot name another host (WEB-16)") {
    for (const char* const path : {"//evil.example", "/\\evil.example", "evil", "javascript:x", "", "/a b"}) {
      CAPTURE(path);
      CHECK_FALSE(Attribute::local("href", path).is_valid());
    }
    CHECK(Attribute::local("href", "/tracks/x-1").is_valid());
  }

  TEST_CASE("a URL cannot be set as a plain attribute (WEB-16)") {
    CHECK_THROWS_AS(Attribute("href", "x"), std::logic_error);
    CHECK_THROWS_AS(Attribute("onclick", "x"), std::logic_error);
    CHECK_THROWS_AS(Attribute("style", "x"), std::logic_error);
  }

  TEST_CASE("JSON data cannot close its script element (WEB-16)") {
    Writer out;
    out.data("application/json", "page-data", R"({"title":"</script><!--&"})");
    CHECK(out.take() ==
          "<!doctype html>\n<script type=\"application/json\" id=\"page-data\">"
          "{\"title\":\"\\u003c/script\\u003e\\u003c!--\\u0026\"}</script>");
  }

  TEST_CASE("catalog text is one line without overrides, isolated and truncated (WEB-16)") {
    Writer out;
    out.untrusted_text("a\u202Eb\nc\u2066d");
    CHECK(out.take() == "<!doctype html>\n<bdi>ab cd</bdi>");
    CHECK(sanitize(std::string(10'000, 'x'), 20) == std::string(20, 'x') + "…");
    CHECK(sanitize("äöü", 3) == "äöü");
  }

  TEST_CASE("unclosed elements are an error") {
    Writer out;
    out.open("p");
    CHECK_THROWS_AS(out.take(), std::logic_error);
    out.close();
    CHECK_THROWS_AS(out.close(), std::logic_error);
  }
}

}  // namespace
}  // namespace tonearm::web::html
