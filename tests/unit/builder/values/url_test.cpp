#include "values/url.h"

#include <doctest/doctest.h>

namespace tonearm::builder {

TEST_CASE("an http(s) URL has a host and no unsafe character") {
  for (const auto* url : {"http://a.example", "https://a.example/x?y=z#w", "HTTPS://A.example/", "http://[::1]:80/",
                          "http://localhost:8080/a%20b", "https://a.example/\xC3\xA9"}) {
    CAPTURE(url);
    CHECK(is_http_url(url));
  }
  for (const auto* other :
       {"", "http://", "https:///x", "http://:80/", "http://:]x/", "ftp://a.example/", "javascript:alert(1)",
        "//a.example/x", "/x", "http://a.example/a b", "http://a.example/<x>", "http://u@a.example/",
        "http://a.example/\n", "http://a.example/\"", "http://a.example\\x", "http:/a.example",
        "http://a.example/\xE2\x80\xAE", "http://a.example/\xff", "http://?x"}) {
    CAPTURE(other);
    CHECK_FALSE(is_http_url(other));
  }
}

TEST_CASE("a domain is normalized to lower case") {
  CHECK(normalized_domain("Freesound.ORG") == "freesound.org");
  CHECK(normalized_domain("a-b.c.example") == "a-b.c.example");
  CHECK(normalized_domain("B\xC3\x9C"
                          "cher.example") ==
        "b\xC3\xBC"
        "cher.example");
  for (const auto* other : {"", "freesound", "http://freesound.org", "a.example/x", "a.example:80", "a b.example",
                            ".example", "a..example", "a.example.", "-a.example", "a,b.example", "a@b.example"}) {
    CAPTURE(other);
    CHECK_FALSE(normalized_domain(other));
  }
}

// BUILD-6
TEST_CASE("a path is appended to the media URL, and a URL is not changed") {
  const std::string media = "https://m.example/media/";
  CHECK(resolve_media_url(media, "https://x.example/a.mp3") == "https://x.example/a.mp3");
  CHECK(resolve_media_url(media, "a/b.mp3") == "https://m.example/media/a/b.mp3");
  CHECK(resolve_media_url(media, "/a/b.mp3") == "https://m.example/media/a/b.mp3");
  CHECK(resolve_media_url(media, "a b\xC3\xA9.mp3") == "https://m.example/media/a%20b%C3%A9.mp3");
  CHECK(resolve_media_url(media, "a%20b.mp3?v=1") == "https://m.example/media/a%20b.mp3?v=1");
  for (const auto* other : {"", "/", "//evil.example/x", "ftp://a.example/x", "javascript:x", "../x", "a/../x", "a\\b",
                            "a\nb", "data:audio/mp3;base64,AA"}) {
    CAPTURE(other);
    CHECK_FALSE(resolve_media_url(media, other));
  }
}

}  // namespace tonearm::builder
