#include "catalog/writer/sampled_searches.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "catalog/index/completions.h"
#include "catalog/index/tokenizer.h"
#include "catalog/query/search_context.h"
#include "catalog/storage/phrase_tables.h"
#include "catalog/storage/statement.h"
#include "catalog/writer/matching_texts.h"
#include "catalog/writer/track_check.h"

namespace tonearm::catalog {
namespace {

namespace bj = boost::json;

constexpr std::uint32_t kPageSize = 20;
constexpr std::uint32_t kForms = 6;
constexpr double kMilliseconds = 1000;
constexpr double kHalf = 0.5;

/// A track as its JSON describes it.
struct ScannedTrack {
  std::uint32_t position = 0;
  std::string id;
  Kind kind = Kind::music;
  bool is_speech = false;
  std::vector<std::string> texts;
  std::array<std::set<std::string>, kFacetCount> tags;
  std::string license;
  std::string category;  // empty: none
  std::uint64_t duration_ms = 0;
  bool commercial = false;
  std::set<std::string> stems;
};

/// A search and its results from the scan so far.
struct Sample {
  SearchQuery query;
  std::vector<std::string> stems;  // of its words
  std::uint64_t total = 0;
  /// The best so far: sort key, then id if the order has ties, then position.
  std::set<std::tuple<std::int64_t, std::string, std::uint32_t>> best;
};

class SampledSearches {
 public:
  SampledSearches(const SqliteSnapshot& snapshot, const Catalog& catalog)
      : catalog_(catalog), database_(connect_untrusted(snapshot)), tokenizer_(database_.get()) {
    read_labels();
    read_broad_words();
    while (searchable_count_ < catalog.track_count() && !catalog.is_taken_down(searchable_count_)) ++searchable_count_;
    matching_texts_ = read_matching_texts(database_.get(), searchable_count_);
  }

  void check() {
    if (searchable_count_ == 0) return;
    const std::uint32_t count = std::min(kSampledSearches, searchable_count_ * kForms);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto position = static_cast<std::uint32_t>(std::uint64_t{i} * searchable_count_ / count);
      samples_.push_back(sample_of(scan_track(position), i % kForms));
    }
    for (std::uint32_t position = 0; position < searchable_count_; ++position) {
      const ScannedTrack track = scan_track(position);
      for (Sample& sample : samples_) record(track, sample);
    }
    for (const Sample& sample : samples_) compare(sample);
  }

 private:
  void read_labels() {
    for (const auto& facets : catalog_.values().tags) {
      for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
        for (const LabeledValue& tag : facets[facet]) labels_[facet][tag.id] = tag.label;
      }
    }
  }

  // A search for these words also finds tracks whose texts do not contain them, so sampled searches avoid them.
  void read_broad_words() {
    const auto add = [&](std::string_view phrase) {
      tokenizer_.each_stem(phrase, [&](std::string_view stem) { broad_stems_.emplace(stem); });
    };
    for (const auto& set : read_synonym_sets(database_.get())) {
      for (const std::string& phrase : set) add(phrase);
    }
    for (const PhraseRelation& relation : read_relations(database_.get())) {
      if (relation.relation == Relation::narrower) add(relation.phrase);
    }
  }

  ScannedTrack scan_track(std::uint32_t position) {
    const RenderedTrack rendered = catalog_.render(std::span(&position, 1)).front();
    const CheckedTrack checked{position, rendered, {}, parse_track(rendered.json, position)};
    ScannedTrack track;
    track.position = position;
    track.id = text_at(checked, "id");
    track.kind = text_at(checked, "kind") == kKindNames[0] ? Kind::music : Kind::sfx;
    track.license = text_at(checked, "license.id");
    track.texts = {text_at(checked, "title"), text_or_empty(checked, "artist"), text_or_empty(checked, "description")};
    const bj::object& json = checked.parsed;
    track.duration_ms = static_cast<std::uint64_t>(json.at("duration_s").to_number<double>() * kMilliseconds + kHalf);
    track.commercial = json.at("terms").as_object().at("commercial").as_bool();
    if (const auto* category = json.at("category").if_object()) {
      track.category = text_at(checked, "category.id");
      track.is_speech = track.kind == Kind::sfx && text_at(checked, "category.top_id") == kSpeechGroup;
      track.texts.emplace_back(category->at("label").as_string());
    }
    const bj::object& tags = json.at("tags").as_object();
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      const auto name = kFacetNames.at(facet);
      for (const bj::value& tag : tags.at({name.data(), name.size()}).as_array()) {
        std::string id(tag.as_string());
        track.texts.push_back(id);
        track.texts.push_back(labels_.at(facet)[id]);
        track.tags.at(facet).insert(std::move(id));
      }
    }
    if (const auto found = matching_texts_.find(position); found != matching_texts_.end()) {
      track.texts.push_back(found->second.title);
      track.texts.push_back(found->second.words);
    }
    for (const std::string& text : track.texts) {
      tokenizer_.each_stem(text, [&](std::string_view stem) { track.stems.emplace(stem); });
    }
    return track;
  }

  /// Adds the longest word of a text that the scan can search for; nothing if there is none.
  void add_word(std::string_view text, Sample& sample) {
    Token longest;
    for (Token& token : tokenizer_.tokens(text)) {
      const bool is_broad = broad_stems_.contains(token.stem);
      if (!is_broad && token.end - token.begin > longest.end - longest.begin) longest = std::move(token);
    }
    if (longest.stem.empty()) return;
    const std::string q = sample.query.q + (sample.query.q.empty() ? "" : " ") +
                          std::string(text.substr(longest.begin, longest.end - longest.begin));
    const auto terms = catalog_.terms(q, WordMatch::all);
    const bool all_required =
        terms.size() == sample.stems.size() + 1 &&
        std::all_of(terms.begin(), terms.end(), [](const auto& term) { return term.is_required; });
    if (!all_required) return;  // SEARCH-5
    sample.query.q = q;
    sample.stems.push_back(longest.stem);
  }

  Sample sample_of(const ScannedTrack& track, std::uint32_t form) {
    Sample sample;
    SearchQuery& query = sample.query;
    query.match = WordMatch::all;
    query.kind = track.kind;
    query.sort = Sort::shuffle;
    query.limit = kPageSize;
    if (track.is_speech) query.categories = {track.category};
    const auto add_license = [&] {
      if (const auto license = find_license(track.license)) query.licenses = {*license};
    };
    const auto add_tags = [&] {
      for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
        if (!track.tags.at(facet).empty()) query.tags.at(facet) = {*track.tags.at(facet).begin()};
      }
    };
    switch (form) {
      case 0:
        add_word(track.texts.front(), sample);
        break;
      case 1:
        add_word(track.texts.front(), sample);
        add_word(track.texts.at(1), sample);
        query.sort = Sort::shortest;
        break;
      case 2:
        add_tags();
        break;
      case 3:
        add_word(track.texts.front(), sample);
        add_license();
        query.sort = Sort::longest;
        break;
      case 4:
        query.filters.duration_ms = {track.duration_ms / 2, track.duration_ms * 2};
        query.filters.commercial = track.commercial;
        break;
      default:
        if (!track.category.empty()) query.categories = {track.category};
        add_word(track.texts.at(2), sample);
        break;
    }
    return sample;
  }

  static bool matches(const ScannedTrack& track, const Sample& sample) {
    const SearchQuery& query = sample.query;
    if (track.kind != query.kind) return false;
    if (query.categories.empty() ? track.is_speech : track.category != query.categories.front())
      return false;  // SEARCH-7
    if (!query.licenses.empty() && track.license != license(query.licenses.front()).name_id) return false;
    if (!query.filters.duration_ms.contains(track.duration_ms)) return false;
    if (query.filters.commercial && *query.filters.commercial != track.commercial) return false;
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      const auto& wanted = query.tags.at(facet);
      if (!wanted.empty() && !track.tags.at(facet).contains(wanted.front())) return false;
    }
    return std::all_of(sample.stems.begin(), sample.stems.end(),
                       [&](const std::string& stem) { return track.stems.contains(stem); });
  }

  static void record(const ScannedTrack& track, Sample& sample) {
    if (!matches(track, sample)) return;
    ++sample.total;
    const auto duration = static_cast<std::int64_t>(track.duration_ms);
    if (sample.query.sort == Sort::shuffle) {
      sample.best.emplace(0, std::string(), track.position);
    } else {
      sample.best.emplace(sample.query.sort == Sort::shortest ? duration : -duration, track.id, track.position);
    }
    if (sample.best.size() > kPageSize) sample.best.erase(std::prev(sample.best.end()));
  }

  void compare(const Sample& sample) const {
    const Page page = catalog_.search(sample.query);
    std::vector<std::uint32_t> expected;
    expected.reserve(sample.best.size());
    for (const auto& [key, id, position] : sample.best) expected.push_back(position);
    if (page.total == sample.total && page.tracks == expected) return;
    throw_damaged("a search differs from a scan of the tracks: " + describe(sample.query) + " finds " +
                  std::to_string(page.total) + " tracks, the scan " + std::to_string(sample.total) +
                  (page.total == sample.total ? ", but others come first" : ""));
  }

  static std::string describe(const SearchQuery& query) {
    std::string text(kKindNames.at(static_cast<std::size_t>(query.kind)));
    if (!query.q.empty()) text += ", q \"" + query.q + "\"";
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      for (const std::string& tag : query.tags.at(facet))
        text.append(", ").append(kFacetNames.at(facet)).append(" ").append(tag);
    }
    for (const std::string& category : query.categories) text += ", category " + category;
    for (const LicenseId id : query.licenses) text.append(", license ").append(license(id).name_id);
    if (!query.filters.duration_ms.empty()) text += ", a range of durations";
    return text;
  }

  const Catalog& catalog_;
  sql::SqliteHandle database_;
  Tokenizer tokenizer_;
  std::array<std::map<std::string, std::string>, kFacetCount> labels_;
  std::set<std::string> broad_stems_;
  std::vector<Sample> samples_;
  std::uint32_t searchable_count_ = 0;
  std::map<std::uint32_t, MatchingText> matching_texts_;  // by position
};

}  // namespace

void check_sampled_completions(const SqliteSnapshot& snapshot, const Catalog& catalog) {
  const Sections sections(snapshot.file());
  const Completions completions(sections[SectionId::completions]);
  for (std::size_t kind = 0; kind < kKindNames.size(); ++kind) {
    std::size_t entries = 0;
    completions.each_entry(static_cast<Kind>(kind), [&](const Completions::Entry& /*entry*/) { ++entries; });
    const std::size_t step = entries / kSampledCompletions + 1;
    std::size_t number = 0;
    completions.each_entry(static_cast<Kind>(kind), [&](const Completions::Entry& entry) {
      if (number++ % step != 0) return;
      const Completion& completion = entry.completion;
      SearchQuery query;
      query.q = completion.text;
      query.kind = static_cast<Kind>(kind);
      query.match = WordMatch::all;
      if (catalog.count(query) != completion.total) {
        throw_damaged("the completion \"" + completion.text + "\" differs from a search for it");
      }
    });
  }
}

void check_sampled_searches(const SqliteSnapshot& snapshot, const Catalog& catalog) {
  try {
    SampledSearches(snapshot, catalog).check();
  } catch (const boost::system::system_error& error) {
    throw_damaged(std::string("the JSON of a track has an unexpected form: ") + error.what());
  } catch (const std::out_of_range&) {
    throw_damaged("the JSON of a track lacks a field");
  }
}

}  // namespace tonearm::catalog
