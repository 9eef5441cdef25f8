#include "films/track_uses.h"

#include <algorithm>
#include <cmath>

#include "fingerprint/pieces.h"
#include "output/json_values.h"

namespace tonearm::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kPiecesMax = 4;
constexpr double kGapSeconds = 3;
constexpr double kPieceSecondsMax = 3'600;

std::string body_of_pieces(std::span<const audio::Piece> pieces) {
  json::array list;
  list.reserve(pieces.size());
  for (const auto& piece : pieces) list.push_back(json::object{{"fingerprint", piece.fingerprint}});
  return json::serialize(json::object{{"pieces", std::move(list)}});
}

/// Returns seconds within a piece. Throws ServerError.
double seconds_at(const json::object& use, std::string_view name) {
  const auto* const value = find(use, {name});
  json::error_code error;
  const double seconds = value == nullptr || !value->is_number() ? -1 : value->to_number<double>(error);
  if (!(seconds >= 0 && seconds <= kPieceSecondsMax)) throw ServerError("the server's answer has an invalid time");
  return seconds;
}

}  // namespace

void TrackUses::recognize(std::span<const audio::Piece> pieces, const Send& send) {
  while (!pieces.empty()) {
    const auto some = pieces.first(std::min(pieces.size(), kPiecesMax));
    pieces = pieces.subspan(some.size());
    const auto answer = send({"POST", "/v1/credits/recognize", body_of_pieces(some)});
    if (!answer.is_success()) throw ServerError(error_message(answer));
    const auto read = read_answer(answer.body);
    const auto found = objects_at(read, {"pieces"});
    if (found.size() != some.size()) throw ServerError("the server did not answer for every piece");
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto* const uses = find(*found[i], {"uses"});
      if (uses == nullptr || !uses->is_array()) throw ServerError("the server's answer has a piece without uses");
      for (const auto* const use : objects_at(*found[i], {"uses"})) add(*use, some[i].begin_s);
    }
  }
}

void TrackUses::add(const json::object& use, double begin_s) {
  const auto* const track = find(use, {"track"});
  if (track == nullptr || !track->is_object()) throw ServerError("the server's answer has a use without a track");
  const auto id = text_at(track->get_object(), {"id"});
  const auto score = number_at(use, {"score"});
  const TimeRange time{begin_s + seconds_at(use, "begin_s"), begin_s + seconds_at(use, "end_s")};
  if (time.is_empty()) throw ServerError("the server's answer has an invalid time");
  auto known =
      std::ranges::find(tracks_, id, [](const RecognizedTrack& other) { return text_at(other.track, {"id"}); });
  if (known == tracks_.end()) known = tracks_.insert(tracks_.end(), {track->get_object(), score, {}});
  known->score = std::max(known->score, score);
  known->times.push_back(time);
}

std::vector<RecognizedTrack> TrackUses::tracks() const {
  auto tracks = tracks_;
  for (auto& track : tracks) track.times = joined_ranges(std::move(track.times), kGapSeconds);
  std::ranges::stable_sort(tracks, {}, [](const RecognizedTrack& track) { return track.times.front().begin_s; });
  return tracks;
}

}  // namespace tonearm::cli
