#include "demo/demo.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "demo/composer.h"
#include "demo/listing.h"
#include "scratch_folder.h"
#include "tonearm/result.h"

namespace tonearm::builder::demo {
namespace {

using test::ScratchFolder;

/// A folder in which every piece is already made; its sounds are words, as nothing here listens.
Folders made_before(const ScratchFolder& scratch) {
  Folders folders{scratch.path("demo"), "/nonexistent.sf2", "/nonexistent"};
  std::filesystem::create_directories(scratch.path("demo/audio"));
  std::filesystem::create_directories(scratch.path("demo/scores"));
  const auto styles = read_styles();
  for (const auto& piece : read_pieces()) {
    scratch.write("demo/audio/" + piece.name + ".ogg", "sound");
    scratch.write("demo/scores/" + piece.name + ".mid", midi_file(compose(piece, styles)));
  }
  return folders;
}

std::string failure_of(const Folders& folders) {
  Progress silent;
  try {
    make_demo(folders, silent);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return {};
}

// BUILD-15
TEST_CASE("without the soundfont nothing is listed, and its package is named") {
  const ScratchFolder scratch;
  const auto message = failure_of({scratch.path("demo"), "/nonexistent.sf2", "/nonexistent"});
  CHECK(message == "/nonexistent.sf2 is missing: install the package fluid-soundfont-gm");
  CHECK_FALSE(std::filesystem::exists(scratch.path("demo/audio/list.csv")));
  CHECK(std::filesystem::is_empty(scratch.path("demo/audio")));
  CHECK(std::filesystem::is_empty(scratch.path("demo/scores")));
}

// BUILD-16
TEST_CASE("a second run renders nothing; a sound whose score is missing or of before is made again") {
  const ScratchFolder scratch;
  const auto folders = made_before(scratch);
  Progress silent;
  const auto made = make_demo(folders, silent);  // without a soundfont, so it renders nothing
  CHECK(made.pieces >= 80);
  CHECK(made.rendered == 0);
  CHECK(made.recordings == 0);
  CHECK(made.audio == folders.folder + "/audio");
  const auto list = file_bytes(made.audio + "/list.csv");
  CHECK(static_cast<std::size_t>(std::count(list.begin(), list.end(), '\n')) == made.pieces + 1);
  CHECK(file_bytes(made.audio + "/tonearm.toml") == kSettings);

  const auto name = read_pieces().front().name;
  std::filesystem::remove(folders.folder + "/scores/" + name + ".mid");  // as a run that was stopped leaves it
  CHECK(failure_of(folders).find("fluid-soundfont-gm") != std::string::npos);
  scratch.write("demo/scores/" + name + ".mid", "of before");
  CHECK(failure_of(folders).find("fluid-soundfont-gm") != std::string::npos);
  CHECK(file_bytes(made.audio + "/list.csv") == list);
}

TEST_CASE("what an earlier list names and this one does not is removed, and nothing else") {
  const ScratchFolder scratch;
  const auto folders = made_before(scratch);
  scratch.write("demo/audio/old.ogg", "sound");
  scratch.write("demo/audio/mine.ogg", "sound");
  scratch.write("demo/outside.ogg", "sound");
  scratch.write("demo/audio/list.csv", "file,license\r\nold.ogg,CC0-1.0\r\n../outside.ogg,CC0-1.0\r\n");
  Progress silent;
  make_demo(folders, silent);
  CHECK_FALSE(std::filesystem::exists(folders.folder + "/audio/old.ogg"));
  CHECK(std::filesystem::exists(folders.folder + "/audio/mine.ogg"));
  CHECK(std::filesystem::exists(folders.folder + "/outside.ogg"));
}

}  // namespace
}  // namespace tonearm::builder::demo
