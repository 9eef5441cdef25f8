#include "table/arguments.h"

#include <array>

#include "reflection/describe_parameters.h"
#include "table/credits_files.h"

namespace tonearm::table {
namespace {

using enum ParameterType;
using std::string_view;

constexpr std::array<string_view, 3> kWordMatches{"auto", "all", "most"};
constexpr std::array<string_view, 2> kVariants{"keep", "collapse"};
constexpr std::array<string_view, 2> kQualities{"any", "good"};
constexpr std::array<string_view, 3> kSearchCredits{"any", "optional", "requested"};
constexpr std::array<string_view, 2> kSimilarCredits{"optional", "requested"};
constexpr std::array<string_view, 8> kSorts{"shuffle", "relevance", "quality", "short",
                                            "long",    "slow",      "fast",    "newest"};

std::array<string_view, kLicenseCount> license_names() {
  std::array<string_view, kLicenseCount> names;
  for (std::size_t i = 0; i < kLicenseCount; ++i) names[i] = kLicenses[i].name_id;
  return names;
}
const std::array<string_view, kLicenseCount> kLicenseNames = license_names();

// ---- Rows that several routes share

// The names of other APIs for these parameters.
constexpr string_view kOtherNamesOfLimit = "page_size per_page count size num rows max max_results";
constexpr string_view kOtherNamesOfWords = "query search term terms text keyword keywords";

template <auto... Limit>
constexpr auto limit() {
  return parameter<Limit...>("limit", {.type = digits, .min = 1, .max = kPageSizeMax}, "Tracks on a page.", "20")
      .not_named(kOtherNamesOfLimit)
      .defaults_to("20");
}
template <auto... Cursor>
constexpr auto cursor_of() {
  return parameter<Cursor...>("cursor", {cursor}, "The cursor of the previous answer.", "20")
      .not_named("page offset skip start from next after page_token");
}
template <auto... Commercial>
constexpr auto commercial() {
  return parameter<Commercial...>("commercial", {boolean},
                                  "true keeps commercially usable tracks; false keeps only non-commercial ones.",
                                  "true")
      .not_named("license_type non_commercial nc ccnc");
}
constexpr string_view kCreditMeaning =
    "optional keeps tracks that need no credit; requested keeps tracks whose license requires credit or whose creator "
    "or source asks for it.";

template <auto... Vocals>
constexpr auto vocals() {
  return parameter<Vocals...>("vocals", {.type = choice, .values = kVocalsNames},
                              "Music that is known to be instrumental, or to have vocals.", "instrumental")
      .not_named("vocalinstrumental instrumental vocal voice");
}

template <auto... OfBounds>
constexpr auto bounds() {
  return parameters(
      parameter<OfBounds..., &Bounds::min_bpm>("min_bpm", {decimal}, "Lowest tempo, beats per minute.", "90")
          .not_named("bpm_min min_tempo tempo_min bpm_from tempo bpm"),
      parameter<OfBounds..., &Bounds::max_bpm>("max_bpm", {decimal}, "Highest tempo, beats per minute.", "120.5")
          .not_named("bpm_max max_tempo tempo_max bpm_to"),
      parameter<OfBounds..., &Bounds::min_seconds>("min_seconds", {decimal}, "Shortest duration, seconds.", "30")
          .not_named("min_duration duration_min durationbetween duration_from min_length duration_s duration length"),
      parameter<OfBounds..., &Bounds::max_seconds>("max_seconds", {decimal}, "Longest duration, seconds.", "180")
          .not_named("max_duration duration_max duration_to max_length"));
}
template <auto Fields>
constexpr auto fields_of_track() {
  return parameter<Fields>(
             "fields", {paths},
             "The fields of a track to return; dotted paths reach into tags, category, license and terms.",
             "id,title,license.id")
      .not_named("select field include_fields");
}

template <auto Id>
constexpr auto track_segment(string_view name = "id") {
  return segment<Id>(name, "Track id.", "example-1042");
}
template <auto Id>
constexpr auto collection_segment() {
  return segment<Id>("id", "Collection id.", "col_abcdefghijklmnopqrstuvwxyz");
}
template <auto Account>
constexpr auto account_segment() {
  return segment<Account>("account", "Account id.", "acc_0123456789abc");
}

// ---- GET /v1/search (docs/spec/search.md)

SearchQuery& query(SearchArguments& arguments) { return arguments.query; }
Filters& filters(SearchArguments& arguments) { return arguments.query.filters; }
template <Facet OfFacet>
std::vector<std::string>& tags_of(SearchArguments& arguments) {
  return arguments.query.tags[static_cast<std::size_t>(OfFacet)];
}

constexpr ParameterRows kSearch(
    parameter<query, &SearchQuery::q>("q", {.type = text, .max = kQueryTextMax},
                                      "Words for mood, genre, instrument, title or intended use.", "rain on a roof")
        .not_named("query search term terms text keyword keywords title name namesearch tag tags fuzzytags s"),
    parameter<query, &SearchQuery::match>(
        "match", {.type = choice, .values = kWordMatches},
        "How many words of q a track must have. auto: all; if fewer than 20 tracks have all, then also fewer, and last "
        "only related words. all: every word. most: as many as any track has, or one fewer.",
        "all")
        .not_named("operator match_mode")
        .defaults_to("auto"),
    parameter<query, &SearchQuery::kind>("kind", {.type = choice, .values = kKindNames}, "Music or sound effects.",
                                         "sfx")
        .not_named("type media media_type content_type audio_type")
        .defaults_to("music"),
    parameter<filters, &Filters::bpm_hundredths>("tempo", {tempo_range}, "Beats per minute, an inclusive range.",
                                                 "90-120")
        .not_named("bpm speed bpm_range ac_tempo")
        .for_music(),
    parameter<query, &SearchQuery::lengths>(
        "length", {.type = choices, .values = kLengthNames},
        "Any of these lengths. Music: xs under 30 s, s 30 s to 2 min, m 2 to 5 min, l over 5 min. Sound effects: xs "
        "under 2 s, s 2 to 10 s, m 10 to 30 s, l over 30 s.",
        "s,m")
        .not_named("duration durations"),
    parameter<query, &SearchQuery::energies>("energy", {.type = choices, .values = kEnergyNames},
                                             "Any of these energies.", "calm,steady")
        .not_named("intensity arousal")
        .for_music(),
    parameter<query, &SearchQuery::tones>("tone", {.type = choices, .values = kToneNames}, "Any of these tones.",
                                          "warm")
        .not_named("timbre brightness"),
    vocals<filters, &Filters::vocals>().for_music(),
    parameter<filters, &Filters::loops_only>("loops", {boolean_01}, "true keeps only tracks marked as loops.", "true")
        .not_named("looping loopable is_loop ac_loop loops_only"),
    parameter<query, &SearchQuery::good_quality>("quality", {.type = choice, .values = kQualities},
                                                 "good hides lower-quality recordings.", "good")
        .defaults_to("any"),
    parameter<tags_of<Facet::genre>>("genre", {tags}, "Any of these genres.", "ambient,hip-hop")
        .not_named("genres style styles")
        .for_music(),
    parameter<tags_of<Facet::mood>>("mood", {tags}, "Any of these moods.", "calming")
        .not_named("moods feeling emotion vibe")
        .for_music(),
    parameter<tags_of<Facet::use>>("use", {tags}, "Any of these intended uses.", "background")
        .not_named("uses usage purpose theme use_case"),
    parameter<tags_of<Facet::instrument>>("instrument", {tags}, "Any of these instruments.", "piano")
        .not_named("instruments instrumentation")
        .for_music(),
    parameter<tags_of<Facet::sfx>>("sfx", {tags}, "Any of these types of sound effect.", "rain")
        .not_named("sound sounds effect sound_effect sound_type")
        .for_sfx(),
    parameter<query, &SearchQuery::categories>(
        "category", {tags},
        "Any of these categories or groups of the Broad Sound Taxonomy. Speech is only found if this selects it.",
        "fx-n")
        .not_named("categories group taxonomy bst_category")
        .for_sfx(),
    parameter<filters, &Filters::credit>("credit", {.type = choice, .values = kSearchCredits}, kCreditMeaning,
                                         "optional")
        .not_named("attribution credits")
        .defaults_to("any"),
    parameter<query, &SearchQuery::licenses>("license",
                                             {.type = choices, .values = kLicenseNames, .hints = Hints::same_letters},
                                             "Any of these licenses.", "cc0,cc-by-4.0")
        .not_named("licenses licence licences cc rights"),
    commercial<filters, &Filters::commercial>(),
    parameter<query, &SearchQuery::share_alike>(
        "share_alike", {boolean}, "false keeps tracks with no share-alike condition; true keeps only share-alike ones.",
        "false")
        .not_named("sa ccsa"),
    parameter<query, &SearchQuery::creator>("creator", {.type = text, .min = 1, .max = kCreatorMax},
                                            "The whole artist name, in any case.", "Ada Example")
        .not_named("artist artists artist_name author user username creators uploader"),
    parameter<query, &SearchQuery::sources>("source", {domains}, "Any of these domains.", "example.org")
        .not_named("sources provider providers site domain"),
    parameter<query, &SearchQuery::sort>("sort", {.type = choice, .values = kSorts},
                                         "Order of the results. The default is relevance with q, else shuffle: a fixed "
                                         "order. newest is by date of publication.",
                                         "quality")
        .not_named("order order_by sort_by orderby ordering"),
    parameter<query, &SearchQuery::seed>("seed", {seed},
                                         "Picks another fixed shuffle; only where the sort in force is shuffle.",
                                         "monday")
        .not_named("random random_seed"),
    parameter<query, &SearchQuery::excluded>(
        "exclude", {.type = words, .min = 1, .max = kExcludeMax},
        "Words and phrases. A track that has all words of any of them is not found.", "vocals,christmas bells")
        .not_named("exclude_words without not exclude_q minus"),
    parameter<query, &SearchQuery::excluded_sources>("exclude_source", {domains}, "None of these domains.",
                                                     "example.org")
        .not_named("excluded_source excluded_sources exclude_provider"),
    parameter<query, &SearchQuery::excluded_tags>("exclude_tags", {tags}, "None of these tags, in any facet.",
                                                  "vocals,christmas")
        .not_named("exclude_tag exclude_genre exclude_mood"),
    parameter<query, &SearchQuery::playable_only>("playable", {boolean},
                                                  "true keeps only tracks with a preview or an original to play.",
                                                  "true")
        .not_named("has_audio has_preview filter_dead"),
    parameter<query, &SearchQuery::variants>("variants", {.type = choice, .values = kVariants},
                                             "collapse shows only the best of tracks that are variants of one another: "
                                             "Rain 01 and Rain 02 of one artist, or "
                                             "the same recording twice. Then total counts what is shown.",
                                             "collapse")
        .not_named("group_by_pack collapse dedupe deduplicate")
        .defaults_to("keep"),
    bounds<&SearchArguments::bounds>(), limit<query, &SearchQuery::limit>(), cursor_of<query, &SearchQuery::offset>(),
    fields_of_track<&SearchArguments::fields>(),
    parameter<&SearchArguments::facets>(
        "facets", {.type = choices, .values = kCountedFacetNames},
        "Counts the matches that have each value of these filters; a filter that is counted does not narrow its own "
        "counts.",
        "genre,license")
        .not_named("facet aggs aggregations counts"));

// ---- GET /v1/meta (META-3)

constexpr ParameterRows kMeta(parameter<&MetaArguments::limit>("limit",
                                                               {.type = digits, .min = 1, .max = kMetaLimitMax},
                                                               "How many creators to list at most.", "50")
                                  .not_named("page_size per_page count size")
                                  .defaults_to("50"),
                              parameter<&MetaArguments::q>("q", {.type = text, .max = kMetaTextMax},
                                                           "Keeps creators whose name contains it, in any case.", "ada")
                                  .not_named("query search term text creator name artist"));

// ---- GET /v1/complete (docs/spec/complete.md)

constexpr ParameterRows kComplete(
    parameter<&CompleteArguments::q>("q", {.type = text, .max = kQueryTextMax}, "What a person has typed so far.",
                                     "pian")
        .not_named(kOtherNamesOfWords),
    parameter<&CompleteArguments::kind>("kind", {.type = choice, .values = kKindNames}, "Music or sound effects.",
                                        "sfx")
        .defaults_to("music"),
    parameter<&CompleteArguments::limit>("limit", {.type = digits, .min = 1, .max = kCompletionsMax},
                                         "How many completions to return at most.", "8")
        .not_named(kOtherNamesOfLimit)
        .defaults_to("8"));

// ---- Tracks similar to a track (SIMILAR-2) or to a collection (SIMILAR-6)

template <auto Filters>
constexpr auto bounds_and_commercial() {
  return parameters(bounds<Filters, &NeighborFilters::bounds>(), commercial<Filters, &NeighborFilters::commercial>());
}
template <auto Filters>
constexpr auto credit() {
  return parameter<Filters, &NeighborFilters::credit>("credit", {.type = choice, .values = kSimilarCredits},
                                                      kCreditMeaning, "optional")
      .not_named("attribution credits");
}
template <auto Filters>
constexpr auto loops_only() {
  return parameter<Filters, &NeighborFilters::loops_only>("loops_only", {boolean},
                                                          "true keeps only tracks marked as loops.", "true")
      .not_named("loops loop looping ac_loop");
}

constexpr ParameterRows kTrack(track_segment<&TrackArguments::id>());

constexpr ParameterRows kTracks(
    parameter<&TracksArguments::ids>("ids", {.type = ids, .min = 1, .max = kTracksAtOnceMax},
                                     "The tracks to get; one that is named twice is answered once.",
                                     "example-1,example-7")
        .not_named("id track track_id track_ids tracks")
        .required(),
    fields_of_track<&TracksArguments::fields>());

constexpr ParameterRows kSimilar(track_segment<&SimilarArguments::id>(), limit<&SimilarArguments::limit>(),
                                 cursor_of<&SimilarArguments::cursor>(),
                                 bounds_and_commercial<&SimilarArguments::filters>(),
                                 credit<&SimilarArguments::filters>(), loops_only<&SimilarArguments::filters>(),
                                 vocals<&SimilarArguments::filters, &NeighborFilters::vocals>());

constexpr ParameterRows kCollectionSimilar(
    collection_segment<&CollectionSimilarArguments::id>(),
    parameter<&CollectionSimilarArguments::seeds>(
        "seeds", {.type = ids, .min = 1, .max = kSimilarSeedsMax},
        "Members whose neighbors are merged; one that is named twice counts once. The default is the first ten items.",
        "example-1,example-7")
        .not_named("seed tracks track_ids ids"),
    parameter<&CollectionSimilarArguments::include_members>("include_members", {boolean},
                                                            "true lists members of the collection too.", "true")
        .not_named("members include_items")
        .defaults_to("false"),
    limit<&CollectionSimilarArguments::limit>(), cursor_of<&CollectionSimilarArguments::cursor>(),
    bounds_and_commercial<&CollectionSimilarArguments::filters>(), loops_only<&CollectionSimilarArguments::filters>(),
    credit<&CollectionSimilarArguments::filters>(),
    vocals<&CollectionSimilarArguments::filters, &NeighborFilters::vocals>());

// ---- Collections (docs/spec/collections.md)

constexpr ParameterRows kCollection(collection_segment<&CollectionArguments::id>());

/// COLLECTION-13: the revision, which other writes have in their bodies.
template <auto Revision>
constexpr auto revision() {
  return parameter<Revision>("revision", {.type = digits, .min = 1, .max = kRevisionMax},
                             "The revision that the deletion is meant for: another one is refused.", "3")
      .not_named("version rev etag");
}

constexpr ParameterRows kCollectionDelete(
    collection_segment<&CollectionDeleteArguments::id>(),
    parameter<&CollectionDeleteArguments::confirm>("confirm", {boolean},
                                                   "true confirms that the collection is to be deleted for good; so "
                                                   "does the header X-Confirm: true.",
                                                   "true")
        .not_named("confirmed force yes")
        .or_header(kConfirmHeader),
    revision<&CollectionDeleteArguments::revision>());

constexpr ParameterRows kItem(collection_segment<&ItemArguments::id>(),
                              track_segment<&ItemArguments::track_id>("trackId"));
constexpr ParameterRows kItemDelete(collection_segment<&ItemDeleteArguments::id>(),
                                    track_segment<&ItemDeleteArguments::track_id>("trackId"),
                                    revision<&ItemDeleteArguments::revision>());

constexpr ParameterRows kCredits(
    collection_segment<&CreditsArguments::id>(),
    parameter<&CreditsArguments::format>("format", {.type = choice, .values = kCreditsFormats},
                                         "How the credits are written.", "text")
        .not_named("type as output file_format")
        .defaults_to("json"),
    parameter<&CreditsArguments::heading>("heading", {.type = line, .min = 1, .max = kHeadingMax},
                                          "Stands instead of the first heading, in formats that have headings.",
                                          "Music in this film")
        .not_named("title header"));

constexpr ParameterRows kLicenseChanges(
    parameter<&LicenseChangesArguments::limit>("limit", {.type = digits, .min = 1, .max = kLicenseChangesMax},
                                               "Changes on a page.", "50")
        .not_named("page_size per_page count size")
        .defaults_to("50"),
    cursor_of<&LicenseChangesArguments::cursor>());

// ---- GET /v1/changes (docs/spec/changes.md)

constexpr ParameterRows kChanges(
    parameter<&ChangesArguments::since>("since", {.type = text, .min = 1, .max = kVersionTextMax},
                                        "The version of the catalog that you know, from Tonearm-Catalog or an earlier "
                                        "answer.",
                                        "0123456789abcdef")
        .not_named("version from after catalog_version since_version")
        .required(),
    parameter<&ChangesArguments::limit>("limit", {.type = digits, .min = 1, .max = kChangesMax}, "Changes on a page.",
                                        "100")
        .not_named(kOtherNamesOfLimit)
        .defaults_to("100"),
    cursor_of<&ChangesArguments::cursor>());

// ---- The admin interface (docs/spec/admin.md)

constexpr ParameterRows kAccount(account_segment<&AccountArguments::account>());
constexpr ParameterRows kAccounts(
    parameter<&AccountsArguments::limit>("limit", {.type = digits, .min = 1, .max = kAccountsMax},
                                         "How many accounts to list, the oldest first.", "100")
        .defaults_to("1000"),
    parameter<&AccountsArguments::cursor>("cursor", {.type = text, .min = 1, .max = kCursorTextMax},
                                          "The cursor of the previous answer.", "1768478400000-acc_0123456789abc"));
constexpr ParameterRows kKey(segment<&KeyArguments::key_id>("key_id", "Key id.", "key_0123456789abcdefghijk"));
constexpr ParameterRows kTakeDown(track_segment<&TakeDownArguments::track_id>("track_id"));
constexpr ParameterRows kTakeDowns(
    parameter<&TakeDownsArguments::limit>("limit", {.type = digits, .min = 1, .max = kTakeDownsPageMax},
                                          "How many take-downs to list, by track id.", "100")
        .defaults_to("1000"),
    parameter<&TakeDownsArguments::cursor>("cursor", {.type = text, .min = 1, .max = kTrackIdMax},
                                           "The cursor of the previous answer.", "example-1042"));
constexpr ParameterRows kCalls(account_segment<&CallsArguments::account>(),
                               parameter<&CallsArguments::limit>("limit", {.type = digits, .min = 1, .max = kCallsMax},
                                                                 "How many records to list, the latest first.", "100")
                                   .defaults_to("100"));

// ---- Exports (docs/spec/moving.md)

template <auto Cursor>
constexpr auto id_cursor() {
  return parameter<Cursor>("cursor", {.type = seed}, "The cursor of the previous answer.",
                           "col_0123456789abcdefghijklmnop");
}
constexpr ParameterRows kExport(account_segment<&ExportArguments::account>(), id_cursor<&ExportArguments::cursor>());
constexpr ParameterRows kOwnExport(id_cursor<&OwnExportArguments::cursor>());

}  // namespace

const Parameters<SearchArguments> kSearchParameters = parameters_of(kSearch);
const Parameters<MetaArguments> kMetaParameters = parameters_of(kMeta);
const Parameters<CompleteArguments> kCompleteParameters = parameters_of(kComplete);
const Parameters<TrackArguments> kTrackParameters = parameters_of(kTrack);
const Parameters<TracksArguments> kTracksParameters = parameters_of(kTracks);
const Parameters<SimilarArguments> kSimilarParameters = parameters_of(kSimilar);
const Parameters<CollectionArguments> kCollectionParameters = parameters_of(kCollection);
const Parameters<CollectionDeleteArguments> kCollectionDeleteParameters = parameters_of(kCollectionDelete);
const Parameters<ItemArguments> kItemParameters = parameters_of(kItem);
const Parameters<ItemDeleteArguments> kItemDeleteParameters = parameters_of(kItemDelete);
const Parameters<CreditsArguments> kCreditsParameters = parameters_of(kCredits);
const Parameters<LicenseChangesArguments> kLicenseChangesParameters = parameters_of(kLicenseChanges);
const Parameters<ChangesArguments> kChangesParameters = parameters_of(kChanges);
const Parameters<CollectionSimilarArguments> kCollectionSimilarParameters = parameters_of(kCollectionSimilar);
const Parameters<AccountArguments> kAccountParameters = parameters_of(kAccount);
const Parameters<AccountsArguments> kAccountsParameters = parameters_of(kAccounts);
const Parameters<KeyArguments> kKeyParameters = parameters_of(kKey);
const Parameters<TakeDownArguments> kTakeDownParameters = parameters_of(kTakeDown);
const Parameters<TakeDownsArguments> kTakeDownsParameters = parameters_of(kTakeDowns);
const Parameters<CallsArguments> kCallsParameters = parameters_of(kCalls);
const Parameters<ExportArguments> kExportParameters = parameters_of(kExport);
const Parameters<OwnExportArguments> kOwnExportParameters = parameters_of(kOwnExport);

}  // namespace tonearm::table
