#include "review/comparison.h"

#include <algorithm>
#include <array>

namespace tonearm::builder {
namespace {

/// The paths that depend on the license. The first is the license's id.
constexpr std::array<std::string_view, 4> kLicensePaths{"license.id", "license.url", "license.status", "attribution"};
/// The other paths of a track, without `page_url` and derived values.
constexpr std::array<std::string_view, 24> kFieldPaths{
    "title",           "artist",      "description",   "kind",        "duration_s",   "bpm",
    "vocals",          "key",         "loudness_lufs", "tags.genre",  "tags.mood",    "tags.use",
    "tags.instrument", "tags.sfx",    "category.id",   "terms",       "credit_line",  "credit_as",
    "content_id",      "source_page", "published",     "preview_url", "original_url", "peaks_url"};

template <std::size_t Count>
std::vector<TrackPath> paths_of(const std::array<std::string_view, Count>& names) {
  return {names.begin(), names.end()};
}

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
    compare_licenses(old_track, track, name);
    compare_fields(old_track, track, name.id);
    if (is_down != was_down) (is_down ? result_.taken_down : result_.restored).push_back(std::move(name));
  }

  void compare_licenses(const RenderedTrack& old_track, const RenderedTrack& track, const NamedTrack& name) {
    const auto differs = [&](const TrackPath& path) { return path.of(old_track) != path.of(track); };
    if (std::none_of(license_paths_.begin(), license_paths_.end(), differs)) return;
    const auto statement = [&](const RenderedTrack& of) {
      std::string text;
      for (std::size_t i = 0; i < kLicensePaths.size(); ++i) {
        text.append(i == 0 ? "{\"" : ",\"").append(kLicensePaths.at(i)).append("\":").append(license_paths_[i].of(of));
      }
      return text + "}";
    };
    result_.license_changes.push_back({name.id, name.title, statement(old_track), statement(track),
                                       text_of(license_paths_.front().of(old_track)),
                                       text_of(license_paths_.front().of(track)), false});
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
  const std::vector<TrackPath> license_paths_ = paths_of(kLicensePaths);
  const std::vector<TrackPath> field_paths_ = paths_of(kFieldPaths);
  Comparison result_;
};

}  // namespace

Comparison compare(const OpenedSnapshot& before, const OpenedSnapshot& after) {
  return Comparer(before, after).compare();
}

}  // namespace tonearm::builder
