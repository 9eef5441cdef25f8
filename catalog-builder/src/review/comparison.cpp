#include "review/comparison.h"

#include <algorithm>
#include <array>

#include "review/license_values.h"

namespace tonearm::builder {
namespace {

/// The paths of a track that are not among its license values, without `page_url` and derived values.
constexpr std::array<std::string_view, 24> kFieldPaths{
    "title",           "artist",      "description",   "kind",        "duration_s",   "bpm",
    "vocals",          "key",         "loudness_lufs", "tags.genre",  "tags.mood",    "tags.use",
    "tags.instrument", "tags.sfx",    "category.id",   "terms",       "credit_line",  "credit_as",
    "content_id",      "source_page", "published",     "preview_url", "original_url", "peaks_url"};

class Comparer {
 public:
  Comparer(const OpenedSnapshot& before, const OpenedSnapshot& after) : before_(before), after_(after) {}

  Comparison compare() {
    result_.old_version = before_.catalog().version();
    result_.new_version = after_.catalog().version();
    count_sources();
    for (std::uint32_t position = 0; position < after_.catalog().track_count(); ++position) compare_new(position);
    for (std::uint32_t position = 0; position < before_.catalog().track_count(); ++position) compare_old(position);
    const auto by_id = [](const auto& a, const auto& b) { return a.id < b.id; };
    std::sort(result_.license_changes.begin(), result_.license_changes.end(), by_id);
    std::sort(result_.changed.begin(), result_.changed.end(), by_id);
    for (auto* list : {&result_.taken_down, &result_.restored, &result_.removed, &result_.added}) {
      std::sort(list->begin(), list->end(), by_id);
    }
    return std::move(result_);
  }

 private:
  void count_sources() {
    for (const auto& source : before_.catalog().values().sources)
      result_.sources[source.id].before = source.track_count;
    for (const auto& source : after_.catalog().values().sources) result_.sources[source.id].after = source.track_count;
  }

  NamedTrack named(const RenderedTrack& track) const { return {text_of(id_.of(track)), text_of(title_.of(track))}; }

  template <class Entry>
  static void append_bounded(std::vector<Entry>& list, std::uint64_t& count, Entry entry) {
    if (count++ < Comparison::kNamedMax) list.push_back(std::move(entry));
  }

  void compare_old(std::uint32_t position) {
    const auto track = before_.track(position);
    auto name = named(track);
    if (!after_.catalog().find(name.id)) append_bounded(result_.removed, result_.removed_count, std::move(name));
  }

  void compare_new(std::uint32_t position) {
    const auto track = after_.track(position);
    auto name = named(track);
    const auto old_position = before_.catalog().find(name.id);
    if (!old_position) return append_bounded(result_.added, result_.added_count, std::move(name));
    const auto old_track = before_.track(*old_position);
    const bool is_down = after_.catalog().is_taken_down(position);
    const bool was_down = before_.catalog().is_taken_down(*old_position);
    if (is_down == was_down && track.json == old_track.json) {
      ++result_.unchanged_count;
      return;
    }
    if (license_.differ(old_track, track)) {
      result_.license_changes.push_back({name.id, name.title, license_.json(old_track), license_.json(track),
                                         license_.id(old_track), license_.id(track), false});
    }
    compare_fields(old_track, track, name.id);
    if (is_down != was_down) (is_down ? result_.taken_down : result_.restored).push_back(std::move(name));
  }

  void compare_fields(const RenderedTrack& old_track, const RenderedTrack& track, const std::string& id) {
    ChangedTrack changed{id, {}};
    for (std::size_t i = 0; i < kFieldPaths.size(); ++i) {
      const auto before = field_paths_[i].of(old_track);
      const auto after = field_paths_[i].of(track);
      if (before == after) continue;
      ++result_.changed_fields[std::string(kFieldPaths.at(i))];
      changed.fields.push_back({std::string(kFieldPaths.at(i)), std::string(before), std::string(after)});
    }
    if (!changed.fields.empty()) append_bounded(result_.changed, result_.changed_count, std::move(changed));
  }

  const OpenedSnapshot& before_;
  const OpenedSnapshot& after_;
  const TrackPath id_{"id"};
  const TrackPath title_{"title"};
  const LicenseValues license_;
  const std::vector<TrackPath> field_paths_{kFieldPaths.begin(), kFieldPaths.end()};
  Comparison result_;
};

}  // namespace

Comparison compare(const OpenedSnapshot& before, const OpenedSnapshot& after) {
  return Comparer(before, after).compare();
}

}  // namespace tonearm::builder
