#pragma once
// Recognizes tracks in pieces of a film, and joins their uses (CLI-29).

#include <boost/json.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "edits/edit_clips.h"
#include "project/file_matches.h"

namespace tonearm::audio {
struct Piece;
}

namespace tonearm::cli {

/// A track that is heard in a film.
struct RecognizedTrack {
  boost::json::object track;     // of the API
  std::int64_t score = 0;        // the best of its uses
  std::vector<TimeRange> times;  // by their beginning; those that overlap or are less than 3 s apart are one
};

class TrackUses {
 public:
  /// Sends pieces, in requests of at most four (CREDIT-29), and adds the uses in them. Throws ServerError.
  void recognize(std::span<const audio::Piece> pieces, const Send& send);

  /// Returns the tracks by the beginning of their first use.
  std::vector<RecognizedTrack> tracks() const;

 private:
  void add(const boost::json::object& use, double begin_s);

  std::vector<RecognizedTrack> tracks_;
};

}  // namespace tonearm::cli
