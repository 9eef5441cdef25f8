#include "canonical_lines.h"

#include <fstream>
#include <stdexcept>

#include "json/writer.h"

namespace tonearm::bench {
namespace {

void write_text(json::Writer& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  out.key(key);
  out.string(value);
}

void write_tags(json::Writer& out, const Track& track) {
  out.key("tags");
  out.begin_object();
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    out.key(kFacetNames[facet]);
    out.begin_array();
    for (const auto& id : track.tags[facet]) out.string(id);
    out.end_array();
  }
  out.end_object();
}

std::string canonical_line(const Track& track) {
  json::Writer out;
  out.begin_object();
  write_text(out, "id", track.id);
  write_text(out, "kind", kKindNames[static_cast<std::size_t>(track.kind)]);
  write_text(out, "title", track.title);
  out.key("artist");
  out.string(track.artist);
  write_text(out, "description", track.description);
  out.key("duration_s");
  out.decimal(static_cast<std::int64_t>(track.duration_ms), 3);
  if (track.bpm_hundredths != 0) {
    out.key("bpm");
    out.decimal(track.bpm_hundredths, 2);
  }
  write_tags(out, track);
  if (track.category) write_text(out, "category", kCategories[*track.category].id);
  if (track.energy) write_text(out, "energy", kEnergyNames[static_cast<std::size_t>(*track.energy)]);
  if (track.tone) write_text(out, "tone", kToneNames[static_cast<std::size_t>(*track.tone)]);
  out.key("loop");
  out.boolean(track.loop);
  out.key("quality");
  out.decimal(track.quality, 3);
  write_text(out, "license", license(track.license).name_id);
  write_text(out, "license_status", to_string(track.license_status));
  out.key("credit_requested");
  out.boolean(track.credit_requested);
  write_text(out, "source", track.source);
  write_text(out, "source_page", track.source_page);
  write_text(out, "preview_url", track.preview_url);
  write_text(out, "original_url", track.original_url);
  write_text(out, "peaks_url", track.peaks_url);
  out.key("taken_down");
  out.boolean(track.taken_down);
  out.end_object();
  return out.take();
}

}  // namespace

void write_canonical_lines(const Generator& generator, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  for (std::uint32_t number = 0; number < generator.size(); ++number) {
    file << canonical_line(generator.track(number)) << '\n';
  }
  if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace tonearm::bench
