// POST /v1/credits/recognize (CREDIT-29).

#include <algorithm>
#include <cmath>

#include "api/resources/handlers.h"
#include "domain/file_match.h"
#include "domain/fingerprint.h"
#include "table/file_match_answers.h"

namespace tonearm::api {
namespace {

/// A value describes about this much sound after its beginning; at either end of a use a value still agrees if half of
/// it does.
constexpr double kValueSoundSeconds = 2.4;

std::uint32_t score_of(Hearing hearing) {
  switch (hearing) {
    case Hearing::clear:
      return scores::kHeardClearly;
    case Hearing::faint:
      return scores::kHeardFaintly;
    case Hearing::ambiguous:
      break;
  }
  return scores::kHeardAmbiguously;
}

/// Rounds to tenths of a second.
std::uint64_t milliseconds(double seconds) { return static_cast<std::uint64_t>(std::llround(seconds * 10)) * 100; }

}  // namespace

Answer answer_credits_recognize(Call& call, const table::PiecesBody& body) {
  std::vector<std::vector<std::uint32_t>> pieces;
  pieces.reserve(body.pieces.size());
  for (const auto& piece : body.pieces)
    pieces.push_back(read_fingerprint(piece.fingerprint).value_or(std::vector<std::uint32_t>()));
  const auto heard = call.catalog->look_up_mixes(pieces);
  table::RecognizedPiecesView view;
  std::uint32_t uses = 0;
  for (const auto& tracks : heard) {
    auto& piece = view.pieces.emplace_back();
    for (const HeardTrack& track : tracks) {
      piece.uses.push_back({track.found.track.json, milliseconds(track.begin * kFingerprintValueSeconds),
                            milliseconds(track.end * kFingerprintValueSeconds + kValueSoundSeconds),
                            score_of(track.hearing)});
    }
    uses += static_cast<std::uint32_t>(tracks.size());
  }
  call.result_count = uses;
  return json_response(200, table::kRecognizedPiecesType, view);
}

}  // namespace tonearm::api
