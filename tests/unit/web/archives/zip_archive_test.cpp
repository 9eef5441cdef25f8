#include "archives/zip_archive.h"

#include <doctest/doctest.h>

#include <stdexcept>

namespace tonearm::web {
namespace {

TEST_SUITE("web: archives") {
  TEST_CASE("the name of an entry cannot leave the folder (WEB-31)") {
    CHECK(entry_name("os-101") == "os-101");
    CHECK(entry_name("../../etc/passwd") == "_.._.._etc_passwd");
    CHECK(entry_name("C:\\x\n\"y\xC3\xA4") == "C__x__y__");
    CHECK(entry_name(".hidden") == "_.hidden");
    CHECK(entry_name("") == "_");
  }

  TEST_CASE("an archive begins and ends as a ZIP file and has a bounded size (WEB-31)") {
    const auto archive = zip_archive({{"a.txt", std::string(10'000, 'a')}, {"licenses/b.license", "b"}});
    CHECK(archive.substr(0, 4) == "PK\x03\x04");
    CHECK(archive.find("licenses/b.license") != std::string::npos);
    CHECK(archive.size() < 1'000);
    CHECK_THROWS_AS(zip_archive({{"a", std::string(kArchiveBytesMax + 1, 'a')}}), std::runtime_error);
    CHECK_THROWS_AS(zip_archive({{"a", "1"}, {"a", "2"}}), std::runtime_error);
  }
}

}  // namespace
}  // namespace tonearm::web
