#include "demo/demo.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>

#include "demo/composer.h"
#include "demo/listing.h"
#include "demo/sound.h"
#include "folder/documents.h"
#include "snapshot/publication.h"
#include "system/threads.h"
#include "tonearm/result.h"

namespace tonearm::builder::demo {
namespace {

namespace fs = std::filesystem;

struct Work {
  Piece piece;
  Score score;
  std::string midi;
};

void publish(const std::string& path, const std::string& bytes) {
  Publication file(path);
  file.write(bytes);
  file.publish();
}

void publish_if_changed(const std::string& path, const std::string& bytes) {
  if (file_bytes(path) != bytes) publish(path, bytes);
}

std::string score_path(const Folders& folders, const Piece& piece) {
  return folders.folder + "/scores/" + piece.name + ".mid";
}

std::string sound_path(const Folders& folders, const std::string& name) { return folders.folder + "/audio/" + name; }

/// The score is published after the sound, so it tells that the sound is whole and its own.
bool is_made(const Folders& folders, const Work& work) {
  return fs::is_regular_file(sound_path(folders, work.piece.name + ".ogg")) &&
         file_bytes(score_path(folders, work.piece)) == work.midi;
}

void make_piece(const Folders& folders, const Work& work, Synthesizer& synthesizer) {
  auto samples = synthesizer.render(work.score);
  master(samples, work.piece.is_loop);
  const SoundTags tags{work.piece.title, std::string(kArtist), license_address(work.piece.license), work.piece.genre,
                       work.piece.description};
  // A score of before must not vouch for the new sound, should the run end between the two.
  fs::remove(score_path(folders, work.piece));
  publish(sound_path(folders, work.piece.name + ".ogg"),
          ogg_vorbis(samples, tags, static_cast<std::uint32_t>(work.piece.seed)));
  publish(score_path(folders, work.piece), work.midi);
}

void make_pieces(const Folders& folders, const std::vector<const Work*>& missing, Progress& progress) {
  if (missing.empty()) return;
  if (!fs::is_regular_file(folders.soundfont)) {
    throw Failure(folders.soundfont + " is missing: install the package fluid-soundfont-gm");
  }
  std::uint64_t seconds = 0;
  const auto seconds_of = [](const Work& work) {
    return static_cast<std::uint64_t>(work.score.ticks() * 60 / (work.score.bpm * std::int64_t{kTicksPerBeat}));
  };
  for (const auto* work : missing) seconds += seconds_of(*work);
  progress.begin("rendering", seconds);
  // One synthesizer a thread, which takes the next piece as soon as it is done with one.
  std::atomic<std::size_t> next = 0;
  const auto threads = static_cast<std::uint32_t>(std::min<std::size_t>(processors(), missing.size()));
  in_blocks(threads, 1, threads, [&](std::size_t, std::size_t) {
    Synthesizer synthesizer(folders.soundfont);
    for (auto at = next.fetch_add(1); at < missing.size(); at = next.fetch_add(1)) {
      make_piece(folders, *missing[at], synthesizer);
      progress.advance(seconds_of(*missing[at]));
    }
  });
}

void copy_recordings(const Folders& folders, const std::vector<Recording>& recordings) {
  for (const auto& recording : recordings) {
    const auto to = sound_path(folders, recording.name);
    fs::create_directories(fs::path(to).parent_path());
    publish_if_changed(to, file_bytes(recording.path));
  }
}

/// A list of before names what the demo made, so nothing else is removed.
void remove_outdated(const std::string& audio, const std::vector<Entry>& entries) {
  if (!fs::is_regular_file(audio + "/list.csv")) return;
  const auto before = read_list(audio, "list.csv");
  if (!before) return;
  std::set<std::string_view> kept;
  for (const auto& entry : entries) kept.insert(entry.file);
  for (const auto& [path, rules] : before->by_path) {
    if (!kept.contains(path)) fs::remove(std::string(audio).append("/").append(path));
  }
}

std::vector<Work> compose_all() {
  const auto styles = read_styles();
  std::vector<Work> works;
  for (auto& piece : read_pieces()) {
    auto score = compose(piece, styles);
    auto midi = midi_file(score);
    works.push_back({std::move(piece), std::move(score), std::move(midi)});
  }
  return works;
}

std::vector<Entry> entries_of(const std::vector<Work>& works, const std::vector<Recording>& recordings) {
  std::vector<Entry> entries;
  entries.reserve(works.size() + recordings.size());
  for (const auto& work : works) entries.push_back(entry_of(work.piece, work.score));
  for (const auto& recording : recordings) entries.push_back(entry_of(recording));
  return entries;
}

}  // namespace

Made make_demo(const Folders& folders, Progress& progress) {
  std::error_code error;
  for (const auto* folder : {"/audio", "/scores"}) {
    fs::create_directories(folders.folder + folder, error);
    if (error) throw Failure(folders.folder + folder + ": cannot be made: " + error.message());
  }
  const auto works = compose_all();
  auto found = find_recordings(folders.root);
  copy_recordings(folders, found.kept);
  std::vector<const Work*> missing;
  for (const auto& work : works) {
    if (!is_made(folders, work)) missing.push_back(&work);
  }
  make_pieces(folders, missing, progress);

  const auto entries = entries_of(works, found.kept);
  const auto audio = folders.folder + "/audio";
  remove_outdated(audio, entries);
  publish_if_changed(audio + "/tonearm.toml", std::string(kSettings));
  publish_if_changed(audio + "/list.csv", csv_of(entries));
  return {audio, works.size(), missing.size(), found.kept.size(), std::move(found.left_out)};
}

}  // namespace tonearm::builder::demo
