#include "films/film_tracks.h"

#include <fmt/format.h>

#include <filesystem>

#include "films/film_audio.h"
#include "films/piece_reader.h"
#include "tonearm/result.h"

namespace tonearm::cli {
namespace {

std::vector<audio::Piece> next_pieces(PieceReader& reader) {
  try {
    return reader.next();
  } catch (const Failure& failure) {  // Chromaprint is not installed
    throw FolderError(failure.what());
  }
}

}  // namespace

std::string film_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

FilmTracks recognize_film(const std::string& path, const Send& send,
                          const std::function<void(double done_s, double all_s)>& on_progress) {
  const auto streams = read_film_streams(path);
  FilmTracks found;
  for (std::size_t number = 1; number <= streams.audio_tracks; ++number) {
    if (number == streams.number) continue;
    found.skipped.push_back(
        {film_name(path),
         fmt::format("audio track {} of {}: only track {} is decoded", number, streams.audio_tracks, streams.number),
         true});
  }
  FilmAudio sound(path, streams);
  PieceReader reader([&](std::span<float> samples) { return sound.read(samples); });
  TrackUses uses;
  while (!reader.is_at_end()) {
    const auto pieces = next_pieces(reader);
    on_progress(reader.read_s(), streams.duration_s);
    uses.recognize(pieces, send);
  }
  if (!sound.damage().empty()) found.skipped.push_back({film_name(path), "damaged: " + sound.damage(), true});
  found.tracks = uses.tracks();
  return found;
}

}  // namespace tonearm::cli
