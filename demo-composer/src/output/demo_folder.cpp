#include "output/demo_folder.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <set>

#include "composition/composer.h"
#include "files/publication.h"
#include "files/whole_file.h"
#include "output/listing.h"
#include "sound/sound.h"
#include "system/threads.h"
#include "tonearm/result.h"

namespace tonearm::demo {
namespace {

namespace fs = std::filesystem;

struct ComposedPiece {
  Piece piece;
  Score score;
  std::string midi;
};

void publish_if_changed(const std::string& path, const std::string& bytes) {
  if (native::file_bytes(path) != bytes) native::publish_file(path, bytes);
}

std::string score_path(const DemoPaths& paths, const Piece& piece) {
  return paths.folder + "/scores/" + piece.name + ".mid";
}

std::string audio_path(const DemoPaths& paths, const std::string& name) { return paths.folder + "/audio/" + name; }

/// The score is published after the audio file, so an unchanged score proves that the audio file is complete.
bool is_current(const DemoPaths& paths, const ComposedPiece& composed) {
  return fs::is_regular_file(audio_path(paths, composed.piece.name + ".ogg")) &&
         native::file_bytes(score_path(paths, composed.piece)) == composed.midi;
}

void render_piece(const DemoPaths& paths, const ComposedPiece& composed, Synthesizer& synthesizer) {
  const auto& piece = composed.piece;
  auto samples = synthesizer.render(composed.score);
  master(samples, piece.is_loop);
  const SoundTags tags{piece.title, std::string(kArtist), license_url(piece.license), piece.genre, piece.description};
  // If the run ends before the new score is published, the old one must not vouch for the new audio file.
  fs::remove(score_path(paths, piece));
  native::publish_file(audio_path(paths, piece.name + ".ogg"),
                       ogg_vorbis(samples, tags, static_cast<std::uint32_t>(piece.seed)));
  native::publish_file(score_path(paths, piece), composed.midi);
}

std::uint64_t seconds_of(const ComposedPiece& composed) {
  const auto& score = composed.score;
  return static_cast<std::uint64_t>(score.ticks() * 60 / (score.bpm * std::int64_t{kTicksPerBeat}));
}

void render_pieces(const DemoPaths& paths, const std::vector<const ComposedPiece*>& outdated,
                   native::Progress& progress) {
  if (outdated.empty()) return;
  if (!fs::is_regular_file(paths.soundfont)) {
    throw Failure(paths.soundfont + " is missing: install the package fluid-soundfont-gm");
  }
  std::uint64_t seconds = 0;
  for (const auto* composed : outdated) seconds += seconds_of(*composed);
  progress.begin("rendering", seconds);
  // Each thread has a synthesizer and renders the next piece as soon as it has finished one.
  std::atomic<std::size_t> next = 0;
  const auto threads = static_cast<std::uint32_t>(std::min<std::size_t>(native::processors(), outdated.size()));
  native::in_blocks(threads, 1, threads, [&](std::size_t, std::size_t) {
    Synthesizer synthesizer(paths.soundfont);
    for (auto i = next.fetch_add(1); i < outdated.size(); i = next.fetch_add(1)) {
      render_piece(paths, *outdated[i], synthesizer);
      progress.advance(seconds_of(*outdated[i]));
    }
  });
}

void copy_recordings(const DemoPaths& paths, const std::vector<Recording>& recordings) {
  for (const auto& recording : recordings) {
    const auto target = audio_path(paths, recording.name);
    fs::create_directories(fs::path(target).parent_path());
    publish_if_changed(target, native::file_bytes(recording.path));
  }
}

bool is_within_folder(const fs::path& file) {
  const auto path = file.lexically_normal();
  return !path.empty() && path.is_relative() && *path.begin() != ".." && *path.begin() != ".";
}

/// Removes the files of the earlier list that the new one does not contain, and no others.
void remove_outdated(const DemoPaths& paths, const std::vector<ListEntry>& entries) {
  std::set<std::string_view> current;
  for (const auto& entry : entries) current.insert(entry.file);
  for (const auto& file : files_in_csv(native::file_bytes(audio_path(paths, "list.csv")))) {
    if (!current.contains(file) && is_within_folder(file)) fs::remove(audio_path(paths, file));
  }
}

std::vector<ComposedPiece> compose_all() {
  const auto styles = read_styles();
  std::vector<ComposedPiece> composed;
  for (auto& piece : read_pieces()) {
    auto score = compose(piece, styles);
    auto midi = midi_file(score);
    composed.push_back({std::move(piece), std::move(score), std::move(midi)});
  }
  return composed;
}

std::vector<ListEntry> entries_of(const std::vector<ComposedPiece>& pieces, const std::vector<Recording>& recordings) {
  std::vector<ListEntry> entries;
  entries.reserve(pieces.size() + recordings.size());
  for (const auto& composed : pieces) entries.push_back(entry_of(composed.piece, composed.score));
  for (const auto& recording : recordings) entries.push_back(entry_of(recording));
  return entries;
}

}  // namespace

DemoSummary write_demo(const DemoPaths& paths, native::Progress& progress) {
  std::error_code error;
  for (const auto* folder : {"/audio", "/scores"}) {
    fs::create_directories(paths.folder + folder, error);
    if (error) throw Failure(paths.folder + folder + ": cannot be created: " + error.message());
  }
  const auto pieces = compose_all();
  auto recordings = find_recordings(paths.root);
  copy_recordings(paths, recordings.accepted);
  std::vector<const ComposedPiece*> outdated;
  for (const auto& composed : pieces) {
    if (!is_current(paths, composed)) outdated.push_back(&composed);
  }
  render_pieces(paths, outdated, progress);

  const auto entries = entries_of(pieces, recordings.accepted);
  remove_outdated(paths, entries);
  publish_if_changed(audio_path(paths, "tonearm.toml"), std::string(kSettings));
  publish_if_changed(audio_path(paths, "list.csv"), csv_of(entries));
  progress.clear_line();
  return {pieces.size(), outdated.size(), recordings.accepted.size(), std::move(recordings.rejected)};
}

std::string text_of(const DemoSummary& summary, const std::string& folder) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [name, reason] : summary.rejected) ++counts[reason];
  std::string text;
  for (const auto& [reason, count] : counts) {
    text += "omitted: " + std::to_string(count) + (count == 1 ? " recording: " : " recordings: ") + reason + "\n";
  }
  return text + folder + ": " + std::to_string(summary.pieces) + " pieces (" + std::to_string(summary.rendered) +
         " rendered now), " + std::to_string(summary.recordings) + " recordings\n";
}

}  // namespace tonearm::demo
