#include "json/writer.h"
#include "review/comparison.h"
#include "tonearm/terminal.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kShownMax = 50;

std::string line_of(const NamedTrack& track) {
  return "  " + terminal::line(track.id) + "  " + terminal::line(track.title) + "\n";
}

std::string line_of(const LicenseChange& change) {
  return "  " + terminal::line(change.id) + "  " + terminal::line(change.title) +
         (change.is_approved ? "  (approved)" : "") + "\n    before  " + terminal::line(change.before) +
         "\n    after   " + terminal::line(change.after) + "\n";
}

std::string line_of(const ChangedTrack& track) {
  std::string text = "  " + terminal::line(track.id) + "\n";
  for (const auto& field : track.fields) {
    text += "    " + field.path + "  " + terminal::line(field.before) + "  ->  " + terminal::line(field.after) + "\n";
  }
  return text;
}

template <class Entry>
void append(std::string& text, const std::string& title, const std::vector<Entry>& list, std::uint64_t count,
            std::size_t shown_max) {
  text += title + "  " + std::to_string(count) + "\n";
  const std::size_t shown = std::min(list.size(), shown_max);
  for (std::size_t i = 0; i < shown; ++i) text += line_of(list[i]);
  if (shown < count) text += "  ... and " + std::to_string(count - shown) + " more\n";
}

void write_tracks(json::Writer& out, std::string_view key, const std::vector<NamedTrack>& tracks) {
  out.key(key);
  out.begin_array();
  for (const auto& track : tracks) {
    out.begin_object();
    out.string("id", track.id);
    out.string("title", track.title);
    out.end_object();
  }
  out.end_array();
}

void write_license_changes(json::Writer& out, const std::vector<LicenseChange>& changes) {
  out.key("license_changes");
  out.begin_array();
  for (const auto& change : changes) {
    out.begin_object();
    out.string("id", change.id);
    out.string("title", change.title);
    out.key("before");
    out.raw(change.before);
    out.key("after");
    out.raw(change.after);
    out.boolean("approved", change.is_approved);
    out.end_object();
  }
  out.end_array();
}

void write_changed(json::Writer& out, const std::vector<ChangedTrack>& tracks) {
  out.key("changed");
  out.begin_array();
  for (const auto& track : tracks) {
    out.begin_object();
    out.string("id", track.id);
    out.key("fields");
    out.begin_object();
    for (const auto& field : track.fields) {
      out.key(field.path);
      out.begin_object();
      out.key("before");
      out.raw(field.before);
      out.key("after");
      out.raw(field.after);
      out.end_object();
    }
    out.end_object();
    out.end_object();
  }
  out.end_array();
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  const auto all = [](const auto& list) { return list.size(); };
  std::string text = "from " + comparison.old_version + " to " + comparison.new_version + "\n";
  append(text, "license changes", comparison.license_changes, comparison.license_changes.size(),
         all(comparison.license_changes));
  append(text, "taken down", comparison.taken_down, comparison.taken_down.size(), all(comparison.taken_down));
  append(text, "no longer taken down", comparison.restored, comparison.restored.size(), all(comparison.restored));
  text += "sources\n";
  for (const auto& [source, change] : comparison.sources) {
    text += "  " + terminal::line(source) + "  " + std::to_string(change.before) + " -> " +
            std::to_string(change.after) + "\n";
  }
  append(text, "removed", comparison.removed, comparison.removed_count, kShownMax);
  append(text, "added", comparison.added, comparison.added_count, kShownMax);
  append(text, "changed", comparison.changed, comparison.changed_count, kShownMax);
  for (const auto& [field, count] : comparison.changed_fields) {
    text += "  in all, " + field + "  " + std::to_string(count) + "\n";
  }
  return text + "unchanged  " + std::to_string(comparison.unchanged_count) + "\n";
}

std::string comparison_json(const Comparison& comparison, const std::vector<std::string>& failed_conditions) {
  json::Writer out;
  out.begin_object();
  out.string("old_version", comparison.old_version);
  out.string("new_version", comparison.new_version);
  write_license_changes(out, comparison.license_changes);
  write_tracks(out, "taken_down", comparison.taken_down);
  write_tracks(out, "restored", comparison.restored);
  out.key("sources");
  out.begin_object();
  for (const auto& [source, change] : comparison.sources) {
    out.key(source);
    out.begin_object();
    out.integer("before", change.before);
    out.integer("after", change.after);
    out.end_object();
  }
  out.end_object();
  out.integer("removed_count", comparison.removed_count);
  write_tracks(out, "removed", comparison.removed);
  out.integer("added_count", comparison.added_count);
  write_tracks(out, "added", comparison.added);
  out.integer("changed_count", comparison.changed_count);
  write_changed(out, comparison.changed);
  out.integer("unchanged_count", comparison.unchanged_count);
  out.key("failed_conditions");
  out.begin_array();
  for (const auto& condition : failed_conditions) out.string(condition);
  out.end_array();
  out.end_object();
  return out.take() + "\n";
}

}  // namespace tonearm::builder
