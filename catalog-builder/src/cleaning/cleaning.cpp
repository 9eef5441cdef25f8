#include "cleaning/cleaning.h"

#include "cleaning/categories.h"
#include "cleaning/quality.h"
#include "cleaning/tag_normalizer.h"
#include "cleaning/titles.h"
#include "cleaning/traits.h"

namespace tonearm::builder {
namespace {

class Cleaner {
 public:
  Cleaner(std::vector<Track>& tracks, const std::vector<bool>& is_of_source, const RuleSet& rules, Report& report)
      : tracks_(tracks), is_of_source_(is_of_source), rules_(rules), counts_(report.cleaned) {}

  void clean() {
    if (rules_.is_on(Rule::titles)) clean_titles();
    if (rules_.is_on(Rule::titles) && rules_.is_on(Rule::numbers)) drop_numbers();
    if (rules_.is_on(Rule::traits)) {
      for_each_selected([&, traits = built_in_traits()](Track& track) { traits.apply(track, counts_); });
    }
    if (rules_.is_on(Rule::categories)) {
      for_each_selected([&, categories = built_in_categories()](Track& track) { categorize(track, categories); });
    }
    const TagNormalizer normalizer;
    if (rules_.is_on(Rule::moods))
      for_each_selected([&](Track& track) { normalizer.normalize(track, Facet::mood, "moods", counts_); });
    if (rules_.is_on(Rule::effects))
      for_each_selected([&](Track& track) { normalizer.normalize(track, Facet::sfx, "effects", counts_); });
    if (rules_.is_on(Rule::quality)) for_each_selected([&](Track& track) { refine_quality(track); });
  }

 private:
  template <class Step>
  void for_each_selected(Step step) {
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      if (is_of_source_[i]) step(tracks_[i]);
    }
  }

  void clean_titles() {
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      if (!is_of_source_[i]) continue;
      auto cleaned = clean_title(tracks_[i].kind, tracks_[i].title);
      if (cleaned.had_extension) ++counts_["titles: ending of a file cut off"];
      if (cleaned.was_file_name) ++counts_["titles: name of a file made words"];
      if (!cleaned.had_extension && !cleaned.was_file_name) continue;
      file_names_.push_back(i);
      tracks_[i].matching_title = std::move(cleaned.text);
    }
  }

  void drop_numbers() {
    for (const auto i : redundant_numbers(tracks_, file_names_)) {
      tracks_[i].matching_title = without_number(tracks_[i].matching_title);
      ++counts_["numbers: running number dropped"];
    }
  }

  void categorize(Track& track, const CategoryRules& categories) {
    if (track.category) return;
    track.category = categories.category_of(track);
    if (track.category) ++counts_["categories: " + std::string(kCategories[*track.category].id)];
  }

  void refine_quality(Track& track) {
    const auto refined = refined_quality(track);
    if (refined != track.quality) ++counts_["quality: refined"];
    track.quality = refined;
  }

  std::vector<Track>& tracks_;
  const std::vector<bool>& is_of_source_;
  const RuleSet& rules_;
  Counts& counts_;
  std::vector<std::size_t> file_names_;  // tracks whose titles were file names
};

}  // namespace

void clean(std::vector<Track>& tracks, const std::vector<bool>& is_of_source, const RuleSet& rules, Report& report) {
  report.tags_before = count_tags(tracks);
  report.quality_before = count_qualities(tracks);
  Cleaner(tracks, is_of_source, rules, report).clean();
  report.tags_after = count_tags(tracks);
  report.quality_after = count_qualities(tracks);
  for (std::size_t i = 0; i < kRuleNames.size(); ++i) {
    if (!rules.is_on(static_cast<Rule>(i))) report.rules_off.emplace_back(kRuleNames[i]);
  }
}

}  // namespace tonearm::builder
