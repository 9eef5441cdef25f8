#pragma once
// Files for players beside a snapshot: previews in Ogg Vorbis, and waveforms.

#include <map>
#include <string>

#include "measuring/measurements.h"

namespace tonearm::builder {

/// The result of writing one preview.
struct Preview {
  bool is_original = false;  // the audio file itself, byte for byte
  std::string error;         // why there is no preview; empty: it was written
};

/// Writes the files `ID.ogg` and `ID.peaks.json` of a folder, each by renaming. The index `.previews` contains the
/// SHA-256 of the audio of each preview, so that a preview is written again only if its audio has changed. The last
/// line of an id counts.
class MediaFiles {
 public:
  /// Creates the folder if it does not exist. Throws Failure.
  explicit MediaFiles(std::string folder);

  /// Copies an Ogg Vorbis file, and encodes any other file to the same bytes each time. Throws Failure if the folder is
  /// not writable.
  Preview write_preview(const std::string& id, const std::string& audio, const TrackAudio::Sha256& sha256);
  /// Writes JSON of audiowaveform, version 2: pairs of lowest and highest samples of 8 bits, with all channels merged.
  void write_peaks(const std::string& id, const audio::Measurements& measurements) const;

 private:
  void add_to_index(const std::string& id, const std::string& hash);

  std::string folder_;
  std::map<std::string, std::string, std::less<>> hash_by_id_;  // in hexadecimal digits
};

}  // namespace tonearm::builder
