#pragma once
// What a player needs of a track, as files beside a snapshot: a preview in Ogg Vorbis, and its waveform.

#include <optional>
#include <string>

#include "audio/measurements.h"

namespace tonearm::builder {

/// The files of one track: `ID.ogg` and `ID.peaks.json` in a folder. Each is written under another name, then renamed.
class MediaFiles {
 public:
  /// Makes the folder where it is not there. Throws Failure.
  MediaFiles(std::string folder, std::string id);

  /// Copies an Ogg Vorbis file as it is and encodes any other. A preview that is newer than the audio stays. Answers
  /// why there is none; throws Failure if the disk refuses.
  std::optional<std::string> write_preview(const std::string& audio) const;
  /// The JSON of audiowaveform, version 2: pairs of lowest and highest samples of 8 bits, all channels in one.
  void write_peaks(const AudioMeasurements& measurements) const;

 private:
  std::string path_;  // without the ending
};

}  // namespace tonearm::builder
