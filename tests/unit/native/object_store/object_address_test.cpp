#include "object_store/object_address.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace tonearm::native;

namespace {

const S3Location kAmazon{{}, "eu-central-1"};
const S3Location kOther{"http://127.0.0.1:9000", "us-east-1"};

std::string url_of(const std::string& text, const S3Location& location) {
  const auto address = parse_object_address(text, location);
  return std::string(address.server.tls ? "https://" : "http://") + address.server.host + ':' + address.server.port +
         address.target;
}

std::string refusal_of(const std::string& text, const S3Location& location) {
  try {
    parse_object_address(text, location);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

// HOST-49
TEST_CASE("an address of S3 names the bucket in the host, or in the path of other stores") {
  CHECK(url_of("s3://music/a/catalog.sqlite", kAmazon) ==
        "https://music.s3.eu-central-1.amazonaws.com:443/a/catalog.sqlite");
  CHECK(url_of("s3://music.example/c", kAmazon) == "https://s3.eu-central-1.amazonaws.com:443/music.example/c");
  CHECK(url_of("s3://music/a b/\xC3\xBC+c", kOther) == "http://127.0.0.1:9000/music/a%20b/%C3%BC%2Bc");
  CHECK(url_of("s3://music/100%", kOther) == "http://127.0.0.1:9000/music/100%25");
  CHECK(parse_object_address("s3://music/c", kOther).is_s3);
}

// HOST-49
TEST_CASE("a URL is used as it is") {
  CHECK(url_of("https://files.example/a%20b/catalog.sqlite", kOther) ==
        "https://files.example:443/a%20b/catalog.sqlite");
  CHECK(url_of("http://[::1]:8080/c", kOther) == "http://[::1]:8080/c");
  CHECK_FALSE(parse_object_address("https://files.example/c", kOther).is_s3);
}

// HOST-49
TEST_CASE("an invalid address is refused with the reason, and the reason does not repeat it") {
  for (const std::string text :
       {"https://user:pass@h/c", "https://h/c?token=secret", "https://h/c#f", "https://h", "https://h/", "https:///c",
        "https://h/a/../c", "https://h/%zz", "https://h/a b", "https://h/\xC3\xBC", "https://h:99999999/c", "ftp://h/c",
        "https://h/a\nb", "https://h:x/c"}) {
    CAPTURE(text);
    const auto refusal = refusal_of(text, kOther);
    CHECK_FALSE(refusal.empty());
    CHECK(refusal.find("secret") == std::string::npos);
    CHECK(refusal.find("pass") == std::string::npos);
  }
  for (const std::string text : {"s3://Music/c", "s3://ab/c", "s3://-ab/c", "s3://a..b/c", "s3:///c", "s3://a_b/c"}) {
    CAPTURE(text);
    CHECK(refusal_of(text, kOther).starts_with("a bucket has"));
  }
  for (const std::string text : {"s3://music", "s3://music/", "s3://music/a/../c", "s3://music/a\x01"}) {
    CAPTURE(text);
    CHECK(refusal_of(text, kOther).starts_with("a key has"));
  }
  CHECK(refusal_of("s3://music/" + std::string(1025, 'k'), kOther).starts_with("a key has"));
  CHECK(refusal_of("s3://music/c", {"http://h/path", "us-east-1"}) == "an endpoint has no path");
  CHECK(refusal_of("s3://music/c", {"https://user:pass@h", "us-east-1"}) ==
        "a server is http://HOST:PORT or https://HOST:PORT");
  CHECK(refusal_of("s3://music/c", {{}, "us east"}).starts_with("a region has"));
  CHECK(refusal_of("s3://music/c", {{}, "x:s3"}).starts_with("a region has"));
}

// HOST-49
TEST_CASE("paths of files are no addresses") {
  for (const char* const text : {"catalog.sqlite", "/srv/https/c", "https:/x", "s3:/x", "S3://b/c", ""}) {
    CAPTURE(text);
    CHECK_FALSE(is_object_address(text));
  }
  for (const char* const text : {"s3://b/c", "https://h/c", "http://h/c"}) CHECK(is_object_address(text));
}

// HOST-49
TEST_CASE("only TLS, and this machine itself, protect what is read") {
  CHECK(is_protected(parse_object_address("https://h/c", kOther).server));
  CHECK(is_protected(parse_object_address("http://127.0.0.1:1/c", kOther).server));
  CHECK(is_protected(parse_object_address("http://[::1]:1/c", kOther).server));
  CHECK(is_protected(parse_object_address("s3://music/c", kOther).server));
  CHECK_FALSE(is_protected(parse_object_address("http://127.example/c", kOther).server));
  CHECK_FALSE(is_protected(parse_object_address("s3://music/c", {"http://store.example", "us-east-1"}).server));
}
