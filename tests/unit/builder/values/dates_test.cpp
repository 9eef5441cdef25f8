#include "values/dates.h"

#include <doctest/doctest.h>

using namespace tonearm::builder;

TEST_CASE("dates of sources become days of the calendar") {
  CHECK(iso_date("2008-11-26 01:48:12") == "2008-11-26");
  CHECK(iso_date("2018-01-15T00:02:51") == "2018-01-15");
  CHECK(iso_date("2005-04-12") == "2005-04-12");
  CHECK(iso_date("11/26/2008 1:48") == "2008-11-26");
  CHECK(iso_date("3/4/2009") == "2009-03-04");
  for (const auto* text :
       {"", "2010", "2009-02-30", "0000-01-01", "26/11/2008", "2008-11-261", "1/2/20089", "on 2008-11-26"}) {
    CAPTURE(std::string(text));
    CHECK_FALSE(iso_date(text).has_value());
  }
}
