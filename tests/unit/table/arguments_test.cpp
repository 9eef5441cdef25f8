#include "table/arguments.h"

#include <doctest/doctest.h>

#include "api/requests/query_string.h"

namespace tonearm::table {
namespace {

template <class Arguments>
Arguments arguments_of(const Parameters<Arguments>& parameters, std::string_view query) {
  return api::arguments_of(parameters, api::parse_query(query, parameters.query).value());
}

/// Returns whether the default in a row equals the initial value of the member.
template <class Arguments, class Member>
bool default_holds(const Parameters<Arguments>& parameters, std::string_view name, Member Arguments::*member) {
  for (const Parameter& row : parameters.query) {
    if (row.name != name) continue;
    const std::string query = std::string(name) + '=' + std::string(row.default_value);
    return !row.default_value.empty() && arguments_of(parameters, query).*member == Arguments{}.*member;
  }
  return false;
}

}  // namespace

TEST_CASE("Parameters fill the members that their rows name") {
  const SearchArguments given = arguments_of(
      kSearchParameters,
      "q=rain&match=most&variants=collapse&kind=sfx&tempo=90-120&length=s,l&loops=1&quality=good&sfx=a,b&category=fx-n&"
      "credit=requested&"
      "license=cc0,cc-by-4.0&commercial=false&share_alike=true&creator=Ada&source=example.org&sort=long&seed=s&limit=7&"
      "vocals=vocal&playable=true&exclude_source=a.org,b.org&exclude_tags=c,d&"
      "cursor=14&fields=id,title&facets=sfx,creator,sfx&energy=calm&tone=warm,dark");
  SearchQuery wanted;
  wanted.q = "rain";
  wanted.match = WordMatch::most;
  wanted.variants = Variants::collapse;
  wanted.kind = Kind::sfx;
  wanted.filters.bpm_hundredths = {9'000, 12'000};
  wanted.filters.loops_only = true;
  wanted.filters.credit = CreditFilter::requested;
  wanted.filters.commercial = false;
  wanted.lengths = {LengthBucket::s, LengthBucket::l};
  wanted.energies = {Energy::calm};
  wanted.tones = {Tone::warm, Tone::dark};
  wanted.good_quality = true;
  wanted.tags[static_cast<std::size_t>(Facet::sfx)] = {"a", "b"};
  wanted.categories = {"fx-n"};
  wanted.licenses = {LicenseId::cc0, LicenseId::cc_by_4_0};
  wanted.share_alike = true;
  wanted.creator = "Ada";
  wanted.sources = {"example.org"};
  wanted.filters.vocals = Vocals::vocal;
  wanted.playable_only = true;
  wanted.excluded_sources = {"a.org", "b.org"};
  wanted.excluded_tags = {"c", "d"};
  wanted.sort = Sort::longest;
  wanted.seed = "s";
  wanted.limit = 7;
  wanted.offset = 14;
  CHECK(given.query == wanted);
  CHECK(given.fields == std::vector<std::string>{"id", "title"});
  CHECK(given.facets == std::vector<CountedFacet>{CountedFacet::sfx, CountedFacet::creator});  // SEARCH-11
}

TEST_CASE("A member whose parameter is absent keeps its initial value, which equals the default in its row") {
  const SearchArguments none = arguments_of(kSearchParameters, "");
  CHECK(none.query == SearchQuery{});
  CHECK(arguments_of(kSearchParameters, "kind=music&quality=any&credit=any&limit=20").query == none.query);
  CHECK(default_holds(kMetaParameters, "limit", &MetaArguments::limit));
  CHECK(default_holds(kSimilarParameters, "limit", &SimilarArguments::limit));
  CHECK(default_holds(kCollectionSimilarParameters, "limit", &CollectionSimilarArguments::limit));
  CHECK(default_holds(kCollectionSimilarParameters, "include_members", &CollectionSimilarArguments::include_members));
  CHECK(default_holds(kCreditsParameters, "format", &CreditsArguments::format));
  CHECK(default_holds(kCallsParameters, "limit", &CallsArguments::limit));
}

TEST_CASE("Lists of similar tracks have bounds in thousandths") {
  const SimilarArguments given =
      arguments_of(kSimilarParameters, "min_bpm=90.25&max_seconds=3&credit=requested&vocals=instrumental");
  CHECK(given.filters.bounds.min_bpm == 90'250);
  CHECK_FALSE(given.filters.bounds.max_bpm.has_value());
  CHECK(given.filters.bounds.max_seconds == 3'000);
  CHECK(given.filters.credit == NeighborFilters::Credit::requested);
  CHECK(given.filters.vocals == Vocals::instrumental);
}

}  // namespace tonearm::table
