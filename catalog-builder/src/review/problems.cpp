#include "review/problems.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <tuple>

#include "text/unicode.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kProblemsMax = 10;
constexpr double kShortMusicS = 10;
constexpr double kLongMusicS = 3600;
constexpr double kLongEffectS = 1800;

enum class Issue : std::uint8_t {
  no_artist_to_credit,
  no_page_to_credit,
  unknown_license,
  same_title_and_artist,
  title_is_file_name,
  unlikely_duration,
  no_preview,
  no_tags,
  no_category,
  no_description,
  no_tempo,
  tag_used_once,
};

struct IssueRow {
  const char* name;
  const char* text;
  int rank;  // lower is worse
};
/// Indexed by Issue.
constexpr std::array<IssueRow, 12> kIssues{{
    {"no_artist_to_credit", "tracks need credit, and have no artist to name", 0},
    {"no_page_to_credit", "tracks need credit, and have no source page to link", 0},
    {"unknown_license", "tracks have an unknown license", 0},
    {"same_title_and_artist", "tracks share title and artist with another of their kind", 1},
    {"title_is_file_name", "titles look like file names", 1},
    {"doubtful_duration", "durations are doubtful: music below 10 s or above 1 h, effects above 30 min", 1},
    {"no_preview", "tracks have no address to listen to", 1},
    {"no_tags", "tracks have no tag", 2},
    {"no_category", "effects have no category", 2},
    {"no_description", "tracks have no description", 3},
    {"no_tempo", "music has no tempo", 3},
    {"tag_used_once", "tags are those of one track alone", 3},
}};

constexpr std::array<std::string_view, 9> kFileEndings{".wav",  ".mp3",  ".ogg", ".flac", ".aif",
                                                       ".aiff", ".opus", ".m4a", ".mid"};

bool is_file_name(const std::string& folded_title) {
  return std::any_of(kFileEndings.begin(), kFileEndings.end(),
                     [&](std::string_view ending) { return folded_title.ends_with(ending); });
}

bool is_unlikely(double seconds, bool is_music) {
  return is_music ? seconds < kShortMusicS || seconds > kLongMusicS : seconds > kLongEffectS;
}

/// Calls `visit` for each string of a JSON array of tag ids, which contain no escapes.
template <class Visit>
void each_tag(std::string_view array, const Visit& visit) {
  while (true) {
    const auto begin = array.find('"');
    if (begin == std::string_view::npos) return;
    const auto end = array.find('"', begin + 1);
    if (end == std::string_view::npos) return;
    visit(array.substr(begin + 1, end - begin - 1));
    array.remove_prefix(end + 1);
  }
}

class Finder {
 public:
  explicit Finder(const OpenedSnapshot& snapshot) : snapshot_(snapshot) {
    for (std::size_t i = 0; i < kIssues.size(); ++i) problems_.at(i) = {kIssues.at(i).name, kIssues.at(i).text, 0, {}};
  }

  std::vector<Problem> find() {
    for (std::uint32_t position = 0; position < snapshot_.catalog().track_count(); ++position) {
      if (!snapshot_.catalog().is_taken_down(position)) check_track(position);
    }
    for (const auto& [tag, count] : tags_) {
      if (count == 1) add_example(Issue::tag_used_once, tag);
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < problems_.size(); ++i) {
      if (problems_.at(i).count > 0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(kIssues.at(a).rank, problems_.at(b).count) <
             std::tuple(kIssues.at(b).rank, problems_.at(a).count);
    });
    order.resize(std::min(order.size(), kProblemsMax));
    std::vector<Problem> worst;
    worst.reserve(order.size());
    for (const std::size_t i : order) worst.push_back(std::move(problems_.at(i)));
    return worst;
  }

 private:
  void add_example(Issue doubt, const std::string& example) {
    auto& problem = problems_.at(static_cast<std::size_t>(doubt));
    if (problem.count++ < Problem::kExamplesMax) problem.examples.push_back(example);
  }

  /// Returns the title by which searches find the track, without case.
  std::string title_to_match(std::uint32_t position, const std::string& folded_title) const {
    const auto matching = matching_titles_.find(position);
    return matching == matching_titles_.end() ? folded_title : text::fold_case(matching->second);
  }

  void check_track(std::uint32_t position) {
    const RenderedTrack track = snapshot_.track(position);
    const auto id = text_of(id_.of(track));
    const auto report_if = [&](bool is_so, Issue doubt) {
      if (is_so) add_example(doubt, id);
    };
    const bool is_music = kind_.of(track) == "\"music\"";
    const bool needs_credit = attribution_.of(track) == "\"required\"";
    const auto artist = text_of(artist_.of(track));
    const auto title = text::fold_case(text_of(title_.of(track)));
    report_if(needs_credit && artist.empty(), Issue::no_artist_to_credit);
    report_if(needs_credit && page_.of(track) == "null", Issue::no_page_to_credit);
    report_if(license_.of(track) == "\"unknown\"", Issue::unknown_license);
    report_if(!names_.emplace(std::string(kind_.of(track)) + '\0' + title + '\0' + text::fold_case(artist), id).second,
              Issue::same_title_and_artist);
    report_if(is_file_name(title_to_match(position, title)), Issue::title_is_file_name);
    report_if(is_unlikely(std::strtod(std::string(duration_.of(track)).c_str(), nullptr), is_music),
              Issue::unlikely_duration);
    report_if(preview_.of(track) == "null", Issue::no_preview);
    report_if(category_.of(track) == "null" && !is_music, Issue::no_category);
    report_if(description_.of(track) == "null", Issue::no_description);
    report_if(tempo_.of(track) == "null" && is_music, Issue::no_tempo);
    bool has_tags = false;
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      each_tag(tag_paths_.at(facet).of(track), [&](std::string_view tag) {
        has_tags = true;
        ++tags_[std::string(kFacetNames.at(facet)) + " " + std::string(tag)];
      });
    }
    report_if(!has_tags, Issue::no_tags);
  }

  const OpenedSnapshot& snapshot_;
  const std::map<std::uint32_t, std::string> matching_titles_{snapshot_.matching_titles()};
  const TrackPath id_{"id"};
  const TrackPath kind_{"kind"};
  const TrackPath title_{"title"};
  const TrackPath artist_{"artist"};
  const TrackPath attribution_{"attribution"};
  const TrackPath license_{"license.id"};
  const TrackPath page_{"source_page"};
  const TrackPath preview_{"preview_url"};
  const TrackPath duration_{"duration_s"};
  const TrackPath tempo_{"bpm"};
  const TrackPath category_{"category.id"};
  const TrackPath description_{"description"};
  const std::array<TrackPath, kFacetCount> tag_paths_{TrackPath{"tags.genre"}, TrackPath{"tags.mood"},
                                                      TrackPath{"tags.use"}, TrackPath{"tags.instrument"},
                                                      TrackPath{"tags.sfx"}};
  std::array<Problem, kIssues.size()> problems_;
  std::map<std::string, std::string> names_;
  std::map<std::string, std::uint64_t> tags_;
};

}  // namespace

std::vector<Problem> worst_problems(const OpenedSnapshot& snapshot) { return Finder(snapshot).find(); }

}  // namespace tonearm::builder
