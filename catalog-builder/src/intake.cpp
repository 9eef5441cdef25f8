#include "intake.h"

#include <algorithm>

namespace tonearm::builder {

bool is_speech(const Track& track) {
  return track.kind == Kind::sfx && track.category && kCategories[*track.category].group_code == "sp";
}

namespace {

/// Whether the line states a license and is left out for it, or policy leaves it out.
bool keeps_id_out(Reason reason) {
  return reason_row(reason).by_policy || reason == Reason::license_unknown || reason == Reason::license_ambiguous ||
         reason == Reason::license_version_missing;
}

}  // namespace

void Intake::leave_out(std::uint64_t line_number, Fault fault) {
  if (keeps_id_out(fault.reason)) kept_out_.insert(fault.id);
  report_.left_out(line_number, std::move(fault));
}

void Intake::take(std::uint64_t line_number, std::variant<Line, Fault> line) {
  const auto* broken = std::get_if<Fault>(&line);
  const std::string id = broken != nullptr ? broken->id : std::get<Line>(line).id;
  if (index_of_.contains(id) || kept_out_.contains(id)) {
    report_.left_out(line_number, {Reason::duplicate_id, "an earlier line has this id", id});
    return;
  }
  if (broken != nullptr) {
    leave_out(line_number, std::move(std::get<Fault>(line)));
    return;
  }
  auto checked = check(std::move(std::get<Line>(line)), options_);
  if (auto* fault = std::get_if<Fault>(&checked)) {
    leave_out(line_number, std::move(*fault));
    return;
  }
  auto& candidate = std::get<Candidate>(checked);
  if (auto fault = policy_.apply(candidate.track)) {
    leave_out(line_number, std::move(*fault));
    return;
  }
  index_of_.emplace(id, static_cast<std::uint32_t>(tracks_.size()));
  tracks_.push_back(std::move(candidate.track));
  neighbor_ids_.push_back(std::move(candidate.neighbor_ids));
  report_.kept();
}

Collected Intake::finish() {
  Collected result;
  report_.policy_unmatched = policy_.unmatched();
  result.given.resize(tracks_.size());
  for (std::uint32_t i = 0; i < tracks_.size(); ++i) {
    if (!neighbor_ids_[i]) continue;
    result.given[i] = true;
    auto& track = tracks_[i];
    for (const auto& id : *neighbor_ids_[i]) {
      const auto found = index_of_.find(id);
      const bool fits = found != index_of_.end() && found->second != i && tracks_[found->second].kind == track.kind &&
                        !tracks_[found->second].taken_down && (!is_speech(tracks_[found->second]) || is_speech(track));
      const bool again =
          fits && std::find(track.neighbors.begin(), track.neighbors.end(), found->second) != track.neighbors.end();
      if (fits && !again) {
        track.neighbors.push_back(found->second);
        ++report_.neighbors_given;
      } else {
        ++report_.neighbors_dropped;
      }
    }
  }
  result.tracks = std::move(tracks_);
  neighbor_ids_.clear();
  index_of_.clear();
  kept_out_.clear();
  return result;
}

}  // namespace tonearm::builder
