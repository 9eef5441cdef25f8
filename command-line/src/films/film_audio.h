#pragma once
// Decodes the sound of a film or mix with FFmpeg's programs, each in a limited process (CLI-28).

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "films/limited_process.h"

namespace tonearm::cli {

/// Whether a path is that of a film or mix, by its extension: .mp4, .mov, .m4v, .m4a, .mkv, .webm, .mka. A folder is
/// none.
bool is_film(const std::string& path);

/// What a film states of its sound.
struct FilmStreams {
  int index = 0;           // of the audio track that is decoded, among all streams
  std::size_t number = 0;  // the same among the audio tracks, from 1
  std::size_t audio_tracks = 0;
  double duration_s = 0;  // when the sound ends, from the beginning of the film; 0: not stated
};

/// Throws FolderError if the file is no film, has no sound, or if FFmpeg is not installed.
FilmStreams read_film_streams(const std::string& path);

/// Reads the JSON that ffprobe prints. Throws std::runtime_error with the reason.
FilmStreams film_streams_of(const std::string& probed);

/// The sound of one audio track: mono at `audio::kTonalFilterRate`, from the beginning of the film; gaps are silent.
/// Not thread-safe.
class FilmAudio {
 public:
  /// Starts the decoder. Throws FolderError.
  FilmAudio(const std::string& path, const FilmStreams& streams);

  /// Reads samples until `samples` is full or the film ends, and returns their number. Full scale is about 1; every
  /// sample is finite. Throws FolderError if the film cannot be decoded to its end, is truncated, or lasts longer than
  /// 24 hours.
  std::size_t read(std::span<float> samples);
  /// Returns the first error of the decoder that did not stop it, such as a damaged frame; empty: there was none.
  /// Untrusted.
  std::string damage() const { return decoder_->error_line(); }

 private:
  void check_end();

  std::string path_;
  double duration_s_;
  std::unique_ptr<LimitedProcess> decoder_;
  std::uint64_t samples_ = 0;
};

}  // namespace tonearm::cli
