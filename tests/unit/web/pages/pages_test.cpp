#include <doctest/doctest.h>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "pages/page_frame.h"
#include "pages/track_view.h"

namespace tonearm::web {
namespace {

boost::json::object track(std::string_view json) { return boost::json::parse(json).as_object(); }

TEST_SUITE("web: pages") {
  TEST_CASE("reads scripts and styles under /assets from the manifest and nothing else (WEB-12)") {
    const auto files = read_manifest(R"json({
      "src/main.tsx": {"file": "assets/main-1.js", "css": ["assets/main-1.css", "../x.css"], "imports": ["_a.js"]},
      "_a.js": {"file": "assets/a-1.js", "css": ["assets/a.css"], "imports": ["src/main.tsx", "_b.js"]},
      "_b.js": {"file": "https://evil.example/b.js"}})json",
                                     "src/main.tsx");
    CHECK(files.script == "/assets/main-1.js");
    CHECK(files.styles == std::vector<std::string>{"/assets/a.css", "/assets/main-1.css"});
    CHECK(files.modules == std::vector<std::string>{"/assets/a-1.js"});
    for (const char* const broken : {"", "[]", "{", R"json({"src/main.tsx": 1})json"}) {
      CHECK(read_manifest(broken, "src/main.tsx").script.empty());
    }
  }

  TEST_CASE("summarizes a license from its terms and attribution (WEB-17)") {
    const auto& texts = Translations::for_language("en");
    const auto words = [&](std::string_view json) { return license_summary(texts, track(json)); };
    CHECK(words(R"json({"terms":{"commercial":true,"share_alike":false},"attribution":"optional"})json") ==
          "Free for commercial use, no credit needed");
    CHECK(words(R"json({"terms":{"commercial":true,"share_alike":false},"attribution":"requested"})json") ==
          "Free for commercial use, credit requested");
    CHECK(words(R"json({"terms":{"commercial":true,"share_alike":true},"attribution":"required"})json") ==
          "Free for commercial use, credit required; share adaptations under the same license");
    CHECK(words(R"json({"terms":{"commercial":false,"share_alike":false},"attribution":"required"})json") ==
          "Non-commercial use only, credit required");
    // Unknown terms count as restrictive.
    CHECK(words("{}") == "Non-commercial use only, credit required");
  }

  TEST_CASE("structured data of a track has its license and credit (WEB-15)") {
    const auto json = audio_object(track(R"json({"id":"x-1","title":"Rain","artist":"Ann","duration_s":183.5,
      "license":{"id":"cc0","name":"CC0 1.0","url":"https://creativecommons.org/x/"},"credit_line":"\"Rain\" by Ann",
      "preview_url":"javascript:alert(1)","page_url":"https://site.example/tracks/x-1"})json"));
    const auto object = track(json);
    CHECK(object.at("@type") == "AudioObject");
    CHECK(object.at("name") == "Rain");
    CHECK(object.at("duration") == "PT183.5S");
    CHECK(object.at("license") == "https://creativecommons.org/x/");
    CHECK(object.at("creditText") == "\"Rain\" by Ann");
    CHECK(object.at("acquireLicensePage") == "https://site.example/tracks/x-1");
    CHECK_FALSE(object.contains("contentUrl"));
  }

  TEST_CASE("hostile text of a track stays text (WEB-16)") {
    html::Writer out;
    write_track(out, Translations::for_language("en"), track(R"json({"id":"../x","title":"<script>alert(1)</script>",
      "artist":"\"><img src=x>","license":{"name":"<b>","url":"javascript:alert(1)","status":"<i>"},
      "credit_line":"\u202Eevil","preview_url":"javascript:alert(1)","source_page":"data:text/html,<script>",
      "original_url":"//evil.example","tags":{"genre":["<x>"]},"description":"<!--"})json"));
    const auto html = out.take();
    for (const char* const part :
         {"<script", "<img", "<b>", "<i>", "<x>", "<!--", "href=\"javascript", "href=\"data", " src=\"", "\u202E"}) {
      CAPTURE(part);
      CHECK(html.find(part) == std::string::npos);
    }
    CHECK(html.find("&lt;script&gt;alert(1)&lt;/script&gt;") != std::string::npos);
  }

  TEST_CASE("formats a duration for people and as ISO 8601") {
    const boost::json::value seconds = 184.25;
    CHECK(clock_time(&seconds) == "3:04");
    CHECK(iso_duration(&seconds) == "PT184.25S");
    CHECK(clock_time(nullptr) == "0:00");
  }
}

}  // namespace
}  // namespace tonearm::web
