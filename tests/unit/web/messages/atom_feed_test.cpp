#include "messages/atom_feed.h"

#include <doctest/doctest.h>

namespace tonearm::web {
namespace {

TEST_SUITE("web: atom feed") {
  TEST_CASE("untrusted texts are escaped, on one line, without characters that XML forbids (WEB-34)") {
    const AtomFeed feed{"urn:x",         "a <b> & \"c\"\n\x01\xEF\xBF\xBF]]>",
                        "Tonearm",       0,
                        "http://x/?a&b", {{"urn:y", "</title>", 1'000, "http://x/\"", "\xFF"}}};
    const auto document = atom_document(feed);
    CHECK(document.starts_with(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\""));
    CHECK(document.find("<title>a &lt;b&gt; &amp; &quot;c&quot;") != std::string::npos);
    CHECK(document.find("<title>&lt;/title&gt;</title>") != std::string::npos);
    CHECK(document.find("href=\"http://x/?a&amp;b\"") != std::string::npos);
    CHECK(document.find("href=\"http://x/&quot;\"") != std::string::npos);
    CHECK(document.find("<updated>1970-01-01T00:00:01Z</updated>") != std::string::npos);
    CHECK(document.find('\x01') == std::string::npos);
    CHECK(document.find("\xEF\xBF\xBF") == std::string::npos);
    CHECK(document.ends_with("</feed>\n"));
  }

  TEST_CASE("a hash becomes a UUID of version 8 (WEB-34)") {
    CHECK(uuid_urn(std::string(32, '\xFF')) == "urn:uuid:ffffffff-ffff-8fff-bfff-ffffffffffff");
    CHECK(uuid_urn(std::string(32, '\0')) == "urn:uuid:00000000-0000-8000-8000-000000000000");
  }
}

}  // namespace
}  // namespace tonearm::web
