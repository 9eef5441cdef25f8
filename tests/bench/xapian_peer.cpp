#include "xapian_peer.h"

#include <xapian.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace tonearm::bench {
namespace {

constexpr Xapian::valueno kQuality = 0;
constexpr Xapian::valueno kDuration = 1;
constexpr Xapian::valueno kSlow = 2;
constexpr Xapian::valueno kFast = 3;

constexpr std::uint32_t kNoTempoLast = 1'000'000;  // above every tempo
constexpr std::uint16_t kGoodQuality = 500;        // FILTER-7, thousandths

std::string path_in(const std::string& folder) { return folder + "/xapian"; }

std::string term(char group, const std::string& value) { return std::string{'X', group, ':'} + value; }

template <class Value>
std::string number_term(char group, Value value) {
  return term(group, std::to_string(static_cast<int>(value)));
}

std::string tag_term(std::size_t facet, const std::string& tag) { return term('T', std::to_string(facet) + ':' + tag); }

void add_terms(Xapian::Document& document, const FedTrack& fed) {
  const Track& track = fed.track;
  const License& terms = license(track.license);
  const auto add = [&](const std::string& text) { document.add_boolean_term(text); };
  add(number_term('K', track.kind));
  add(number_term('N', fed.speech));
  add(number_term('B', fed.length));
  if (track.energy) add(number_term('E', *track.energy));
  if (track.tone) add(number_term('O', *track.tone));
  add(number_term('P', track.loop));
  add(number_term('Q', track.quality >= kGoodQuality));
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& tag : track.tags[facet]) add(tag_term(facet, tag));
  }
  if (track.category) add(number_term('C', *track.category));
  add(number_term('L', track.license));
  add(number_term('M', terms.commercial));
  add(number_term('S', terms.share_alike));
  add(number_term('R', fed.attribution != Attribution::optional));
  add(term('A', fed.creator));
  add(term('D', track.source));
}

void add_values(Xapian::Document& document, const Track& track) {
  const auto add = [&](Xapian::valueno slot, std::uint64_t value) {
    document.add_value(slot, Xapian::sortable_serialise(static_cast<double>(value)));
  };
  add(kQuality, track.quality);
  add(kDuration, track.duration_ms);
  add(kSlow, track.bpm_hundredths == 0 ? kNoTempoLast : track.bpm_hundredths);
  add(kFast, track.bpm_hundredths);
}

Xapian::Query any_of(const std::vector<std::string>& terms) {
  return {Xapian::Query::OP_OR, terms.begin(), terms.end()};
}

/// Collects conditions that must all match.
class Filters {
 public:
  template <class Values>
  void any_number(char group, const Values& values) {
    std::vector<std::string> terms;
    terms.reserve(values.size());
    for (const auto value : values) terms.push_back(number_term(group, value));
    any(terms);
  }
  void any(const std::vector<std::string>& terms) {
    if (!terms.empty()) all_.push_back(any_of(terms));
  }
  template <class Value>
  void number(char group, Value value) {
    all_.emplace_back(number_term(group, value));
  }
  void range(Xapian::valueno slot, std::uint64_t least, std::uint64_t most) {
    all_.emplace_back(Xapian::Query::OP_VALUE_RANGE, slot, Xapian::sortable_serialise(static_cast<double>(least)),
                      Xapian::sortable_serialise(static_cast<double>(most)));
  }
  Xapian::Query all() const { return {Xapian::Query::OP_AND, all_.begin(), all_.end()}; }

 private:
  std::vector<Xapian::Query> all_;
};

std::vector<std::string> category_terms(const SearchQuery& search) {
  std::vector<std::string> terms;
  for (std::size_t i = 0; i < kCategoryCount; ++i) {
    const Category& category = kCategories[i];
    for (const auto& wanted : search.categories) {
      if (wanted == category.id || wanted == category.top_id || wanted == category.group_code) {
        terms.push_back(number_term('C', i));
      }
    }
  }
  return terms;
}

Xapian::Query filter_of(const SearchQuery& search) {
  Filters filters;
  filters.number('K', search.kind);
  // SEARCH-7
  if (search.kind == Kind::sfx && search.categories.empty()) filters.number('N', false);
  filters.any(category_terms(search));
  const Range& tempo = search.filters.bpm_hundredths;
  if (!tempo.empty()) filters.range(kFast, std::max<std::uint64_t>(*tempo.min, 1), *tempo.max);
  filters.any_number('B', search.lengths);
  filters.any_number('E', search.energies);
  filters.any_number('O', search.tones);
  if (search.filters.loops_only) filters.number('P', true);
  if (search.good_quality) filters.number('Q', true);
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    std::vector<std::string> terms;
    for (const auto& tag : search.tags[facet]) terms.push_back(tag_term(facet, tag));
    filters.any(terms);
  }
  filters.any_number('L', search.licenses);
  if (search.filters.commercial) filters.number('M', *search.filters.commercial);
  if (search.share_alike) filters.number('S', *search.share_alike);
  const CreditFilter credit = search.filters.credit;
  if (credit != CreditFilter::any) filters.number('R', credit == CreditFilter::requested);
  if (!search.creator.empty()) filters.any({term('A', search.creator)});
  std::vector<std::string> sources;
  for (const auto& source : search.sources) sources.push_back(term('D', source));
  filters.any(sources);
  return filters.all();
}

void set_order(Xapian::Enquire& enquire, Sort order) {
  enquire.set_docid_order(Xapian::Enquire::ASCENDING);
  if (order != Sort::relevance) enquire.set_weighting_scheme(Xapian::BoolWeight());
  if (order == Sort::quality) enquire.set_sort_by_value(kQuality, true);
  if (order == Sort::shortest) enquire.set_sort_by_value(kDuration, false);
  if (order == Sort::longest) enquire.set_sort_by_value(kDuration, true);
  if (order == Sort::slow) enquire.set_sort_by_value(kSlow, false);
  if (order == Sort::fast) enquire.set_sort_by_value(kFast, true);
}

class XapianPeer final : public Engine {
 public:
  explicit XapianPeer(const std::string& folder) : database_(path_in(folder)) {}

  std::string name() const override { return "Xapian"; }
  std::string version() const override { return std::string("Xapian ") + Xapian::version_string(); }
  bool supports(const Query& query) const override { return query.search.has_value(); }

  std::string answer(const std::string& target) override {
    const SearchQuery search = parse_target(target);
    Xapian::Enquire enquire(database_);
    set_order(enquire, order_of(search));
    enquire.set_query(whole_query(search));
    const auto matches = enquire.get_mset(search.offset, search.limit, database_.get_doccount());
    std::vector<std::string> tracks;
    for (auto match = matches.begin(); match != matches.end(); ++match) {
      tracks.push_back(match.get_document().get_data());
    }
    // All documents are checked, so the bounds are exact.
    return page_body(tracks, matches.get_matches_lower_bound(), search);
  }

 private:
  static Xapian::Query whole_query(const SearchQuery& search) {
    const auto words = words_of(search);
    if (words.empty()) return filter_of(search);
    return {Xapian::Query::OP_FILTER, Xapian::Query(Xapian::Query::OP_AND, words.begin(), words.end()),
            filter_of(search)};
  }

  Xapian::Database database_;
};

}  // namespace

void build_xapian(const std::string& folder, const Feed& feed) {
  constexpr Xapian::termcount kTitle = 8;
  constexpr Xapian::termcount kName = 4;
  constexpr Xapian::termcount kCategory = 2;
  const std::string loose = path_in(folder) + ".loose";
  std::filesystem::remove_all(path_in(folder));
  {
    Xapian::WritableDatabase database(loose, Xapian::DB_CREATE_OR_OVERWRITE);
    Xapian::TermGenerator words;  // without a stemmer: the words have no endings
    feed.each([&](const FedTrack& fed) {
      Xapian::Document document;
      words.set_document(document);
      words.index_text_without_positions(fed.track.title, kTitle);
      words.index_text_without_positions(fed.track.artist, kName);
      words.index_text_without_positions(fed.tags, kName);
      words.index_text_without_positions(fed.track.description);
      words.index_text_without_positions(std::string(fed.category_label), kCategory);
      add_terms(document, fed);
      add_values(document, fed.track);
      document.set_data(std::string(fed.json));
      database.add_document(document);
    });
    database.commit();
  }
  Xapian::Database(loose).compact(path_in(folder));
  std::filesystem::remove_all(loose);
}

std::unique_ptr<Engine> open_xapian(const std::string& folder) { return std::make_unique<XapianPeer>(folder); }

}  // namespace tonearm::bench
