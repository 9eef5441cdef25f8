#include "archives/credits_archive.h"

#include <doctest/doctest.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <stdexcept>

namespace tonearm::web {
namespace {

TEST_SUITE("web: archives") {
  TEST_CASE("the last column of CSV is removed, also around quotes and line breaks (WEB-31)") {
    CHECK(without_last_column("a,b,note\r\n1,2,x\r\n") == "a,b\r\n1,2\r\n");
    CHECK(without_last_column("a,\"b,\r\n\"\"c\"\"\",\"x,\r\ny\"\r\n1,2,\r\n") == "a,\"b,\r\n\"\"c\"\"\"\r\n1,2\r\n");
    CHECK(without_last_column("").empty());
  }

  TEST_CASE("texts of the catalog add no tags to a .license file (WEB-31)") {
    CHECK(license_file("Ada Example", "cc-by-4.0", "\"Rain\" by Ada Example.") ==
          "SPDX-FileCopyrightText: Ada Example\nSPDX-License-Identifier: CC-BY-4.0\n\n\"Rain\" by Ada Example.\n");
    CHECK(license_file("", "not a license", "x")
              .starts_with("SPDX-FileCopyrightText: NOASSERTION\nSPDX-License-Identifier: NOASSERTION\n"));
    const auto hostile = license_file("A\nSPDX-License-Identifier: MIT", "cc0", "REUSE-IgnoreStart SPDX-SPDX-");
    CHECK(hostile.find("SPDX-License-Identifier: MIT") == std::string::npos);
    CHECK(hostile.find("REUSE-") == std::string::npos);
    CHECK(hostile.find("SPDX-License-Identifier: CC0-1.0\n") != std::string::npos);
    CHECK(hostile.find("SPDX-SPDX-") == std::string::npos);
  }

  TEST_CASE("entries name positions and tracks, and contain notes only for the owner (WEB-31)") {
    const CreditsDocuments documents{
        boost::json::parse(R"({"name": "Rain", "items": [{"track_id": "../x", "position": 0, "note": "secret",
            "modifications": null, "license_changed": false, "track": {"credit_as": "Ada"},
            "license_record": {"artist": "A. E.", "title": "T"}}]})")
            .as_object(),
        boost::json::parse(R"({"catalog_version": "v", "generated": "g", "credits": [{"position": 0,
            "track_id": "../x", "license": {"id": "cc0"}, "credit_line": "line"}]})")
            .as_object(),
        "text",
        "markdown",
        "a,note\r\nb,secret\r\n",
        "html",
        ""};
    const auto no_text = [](std::string_view) { return std::string(); };
    for (const auto notes : {Notes::included, Notes::excluded}) {
      const auto entries = credits_entries(documents, "About rain", notes, no_text);
      REQUIRE(entries.size() == 6);
      CHECK(entries.back().name == "licenses/0001-_.._x.license");
      CHECK(entries.back().bytes.starts_with("SPDX-FileCopyrightText: Ada\nSPDX-License-Identifier: CC0-1.0\n"));
      std::string all;
      for (const auto& entry : entries) all += entry.bytes;
      CHECK((all.find("secret") != std::string::npos) == (notes == Notes::included));
      CHECK(all.find("About rain") != std::string::npos);
    }
    auto proven = documents;
    proven.receipts = "{}\n";
    const auto text_of = [](std::string_view spdx) { return "text of " + std::string(spdx); };
    const auto entries = credits_entries(proven, "", Notes::included, text_of);
    REQUIRE(entries.size() == 9);
    CHECK(entries[6].name == "LICENSES/CC0-1.0.txt");
    CHECK(entries[6].bytes == "text of CC0-1.0");
    CHECK(entries[7].name == "receipts.jsonl");
    CHECK(entries[7].bytes == "{}\n");
    CHECK(entries[8].name == "how-to-verify.txt");
    auto incomplete = documents;
    incomplete.collection.erase("items");
    CHECK_THROWS_AS(credits_entries(incomplete, "", Notes::excluded, no_text), std::runtime_error);
  }
}

}  // namespace
}  // namespace tonearm::web
