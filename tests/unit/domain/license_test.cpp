#include "tonearm/license.h"

#include <doctest/doctest.h>

namespace tonearm {

TEST_CASE("The table of licenses is indexed by id, and only the eleven licenses are found by name") {
  for (std::size_t i = 0; i < kLicenses.size(); ++i) CHECK(static_cast<std::size_t>(kLicenses[i].id) == i);
  for (std::size_t i = 0; i < kLicenseCount; ++i) CHECK(find_license(kLicenses[i].name_id) == kLicenses[i].id);
  for (const std::string_view unknown : {"unknown", "", "CC0", "cc-by", "cc-by-nd-4.0"}) {
    CHECK_FALSE(find_license(unknown).has_value());
  }
}

TEST_CASE("A license determines its terms") {
  for (const License& it : kLicenses) {
    const bool non_commercial = it.name_id.find("-nc") != std::string_view::npos;
    const bool share_alike = it.name_id.find("-sa") != std::string_view::npos;
    if (it.id == LicenseId::unknown) {
      CHECK_FALSE(it.commercial);
      CHECK(it.credit_required);
      CHECK(it.url.empty());
      continue;
    }
    CHECK(it.commercial == !non_commercial);
    CHECK(it.share_alike == share_alike);
    CHECK(it.credit_required == (it.id != LicenseId::cc0));
  }
}

// LICENSE-2
TEST_CASE("Attribution is required by the license, or requested") {
  CHECK(attribution(LicenseId::cc0, false) == Attribution::optional);
  CHECK(attribution(LicenseId::cc0, true) == Attribution::requested);
  CHECK(attribution(LicenseId::cc_by_4_0, false) == Attribution::required);
  CHECK(attribution(LicenseId::cc_by_nc_3_0, true) == Attribution::required);
}

// LICENSE-3, LICENSE-4, LICENSE-5, LICENSE-6
TEST_CASE("Credit lines name title, author, source and license") {
  struct Row {
    Credit credit;
    std::string_view expected;
  };
  const Row rows[] = {
      {{"Rain", "Ada", "https://example.org/1", LicenseId::cc_by_4_0},
       "\"Rain\" by Ada (https://example.org/1) is licensed under CC BY 4.0. To view a copy of this license, visit "
       "https://creativecommons.org/licenses/by/4.0/."},
      {{"Rain", "Ada", "https://example.org/1", LicenseId::cc0},
       "\"Rain\" by Ada (https://example.org/1) is marked with CC0 1.0. To view the terms, visit "
       "https://creativecommons.org/publicdomain/zero/1.0/."},
      {{"", "", "", LicenseId::cc0},
       "This work is marked with CC0 1.0. To view the terms, visit "
       "https://creativecommons.org/publicdomain/zero/1.0/."},
      {{"Step", "", "", LicenseId::oga_by_3_0},
       "\"Step\" is licensed under OGA-BY 3.0. To view a copy of this license, visit "
       "https://static.opengameart.org/OGA-BY-3.0.txt."},
      {{"Two\r\nlines\xe2\x80\xae", "A\tB\x07", "", LicenseId::cc_by_nc_sa_3_0},
       "\"Two lines\" by A B is licensed under CC BY-NC-SA 3.0. To view a copy of this license, visit "
       "https://creativecommons.org/licenses/by-nc-sa/3.0/."},
      {{"Rain", "Ada", "", LicenseId::unknown}, "\"Rain\" by Ada has no known license."},
  };
  for (const Row& row : rows) CHECK(credit_line(row.credit) == row.expected);
}

}  // namespace tonearm
