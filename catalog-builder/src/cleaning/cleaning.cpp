#include "cleaning/cleaning.h"

#include "cleaning/categories.h"
#include "cleaning/quality.h"
#include "cleaning/tag_normalizer.h"
#include "cleaning/titles.h"
#include "cleaning/traits.h"

namespace tonearm::builder {
namespace {

/// Reads each track once to count, once more if a running number may be redundant, and those of sources once more.
class Cleaner {
 public:
  Cleaner(TrackFile& tracks, const std::vector<bool>& is_of_source, const RuleSet& rules, Report& report)
      : tracks_(tracks), is_of_source_(is_of_source), rules_(rules), report_(report), counts_(report.cleaned) {}

  void clean() {
    count_before();
    if (numbers_.has_candidates()) count_numbers();
    ValueCounter after = canonical_;
    for (std::uint32_t i = 0; i < tracks_.size(); ++i) {
      if (!is_of_source_[i]) continue;
      tracks_.update(i, [&](Track& track) {
        clean(track);
        after.add(track);
      });
    }
    report_.tags_after = after.tags();
    report_.quality_after = after.qualities();
  }

 private:
  void count_before() {
    const bool drops_numbers = rules_.is_on(Rule::titles) && rules_.is_on(Rule::numbers);
    ValueCounter before;
    for (std::uint32_t i = 0; i < tracks_.size(); ++i) {
      Track track = tracks_.read(i);
      before.add(track);
      if (!is_of_source_[i]) {
        canonical_.add(track);
      } else if (drops_numbers && tidy_title(track).was_changed()) {
        numbers_.add_candidate(track);
      }
    }
    report_.tags_before = before.tags();
    report_.quality_before = before.qualities();
  }

  void count_numbers() {
    for (std::uint32_t i = 0; i < tracks_.size(); ++i) {
      Track track = tracks_.read(i);
      if (is_of_source_[i]) tidy_title(track);
      numbers_.count(track);
    }
  }

  /// Sets the matching title if the title is a file name.
  static CleanedTitle tidy_title(Track& track) {
    auto cleaned = clean_title(track.kind, track.title);
    if (cleaned.was_changed()) track.matching_title = cleaned.text;
    return cleaned;
  }

  void clean(Track& track) {
    if (rules_.is_on(Rule::titles)) clean_title_of(track);
    if (rules_.is_on(Rule::traits)) traits_.apply(track, counts_);
    if (rules_.is_on(Rule::categories)) categorize(track);
    if (rules_.is_on(Rule::moods)) normalizer_.normalize(track, Facet::mood, "moods", counts_);
    if (rules_.is_on(Rule::effects)) normalizer_.normalize(track, Facet::sfx, "effects", counts_);
    if (rules_.is_on(Rule::quality)) refine_quality(track);
  }

  void clean_title_of(Track& track) {
    const auto cleaned = tidy_title(track);
    if (cleaned.had_extension) ++counts_["titles: ending of a file cut off"];
    if (cleaned.was_file_name) ++counts_["titles: name of a file made words"];
    if (!cleaned.was_changed() || !numbers_.is_redundant(track)) return;
    track.matching_title = without_number(track.matching_title);
    ++counts_["numbers: running number dropped"];
  }

  void categorize(Track& track) {
    if (track.category) return;
    track.category = categories_.category_of(track);
    if (track.category) ++counts_["categories: " + std::string(kCategories[*track.category].id)];
  }

  void refine_quality(Track& track) {
    const auto refined = refined_quality(track);
    if (refined != track.quality) ++counts_["quality: refined"];
    track.quality = refined;
  }

  TrackFile& tracks_;
  const std::vector<bool>& is_of_source_;
  const RuleSet& rules_;
  Report& report_;
  Counts& counts_;
  ValueCounter canonical_;  // of the tracks that stay as they are
  RunningNumbers numbers_;
  const TraitRules traits_ = built_in_traits();
  const CategoryRules categories_ = built_in_categories();
  const TagNormalizer normalizer_;
};

}  // namespace

void clean(TrackFile& tracks, const std::vector<bool>& is_of_source, const RuleSet& rules, Report& report) {
  Cleaner(tracks, is_of_source, rules, report).clean();
  for (std::size_t i = 0; i < kRuleNames.size(); ++i) {
    if (!rules.is_on(static_cast<Rule>(i))) report.rules_off.emplace_back(kRuleNames[i]);
  }
}

}  // namespace tonearm::builder
