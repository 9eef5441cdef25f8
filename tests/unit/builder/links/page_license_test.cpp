#include "links/page_license.h"

#include <doctest/doctest.h>

namespace tonearm::builder {
namespace {
using Names = std::set<std::string>;
}

// LINK-4
TEST_CASE("a page names a license by any spelling of its URL") {
  const Names by{"https://creativecommons.org/licenses/by/4.0/"};
  for (const auto* page :
       {R"(<a rel="license" href="https://creativecommons.org/licenses/by/4.0/">CC BY</a>)",
        R"(href='HTTP://CreativeCommons.org/Licenses/BY/4.0/deed.de')", "//www.creativecommons.org/licenses/by/4.0",
        "see https://creativecommons.org/licenses/by/4.0/legalcode. And again "
        "http://creativecommons.org/licenses/by/4.0/"}) {
    CAPTURE(page);
    CHECK(licenses_in(page) == by);
  }
  CHECK(licenses_in("https://creativecommons.org/publicdomain/zero/1.0/") ==
        Names{"https://creativecommons.org/publicdomain/zero/1.0/"});
}

TEST_CASE("ported licenses are different licenses, and several may be named") {
  CHECK(licenses_in("//creativecommons.org/licenses/by/3.0/us/ //creativecommons.org/licenses/by-nc-sa/3.0/") ==
        Names{"https://creativecommons.org/licenses/by/3.0/us/", "https://creativecommons.org/licenses/by-nc-sa/3.0/"});
  CHECK(licenses_in("//creativecommons.org/licenses/by/3.0/deed.en") ==
        Names{"https://creativecommons.org/licenses/by/3.0/"});
  CHECK(licenses_in("//creativecommons.org/publicdomain/mark/1.0/") ==
        Names{"https://creativecommons.org/publicdomain/mark/1.0/"});
}

TEST_CASE("words, other hosts and unknown versions name no license") {
  for (const auto* page :
       {"", "CC BY 4.0", "https://creativecommons.org/licenses/", "//creativecommons.org.evil.example/licenses/by/4.0/",
        "//evil.example/creativecommons.org/licenses/by/4.0/", "//creativecommons.org/licenses/by/4/",
        "creativecommons.org/licenses/by/4.0/"}) {
    CAPTURE(page);
    CHECK(licenses_in(page).empty());
  }
}

}  // namespace tonearm::builder
