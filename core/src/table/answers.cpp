#include "table/answers.h"

#include <array>

#include "reflection/describe.h"
#include "reflection/track_type.h"

namespace tonearm::table {
namespace {

std::string text_of(std::uint64_t number) { return std::to_string(number); }

// ---- Errors (ERROR-1, ERROR-5)

constexpr auto kErrorNames = [] {
  std::array<std::string_view, kErrorTable.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kErrorTable[i].name;
  return names;
}();

constexpr Object kError(
    "Error", "What is wrong.",
    field(
        "error", [](const ErrorView& it) { return error_row(it.error.code).name; },
        "A short code. docs/concepts/errors.md has a section for each, with the code as its anchor: what it means, and "
        "what "
        "to do next.",
        R"("invalid_parameter")")
        .one_of(kErrorNames),
    field(
        "message", [](const ErrorView& it) -> std::string_view { return it.error.message; },
        "What is wrong, in plain words.", R"("limit must be a whole number from 1 to 50; got \"0\".")"),
    field(
        "parameter",
        [](const ErrorView& it) {
          const std::string& name = it.error.parameter;
          return name.empty() ? std::nullopt : std::optional<std::string_view>(name);
        },
        "The parameter or body field at fault, as the request names it: the first that the message names.",
        R"("limit")")
        .omitted_if_absent(),
    field<&ErrorView::limit, window_name>("limit", "With status 429: the limit that was hit.", R"("minute")")
        .one_of(kWindowNames)
        .omitted_if_absent(),
    field(
        "reset_at", [](const ErrorView& it) { return it.limit ? std::optional(rfc3339(it.resets_ms)) : std::nullopt; },
        "With status 429: when that limit resets (UTC).", R"("2026-01-15T12:01:00Z")")
        .omitted_if_absent());

// ---- Pages of tracks

constexpr Object kSuggestion("Suggestion", "One concrete relaxation of a search that found nothing, or not all words.",
                             field<&Suggestion::message>("message", "What to change, in plain words.",
                                                         R"("Without tempo: 12 tracks.")"),
                             field<&Suggestion::parameters>("parameters", "A complete set of search parameters.",
                                                            R"({"q":"rain"})"),
                             field<&Suggestion::total>("total", "How many tracks that search finds.", "12"));

const std::vector<std::string_view>& tracks(const PageView& page) { return page.tracks; }
constexpr std::string_view kTracksMeaning = "The tracks of this page, best match first.";

constexpr auto kPageFields =
    fields(field<&PageView::total>("total", "Number of all matches over every page.", "42"),
           field<&PageView::cursor, text_of>(
               "cursor", "Send it with the same parameters for the next page; null on the last one.", R"("20")"));

constexpr Object kHeld("Held", "Tracks with equally many words of a search.",
                       field<&Page::TierTotal::words>("words",
                                                      "How many of the words they contain; 0: only related words.",
                                                      "2"),
                       field<&Page::TierTotal::total>("total", "How many tracks hold so many, over every page.", "12"));

constexpr Object kValueCount(
    "ValueCount", "A value of a filter, and how many matches have it.",
    field<&ValueCount::id>("id", "The value, as the filter takes it.", R"("hip-hop")").untrusted(),
    field<&ValueCount::label>("label", "Human words.", R"("Hip-Hop")").untrusted(),
    field<&ValueCount::count>("count", "How many matches have it, over every page.", "12"));

template <CountedFacet OfFacet>
const std::vector<ValueCount>* counts_of(const FacetCounts& counts) {
  const auto& values = counts.of[static_cast<std::size_t>(OfFacet)];
  return values ? &*values : nullptr;
}
template <CountedFacet OfFacet>
constexpr auto counted(std::string_view description) {
  return field<counts_of<OfFacet>>(kCountedFacetNames[static_cast<std::size_t>(OfFacet)], kValueCount, description)
      .omitted_if_absent();
}

constexpr Object kFacetCounts("FacetCounts",
                              "The values of the facets asked for, most matches first: at most 50 of each.",
                              counted<CountedFacet::genre>("Genres."), counted<CountedFacet::mood>("Moods."),
                              counted<CountedFacet::use>("Intended uses."),
                              counted<CountedFacet::instrument>("Instruments."),
                              counted<CountedFacet::sfx>("Types of sound effect."),
                              counted<CountedFacet::category>("Categories of the Broad Sound Taxonomy."),
                              counted<CountedFacet::energy>("Energies."), counted<CountedFacet::tone>("Tones."),
                              counted<CountedFacet::license>("Licenses."), counted<CountedFacet::source>("Domains."),
                              counted<CountedFacet::creator>("Artists."));

constexpr Object kSearchPage(
    "SearchPage", "A page of search results.",  //
    field<tracks>("tracks", rendered(kFoundTrackType), kTracksMeaning), kPageFields,
    field<&PageView::matched>("matched", kHeld,
                              "Unless match=all, and with words in q: how many tracks contain how many of them, the "
                              "most words first.")
        .omitted_if_absent(),
    field<&PageView::words>("words", "With matched: how many words of q count, at most 16; with match=most, 8.", "3")
        .omitted_if_absent(),
    field<&PageView::facets>("facets", kFacetCounts,
                             "Only with facets: how many matches have which values. A facet is counted as if its own "
                             "parameter were not given.")
        .omitted_if_absent(),
    field<&PageView::suggestions>("suggestions", kSuggestion,
                                  "Only where total is 0, no track contains all words that count, or q has an unwanted "
                                  "word (no W, without W): up to three searches that find something.")
        .omitted_if_absent());

constexpr Object kSimilarPage("SimilarPage", "A page of neighbors, closest first.",
                              field<tracks>("tracks", rendered(kTrackType), kTracksMeaning), kPageFields);

constexpr Object kTracks("Tracks", "Tracks by their ids.",
                         field<&TracksView::tracks>("tracks", rendered(kTrackPartType),
                                                    "The tracks that there are, in the order asked for."),
                         field<&TracksView::missing>("missing", "Ids that no track has.", R"(["example-9"])"));

// ---- What the catalog has (META-1)

constexpr Object kFilterValue("FilterValue", "A value that a filter takes.",
                              field<&LabeledValue::id>("id", "Id, as filters take it.", R"("hip-hop")"),
                              field<&LabeledValue::label>("label", "Human words.", R"("Hip-Hop")").untrusted());

const CatalogValues& values(const MetaView& view) { return view.values; }
template <Kind OfKind, Facet OfFacet>
const std::vector<LabeledValue>& tags(const MetaView& view) {
  return view.values.tags[static_cast<std::size_t>(OfKind)][static_cast<std::size_t>(OfFacet)];
}

std::string capitalized(std::string_view word) {
  std::string label(word);
  label[0] = static_cast<char>(label[0] - 'a' + 'A');
  return label;
}
template <class Enum, std::size_t Size>
std::vector<LabeledValue> labelled(const std::vector<Enum>& values, const std::array<std::string_view, Size>& names) {
  std::vector<LabeledValue> rows;
  for (const Enum value : values) {
    const std::string_view name = names[static_cast<std::size_t>(value)];
    rows.push_back({std::string(name), capitalized(name)});
  }
  return rows;
}

constexpr Object kMusicFacets(
    "MusicFacets", "Filter values of music.", field<tags<Kind::music, Facet::genre>>("genre", kFilterValue, "Genres."),
    field<tags<Kind::music, Facet::mood>>("mood", kFilterValue, "Moods."),
    field<tags<Kind::music, Facet::use>>("use", kFilterValue, "Intended uses."),
    field<tags<Kind::music, Facet::instrument>>("instrument", kFilterValue, "Instruments."),
    field(
        "energy", kFilterValue, [](const MetaView& it) { return labelled(it.values.energies, kEnergyNames); },
        "Energies."),
    field(
        "tone", kFilterValue, [](const MetaView& it) { return labelled(it.values.tones, kToneNames); }, "Tones."));

constexpr Object kCategoryValue(
    "CategoryValue", "A category of the Broad Sound Taxonomy.", field<&Category::id>("id", "Category id.", R"("fx-n")"),
    field<&Category::label>("label", "Human words.", R"("Natural elements and explosions")"),
    field<&Category::top_id>("top_id", "Group id.", R"("sound-effects")"),
    field<&Category::top_label>("top_label", "Human words of the group.", R"("Sound effects")"));

std::vector<const Category*> categories(const MetaView& view) {
  std::vector<const Category*> rows;
  for (const std::uint8_t index : view.values.categories) rows.push_back(&kCategories[index]);
  return rows;
}
std::vector<LabeledValue> category_groups(const MetaView& view) {
  std::vector<LabeledValue> groups;
  for (const Category* it : categories(view)) {
    if (!groups.empty() && groups.back().id == it->top_id) continue;
    groups.push_back({std::string(it->top_id), std::string(it->top_label)});
  }
  return groups;
}

constexpr Object kCategoryValues("Categories", "The Broad Sound Taxonomy, as far as the catalog has it.",
                                 field<category_groups>("groups", kFilterValue,
                                                        "Groups that the catalog has sounds in."),
                                 field<categories>("values", kCategoryValue,
                                                   "Categories that the catalog has sounds in."));

constexpr Object kSfxFacets("SfxFacets", "Filter values of sound effects.",
                            field<tags<Kind::sfx, Facet::use>>("use", kFilterValue, "Intended uses."),
                            field<tags<Kind::sfx, Facet::sfx>>("sfx", kFilterValue, "Types of sound effect."),
                            field<same_struct<MetaView>>("categories", kCategoryValues,
                                                         "Categories and their groups."));

constexpr Object kFacets("Facets", "Filter values by kind.",
                         field<same_struct<MetaView>>("music", kMusicFacets, "Of music."),
                         field<same_struct<MetaView>>("sfx", kSfxFacets, "Of sound effects."));

constexpr Object kLicenseTerms(
    "LicenseTerms", "Terms of a license.",
    field<&License::commercial>("commercial", "Whether commercial use is allowed.", "true"),
    field<&License::credit_required, credit_name>("credit", "none or required.", R"("required")").one_of(kCreditNames),
    field<&License::share_alike>("share_alike", "Whether adaptations must be shared alike.", "false"));

constexpr Object kLicenseValue("LicenseValue", "A license that the catalog has tracks under.",
                               field<&License::name_id>("id", "License id.", R"("cc-by-4.0")"),
                               field<&License::name>("name", "Its name.", R"("CC BY 4.0")"),
                               field<same_struct<License>>("terms", kLicenseTerms, "Its terms."));

std::vector<const License*> licenses(const MetaView& view) {
  std::vector<const License*> rows;
  for (const LicenseId id : view.values.licenses) rows.push_back(&license(id));
  return rows;
}
const std::vector<CreatorCount>& creators(const MetaView& view) { return view.creators; }

constexpr Object kSource("Source", "A source of tracks.",
                         field<&SourceCount::id>("id", "The source's domain.", R"("example.org")"),
                         field<&SourceCount::name>("name", "Its name.", R"("Example")"),
                         field<&SourceCount::track_count>("track_count", "Tracks from it.", "1200"));

constexpr Object kCreator("Creator", "An artist with tracks in the catalog.",
                          field<&CreatorCount::name>("name", "Artist name.", R"("Ada Example")").untrusted(),
                          field<&CreatorCount::track_count>("track_count", "Tracks by it.", "12"));

constexpr Object kMeta("Meta", "What the catalog has.",  //
                       field<same_struct<MetaView>>("facets", kFacets, "Values of the filters."),
                       field<licenses>("licenses", kLicenseValue, "Licenses that the catalog has tracks under."),
                       field<values, &CatalogValues::sources>("sources", kSource, "Sources, the largest first."),
                       field<creators>("creators", kCreator,
                                       "Creators, those with the most tracks first; bounded by limit."));

// ---- What completes a text (COMPLETE-1)

std::string_view field_name(CompletionField field) { return kCompletionFieldNames.at(static_cast<std::size_t>(field)); }
std::optional<bool> corrected(const Completion& it) { return it.is_corrected ? std::optional(true) : std::nullopt; }

constexpr Object kCompletion(
    "Completion", "A text that completes what was typed.",
    field<&Completion::text>("text", "The text.", R"("Piano")").untrusted(),
    field<&Completion::field, field_name>("field", "What it is a text of; words: a frequent word, or several words.",
                                          R"("tag")")
        .one_of(kCompletionFieldNames),
    field<&Completion::total>("total", "How many tracks a search for it finds with match=all.", "741"),
    field<corrected>("corrected", "true if the words that were typed have another spelling.", "true")
        .omitted_if_absent());

constexpr Object kCompletions("Completions", "Texts that complete what was typed.",
                              field<&CompletionsView::completions>("completions", kCompletion,
                                                                   "The completions, the best first."));

constexpr Object kState("State", "State of the process.", field<&StateView::status>("status", "ok.", R"("ok")"));

}  // namespace

const Type<ErrorView> kErrorType = type_of(kError);
const Type<PageView> kSearchPageType = type_of(kSearchPage);
const Type<PageView> kSimilarPageType = type_of(kSimilarPage);
const Type<TracksView> kTracksType = type_of(kTracks);
const Type<MetaView> kMetaType = type_of(kMeta);
const Type<CompletionsView> kCompletionsType = type_of(kCompletions);
const Type<StateView> kStateType = type_of(kState);

}  // namespace tonearm::table
