// POST /v1/credits/recognize (CREDIT-29).

#include <cmath>

#include "api/resources/handlers.h"
#include "domain/file_match.h"
#include "domain/fingerprint.h"
#include "table/file_match_answers.h"

namespace tonearm::api {
namespace {

/// A value describes about this much sound after its beginning. At the ends of a use a value agrees if half of it does.
constexpr double kValueSoundSeconds = 2.4;

/// Rounds to tenths of a second.
std::uint64_t milliseconds(double seconds) { return static_cast<std::uint64_t>(std::llround(seconds * 10)) * 100; }

/// Every second value is compared, so a use from the beginning of a piece begins at value 0 or 1.
double begin_s(const HeardTrack& track) {
  const double begin = track.begin * kFingerprintValueSeconds;
  return track.begin < 2 || track.begins_track ? begin : begin + kValueSoundSeconds / 2;
}

/// `values`: of the piece.
double end_s(const HeardTrack& track, std::size_t values) {
  return track.end * kFingerprintValueSeconds +
         (track.end + 2 > values || track.ends_track ? kValueSoundSeconds : kValueSoundSeconds / 2);
}

}  // namespace

Answer answer_credits_recognize(Call& call, const table::PiecesBody& body) {
  std::vector<std::vector<std::uint32_t>> pieces;
  pieces.reserve(body.pieces.size());
  for (const auto& piece : body.pieces) {
    pieces.push_back(read_fingerprint(piece.fingerprint).value_or(std::vector<std::uint32_t>()));
  }
  const auto heard = call.catalog->look_up_mixes(pieces);
  table::RecognizedPiecesView view;
  std::uint32_t uses = 0;
  for (std::size_t i = 0; i < heard.size(); ++i) {
    auto& piece = view.pieces.emplace_back();
    for (const HeardTrack& track : heard[i]) {
      piece.uses.push_back({track.found.track.json, milliseconds(begin_s(track)),
                            milliseconds(end_s(track, pieces[i].size())),
                            track.is_ambiguous ? scores::kHeardAmbiguously : scores::kHeard});
    }
    uses += static_cast<std::uint32_t>(heard[i].size());
  }
  call.result_count = uses;
  return json_response(200, table::kRecognizedPiecesType, view);
}

}  // namespace tonearm::api
