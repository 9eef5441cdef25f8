#include "html/translations.h"

#include <doctest/doctest.h>

namespace tonearm::web {
namespace {

TEST_SUITE("web: translations") {
  TEST_CASE("every language has all texts (WEB-19)") {
    const auto names = Translations::for_language("en").names();
    REQUIRE(Translations::languages().size() >= 2);
    for (const auto& language : Translations::languages()) {
      CAPTURE(language);
      CHECK(Translations::for_language(language).names() == names);
    }
  }

  TEST_CASE("the language comes from the query, then Accept-Language, then English (WEB-19)") {
    const Headers german{{"Accept-Language", "fr, de-AT;q=0.8, en;q=0.5"}};
    CHECK(Translations::negotiate("", german).language() == "de");
    CHECK(Translations::negotiate("q=x&lang=en", german).language() == "en");
    CHECK(Translations::negotiate("lang=xx", german).language() == "de");
    CHECK(Translations::negotiate("", {{"Accept-Language", "de;q=0, fr"}}).language() == "en");
    CHECK(Translations::negotiate("", {}).language() == "en");
  }
}

}  // namespace
}  // namespace tonearm::web
