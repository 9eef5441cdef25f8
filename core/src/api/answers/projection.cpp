#include "api/answers/projection.h"

#include <algorithm>

#include "reflection/track_type.h"

namespace tonearm::api {

Projection::Projection(const std::vector<std::string>& paths) {
  const auto named = [&](const std::string& path) {
    return std::find(paths.begin(), paths.end(), path) != paths.end();
  };
  const std::vector<std::string>& all = table::track_paths();
  json::Writer untrusted;
  untrusted.begin_array();
  std::size_t index = 0;
  for (const table::Field& field : table::kTrackType.fields) {
    ChosenField chosen_field{index, field.name, {}};
    bool chosen = named(all[index++]) || field.name == table::kUntrustedFields;
    if (field.object != nullptr) {
      for (const table::Field& child : field.object->fields) {
        // If the request names a parent and its child, the parent takes precedence (FIELDS-2).
        if (!chosen && named(all[index])) chosen_field.children.push_back({index, child.name, {}});
        ++index;
      }
      chosen = chosen || !chosen_field.children.empty();
    }
    if (!chosen) continue;
    if (field.trust == table::Trust::untrusted) untrusted.string(field.name);
    fields_.push_back(std::move(chosen_field));
  }
  untrusted.end_array();
  untrusted_ = untrusted.take();
}

void Projection::write(std::string& out, const std::vector<ChosenField>& fields, const RenderedTrack& track) {
  out += '{';
  for (const ChosenField& field : fields) {
    if (out.back() != '{') out += ',';
    out += '"';
    out += field.key;
    out += "\":";
    const std::size_t begin = track.offsets[2 * field.path];
    const std::size_t end = track.offsets[2 * field.path + 1];
    const std::string_view value = track.json.substr(begin, end - begin);
    // A null parent stays null (FIELDS-2).
    if (field.children.empty() || value == "null") {
      out += value;
    } else {
      write(out, field.children, track);
    }
  }
  out += '}';
}

std::string Projection::apply(const RenderedTrack& track) const {
  std::string out = "{";
  for (const ChosenField& field : fields_) {
    if (field.key == table::kUntrustedFields) {
      if (out.size() > 1) out += ',';
      out += "\"untrusted_fields\":" + untrusted_;
      continue;
    }
    std::string one;
    write(one, {field}, track);
    if (out.size() > 1) out += ',';
    out.append(one, 1, one.size() - 2);
  }
  return out + '}';
}

ChosenFields::ChosenFields(const std::vector<RenderedTrack>& tracks, const std::vector<std::string>& paths,
                           std::span<const std::uint32_t> variants) {
  fields_of_each_.reserve(tracks.size());
  if (paths.empty() && variants.empty()) {
    for (const RenderedTrack& track : tracks) fields_of_each_.push_back(track.json);
    return;
  }
  const Projection projection(paths);
  chosen_.reserve(tracks.size());
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    std::string& json = chosen_.emplace_back(paths.empty() ? std::string(tracks[i].json) : projection.apply(tracks[i]));
    if (!variants.empty()) {
      // Appends a field before the closing brace. Every track has at least one field.
      json.pop_back();
      json.append(",\"").append(table::kVariantsField).append("\":").append(std::to_string(variants[i])).append("}");
    }
    fields_of_each_.push_back(json);
  }
}

}  // namespace tonearm::api
