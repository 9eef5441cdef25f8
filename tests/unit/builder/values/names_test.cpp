#include "values/names.h"

#include <doctest/doctest.h>

namespace tonearm::builder {

TEST_CASE("placeholders, deleted accounts and masked addresses are not names (LINE-16)") {
  for (const auto* nobody : {"Unknown",
                             "unknown artist",
                             "[Unknown]",
                             "UNKNOWN  ARTIST",
                             "Various",
                             "Various Artists",
                             "V.A.",
                             "V/A",
                             "n/a",
                             "N.A.",
                             "-",
                             "--",
                             "?",
                             "???",
                             "...",
                             "\u2014",
                             "none",
                             "(none)",
                             "null",
                             "Anonymous",
                             "anonymous user",
                             "--DeletedUser--",
                             "[e-mail masked]",
                             "[email\u00a0protected]",
                             "",
                             " ",
                             "\u200b",
                             "Artist unknown"}) {
    CAPTURE(nobody);
    CHECK_FALSE(is_creditable_name(nobody));
  }
}

TEST_CASE("possible names are accepted (LINE-16)") {
  for (const auto* somebody :
       {"Ann Bell", "K", "!!!", "\u2020\u2020\u2020", "The Unknown", "Unknown Mortal Orchestra", "Anonymous 4", "Na",
        "VA", "NULL pointer", "deleted_user_2104797", "-sihiL", "\u96e8", "[bleak]", "None of the Above", "311"}) {
    CAPTURE(somebody);
    CHECK(is_creditable_name(somebody));
  }
}

TEST_CASE("titles and artists are compared by letters, digits, accidentals and separators of numbers (LINE-14)") {
  CHECK(comparable_name("Rain, AGAIN!") == "rainagain");
  CHECK(comparable_name("Rain \u2013 again\u2026 \u2122") == "rainagain");
  CHECK(comparable_name("Stra\u00dfe") == comparable_name("STRASSE"));
  CHECK(comparable_name("A.I. #1") == "ai1");
  CHECK(comparable_name("C#4") == "c#4");
  CHECK(comparable_name("C\u266f4") == "c#4");
  CHECK(comparable_name("A\u266d") != comparable_name("A"));
  CHECK(comparable_name("Take 1.1") == "take1.1");
  CHECK(comparable_name("7-11") == "7.11");
  CHECK(comparable_name("Rain 01") == "rain01");
  CHECK(comparable_name("\u96e8\u3000\u96ea") == "\u96e8\u96ea");
  CHECK(comparable_name("\u2605 \u2014 ?").empty());
  CHECK(comparable_name("\xff").empty());
}

}  // namespace tonearm::builder
