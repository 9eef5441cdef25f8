#include "cleaning/descriptions.h"

#include <doctest/doctest.h>

#include <string>

namespace tonearm::builder {

TEST_CASE("joined sentences are separated if certain (BUILD-17)") {
  CHECK(separate_sentences("Such a nice ending.This piece of music is long") ==
        "Such a nice ending. This piece of music is long");
  CHECK(separate_sentences("bright and fun!This one, say I?You can.I do.") ==
        "bright and fun! This one, say I?You can. I do.");
}

TEST_CASE("possible URLs, domains and abbreviations are not changed (BUILD-17)") {
  for (const auto* text : {"see archive.Org",
                           "www.Example.Example",
                           "https://a.example/some.Page",
                           "Node.Js",
                           "the U.S.Army",
                           "me@mail.Example",
                           "v1.Two",
                           "last.Fm",
                           "e.g.Rain",
                           "i.e.This",
                           "3.5 and v1.2",
                           "A.I.Machine",
                           "loop.Wav is it",
                           "No.5",
                           "wait...What",
                           "amazon.Co.Uk",
                           "file_name.Wav",
                           "some.TLD",
                           "ends.",
                           "a.B",
                           ""})
    CHECK(separate_sentences(text) == text);
}

TEST_CASE("a long text without white space takes linear time") {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "aa.Bb";
  CHECK(separate_sentences(text).size() > text.size());
}

}  // namespace tonearm::builder
