#include "text/policy_source.h"

#include <doctest/doctest.h>

using namespace tonearm::text;

// WEB-14, MCP-22
TEST_CASE("The source of an address is its origin in lower case") {
  CHECK(policy_source("https://Files.Example/a/b.mp3?x=1#top") == "https://files.example");
  CHECK(policy_source("HTTP://files.example:8080") == "http://files.example:8080");
  CHECK(policy_source("http://127.0.0.1:8080/media/a.ogg") == "http://127.0.0.1:8080");
  CHECK(policy_source("https://someone@files.example/a") == "https://files.example");
}

TEST_CASE("A host that could end a policy has no source") {
  for (const char* hostile :
       {"", "files.example", "ftp://files.example", "https://", "https://a.example;script-src", "https://a.example,b",
        "https://a example", "https://'unsafe-inline'", "https://a.example:", "https://a.example:80x", "https://*",
        "https://[::1]/a", "https://stra\u00dfe.example", "https://a\"b.example", "data:audio/wav,x"}) {
    CAPTURE(hostile);
    CHECK_FALSE(policy_source(hostile));
  }
}

TEST_CASE("A host's mirrors are its subdomains; an IP address has none") {
  using Sources = std::vector<std::string>;
  CHECK(with_subdomains("https://archive.org") == Sources{"https://archive.org", "https://*.archive.org"});
  CHECK(with_subdomains("https://www.files.example:8443") ==
        Sources{"https://www.files.example:8443", "https://*.files.example", "https://files.example"});
  CHECK(with_subdomains("http://127.0.0.1:8080") == Sources{"http://127.0.0.1:8080"});
}
