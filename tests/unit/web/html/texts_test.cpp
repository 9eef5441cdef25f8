#include "html/texts.h"

#include <doctest/doctest.h>

namespace tonearm::web {
namespace {

TEST_SUITE("web: texts") {
  TEST_CASE("every language has every text (WEB-19)") {
    const auto names = Texts::of("en").names();
    REQUIRE(Texts::languages().size() >= 2);
    for (const auto& language : Texts::languages()) {
      CAPTURE(language);
      CHECK(Texts::of(language).names() == names);
    }
  }

  TEST_CASE("the query chooses the language, then Accept-Language, then English (WEB-19)") {
    const Headers german{{"Accept-Language", "fr, de-AT;q=0.8, en;q=0.5"}};
    CHECK(Texts::chosen("", german).language() == "de");
    CHECK(Texts::chosen("q=x&lang=en", german).language() == "en");
    CHECK(Texts::chosen("lang=xx", german).language() == "de");
    CHECK(Texts::chosen("", {{"Accept-Language", "de;q=0, fr"}}).language() == "en");
    CHECK(Texts::chosen("", {}).language() == "en");
  }
}

}  // namespace
}  // namespace tonearm::web
