#include "system/progress.h"

#include <doctest/doctest.h>

#include <sstream>

namespace tonearm::native {
namespace {

struct Shown {
  explicit Shown(Progress::Style style) : progress(out, style, [this] { return now_ms; }) {}

  std::ostringstream out;
  std::int64_t now_ms = 5'000;
  Progress progress;
};

TEST_CASE("progress is a plain line every ten seconds if the output is not a terminal") {
  Shown shown(Progress::Style::lines);
  shown.progress.begin("reading", 1'000);
  shown.now_ms += 9'999;
  shown.progress.advance(100);
  CHECK(shown.out.str().empty());
  shown.now_ms += 1;
  shown.progress.advance(150);
  CHECK(shown.out.str() == "reading: 25 %, 30 s left\n");
  shown.now_ms += 9'000;
  shown.progress.advance(250);
  CHECK(shown.out.str() == "reading: 25 %, 30 s left\n");
  shown.now_ms += 200'000;
  shown.progress.advance(1);
  CHECK(shown.out.str() == "reading: 25 %, 30 s left\nreading: 50 %, 3:39 min left\n");
}

TEST_CASE("on a terminal progress rewrites one line and clears it") {
  Shown shown(Progress::Style::terminal);
  shown.progress.begin("writing", 10);
  shown.progress.advance(1);
  CHECK(shown.out.str().empty());
  shown.now_ms += 2'000;
  shown.progress.advance(1);
  CHECK(shown.out.str() == "\r\x1b[2Kwriting: 20 %, 8 s left");
  shown.out.str("");
  shown.progress.clear_line();
  shown.progress.clear_line();
  CHECK(shown.out.str() == "\r\x1b[2K");
}

TEST_CASE("the remaining time is estimated once one percent is done") {
  Shown shown(Progress::Style::lines);
  shown.progress.begin("reading", 1'000);
  shown.now_ms += 10'000;
  shown.progress.advance(9);
  shown.now_ms += 10'000;
  shown.progress.advance(1);
  CHECK(shown.out.str() == "reading: 0 %\nreading: 1 %, 33:00 min left\n");
}

TEST_CASE("each step is estimated by itself, and units beyond its total count as 100 %") {
  Shown shown(Progress::Style::lines);
  shown.progress.begin("reading", 10);
  shown.progress.advance(5);
  shown.now_ms += 4'000;
  shown.progress.begin("writing", 3);
  shown.now_ms += 7'200'000;
  shown.progress.advance(0);
  shown.progress.advance(1);
  shown.now_ms += 20'000;
  shown.progress.advance(7);
  CHECK(shown.out.str() == "writing\nwriting: 100 %, 0 s left\n");
  shown.now_ms += 7'000'000;
  shown.progress.begin("again", 3);
  shown.now_ms += 3'720'000;
  shown.progress.advance(1);
  CHECK(shown.out.str().ends_with("again: 33 %, 2:04 h left\n"));
}

TEST_CASE("a silent progress prints nothing") {
  Progress silent;
  silent.begin("reading", 1);
  silent.advance(1);
  silent.clear_line();
}

}  // namespace
}  // namespace tonearm::native
