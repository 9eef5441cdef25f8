#include "output/demo_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "composition/composer.h"
#include "files/whole_file.h"
#include "output/listing.h"
#include "scratch_folder.h"
#include "tonearm/result.h"

namespace tonearm::demo {
namespace {

using test::ScratchFolder;

/// Writes a folder in which every piece is current. The audio files are placeholders.
DemoPaths written_before(const ScratchFolder& scratch) {
  DemoPaths paths{scratch.path("demo"), "/nonexistent.sf2", "/nonexistent"};
  std::filesystem::create_directories(scratch.path("demo/audio"));
  std::filesystem::create_directories(scratch.path("demo/scores"));
  const auto styles = read_styles();
  for (const auto& piece : read_pieces()) {
    scratch.write("demo/audio/" + piece.name + ".ogg", "sound");
    scratch.write("demo/scores/" + piece.name + ".mid", midi_file(compose(piece, styles)));
  }
  return paths;
}

std::string failure_of(const DemoPaths& paths) {
  native::Progress silent;
  try {
    write_demo(paths, silent);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return {};
}

// BUILD-15
TEST_CASE("without the soundfont nothing is listed, and the error names its package") {
  const ScratchFolder scratch;
  const auto message = failure_of({scratch.path("demo"), "/nonexistent.sf2", "/nonexistent"});
  CHECK(message == "/nonexistent.sf2 is missing: install the package fluid-soundfont-gm");
  CHECK_FALSE(std::filesystem::exists(scratch.path("demo/audio/list.csv")));
  CHECK(std::filesystem::is_empty(scratch.path("demo/audio")));
  CHECK(std::filesystem::is_empty(scratch.path("demo/scores")));
}

// BUILD-16
TEST_CASE("a second run renders nothing; a piece whose score is missing or outdated is rendered again") {
  const ScratchFolder scratch;
  const auto paths = written_before(scratch);
  native::Progress silent;
  const auto summary = write_demo(paths, silent);  // fails if it renders, because there is no soundfont
  CHECK(summary.pieces >= 80);
  CHECK(summary.rendered == 0);
  CHECK(summary.recordings == 0);
  CHECK(text_of(summary, "DIR").ends_with("DIR: 84 pieces (0 rendered now), 0 recordings\n"));
  const auto list = native::file_bytes(paths.folder + "/audio/list.csv");
  CHECK(static_cast<std::size_t>(std::count(list.begin(), list.end(), '\n')) == summary.pieces + 1);
  CHECK(native::file_bytes(paths.folder + "/audio/tonearm.toml") == kSettings);

  const auto name = read_pieces().front().name;
  std::filesystem::remove(paths.folder + "/scores/" + name + ".mid");  // as after an interrupted run
  CHECK(failure_of(paths).find("fluid-soundfont-gm") != std::string::npos);
  scratch.write("demo/scores/" + name + ".mid", "outdated");
  CHECK(failure_of(paths).find("fluid-soundfont-gm") != std::string::npos);
  CHECK(native::file_bytes(paths.folder + "/audio/list.csv") == list);
}

TEST_CASE("files that only an earlier list names are removed, and no others") {
  const ScratchFolder scratch;
  const auto paths = written_before(scratch);
  scratch.write("demo/audio/old.ogg", "sound");
  scratch.write("demo/audio/mine.ogg", "sound");
  scratch.write("demo/outside.ogg", "sound");
  scratch.write("demo/audio/list.csv", "file,license\r\nold.ogg,CC0-1.0\r\n../outside.ogg,CC0-1.0\r\n");
  native::Progress silent;
  write_demo(paths, silent);
  CHECK_FALSE(std::filesystem::exists(paths.folder + "/audio/old.ogg"));
  CHECK(std::filesystem::exists(paths.folder + "/audio/mine.ogg"));
  CHECK(std::filesystem::exists(paths.folder + "/outside.ogg"));
}

}  // namespace
}  // namespace tonearm::demo
