#include "table/file_match_answers.h"

#include "reflection/describe.h"
#include "reflection/track_type.h"

namespace tonearm::table {
namespace {

std::string_view found_by_name(FoundBy found_by) { return kFoundByNames[static_cast<std::size_t>(found_by)]; }

constexpr Object kFileMatch(
    "FileMatch", "Which track a file most likely is.",
    field<&FileMatchView::name>("name", "The file's name, as it was sent.", R"("morning-rain.wav")"),
    field<&FileMatchView::track>("track", rendered(kTrackType), "The track; null where nothing says which one it is."),
    field<&FileMatchView::found_by, found_by_name>("found_by", "The evidence; null where there is none.", R"("title")")
        .one_of(kFoundByNames),
    field<&FileMatchView::score>("score", "How sure it is, from 0 (no track) to 100.", "80"));

constexpr Object kFileMatches(
    "FileMatches", "Which tracks files are, and the credits of those.",
    field<&FileMatchesView::files>("files", kFileMatch, "The files, in the order sent."),
    field<&FileMatchesView::credits>("credits", "The credits of the tracks that were found, as text; empty: none.",
                                     R"("Credit required\n...")")
        .untrusted());

Decimal seconds(std::uint64_t ms) { return {static_cast<std::int64_t>(ms), 3}; }

constexpr Object kTrackUse(
    "TrackUse", "A track that is heard in a piece, and when.",
    field<&TrackUseView::track>("track", rendered(kTrackType), "The track."),
    field<&TrackUseView::begin_ms, seconds>("begin_s", "When it begins, in seconds from the beginning of the piece.",
                                            "12.4"),
    field<&TrackUseView::end_ms, seconds>("end_s", "When it ends, in seconds from the beginning of the piece.", "48.1"),
    field<&TrackUseView::score>("score", "How sure it is, from 1 to 100.", "90"));

constexpr Object kRecognizedPiece("RecognizedPiece", "The tracks that are heard in a piece of a mix.",
                                  field<&RecognizedPieceView::uses>("uses", kTrackUse, "The uses, by begin_s."));

constexpr Object kRecognizedPieces("RecognizedPieces", "The tracks that are heard in pieces of a mix.",
                                   field<&RecognizedPiecesView::pieces>("pieces", kRecognizedPiece,
                                                                        "The pieces, in the order sent."));

}  // namespace

const Type<FileMatchesView> kFileMatchesType = type_of(kFileMatches);
const Type<RecognizedPiecesView> kRecognizedPiecesType = type_of(kRecognizedPieces);

}  // namespace tonearm::table
