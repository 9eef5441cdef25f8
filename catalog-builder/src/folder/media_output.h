#pragma once
// What a player needs of tracks, as files beside a snapshot: previews in Ogg Vorbis, and waveforms.

#include <map>
#include <string>

#include "measuring/measurements.h"

namespace tonearm::builder {

/// What became of one preview.
struct Preview {
  bool is_original = false;  // the audio file itself, byte for byte
  std::string error;         // why there is none; empty: there is one
};

/// The files `ID.ogg` and `ID.peaks.json` of a folder. Each is written under another name, then renamed. Beside them
/// `.previews` holds the SHA-256 of the audio that each preview was made from, a line each of which the last of an id
/// counts, so that it is made again when and only when the audio has other bytes.
class MediaFiles {
 public:
  /// Makes the folder where it is not there. Throws Failure.
  explicit MediaFiles(std::string folder);

  /// Copies an Ogg Vorbis file as it is and encodes any other, to the same bytes each time. Throws Failure if the disk
  /// refuses.
  Preview write_preview(const std::string& id, const std::string& audio, const TrackAudio::Sha256& sha256);
  /// The JSON of audiowaveform, version 2: pairs of lowest and highest samples of 8 bits, all channels in one.
  void write_peaks(const std::string& id, const audio::Measurements& measurements) const;

 private:
  void note(const std::string& id, const std::string& hash);

  std::string folder_;
  std::map<std::string, std::string, std::less<>> made_from_;  // id -> hash, in hexadecimal digits
};

}  // namespace tonearm::builder
