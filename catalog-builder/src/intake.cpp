#include "intake.h"

#include <algorithm>
#include <utility>

#include "web_address.h"

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

void Intake::leave_out(std::uint64_t line_number, Fault fault, Origin origin) {
  // Of a source's recording another row may state the version; if that has other conditions, finish_licenses() knows.
  const bool may_come = origin == Origin::source && fault.reason == Reason::license_version_missing;
  if (keeps_id_out(fault.reason) && !may_come) kept_out_.insert(fault.id);
  report_.left_out(line_number, std::move(fault));
}

void Intake::take(std::uint64_t line_number, std::variant<Line, Fault> line, Origin origin) {
  if (origin == Origin::supplement) {
    take_supplement(line_number, std::move(line));
    return;
  }
  const auto* broken = std::get_if<Fault>(&line);
  const std::string id = broken != nullptr ? broken->id : std::get<Line>(line).id;
  if (origin == Origin::source && !id.empty()) note_license(id, line_number, statement_of(line));
  if (index_of_.contains(id) || kept_out_.contains(id)) {
    report_.left_out(line_number, {Reason::duplicate_id, "an earlier line has this id", id});
    return;
  }
  if (broken != nullptr) {
    leave_out(line_number, std::move(std::get<Fault>(line)), origin);
    return;
  }
  auto checked = check(std::move(std::get<Line>(line)), options_);
  if (auto* fault = std::get_if<Fault>(&checked)) {
    leave_out(line_number, std::move(*fault), origin);
    return;
  }
  auto& candidate = std::get<Candidate>(checked);
  if (auto fault = policy_.apply(candidate.track)) {
    leave_out(line_number, std::move(*fault), origin);
    return;
  }
  if (origin == Origin::source) {
    if (const auto other = id_at_address(candidate.track)) {
      report_.left_out(line_number, {Reason::duplicate_url, "its audio is that of " + *other, id});
      note_license(*other, line_number, LicenseStatement{std::string(license(candidate.track.license).name_id), 0, {}});
      return;
    }
  }
  index_of_.emplace(id, static_cast<std::uint32_t>(tracks_.size()));
  input_of_.push_back(report_.current_input());
  tracks_.push_back(std::move(candidate.track));
  neighbor_ids_.push_back(std::move(candidate.neighbor_ids));
  report_.kept();
}

void Intake::note_license(const std::string& id, std::uint64_t line_number, std::optional<LicenseStatement> stated) {
  if (!stated) return;
  stated->line = line_number;
  stated->file = report_.current_file();
  const auto [found, is_first] = recordings_.try_emplace(id, Recording{*stated, {}, false});
  if (is_first) return;
  auto& recording = found->second;
  recording.is_at_odds = recording.is_at_odds || are_at_odds(*stated, recording.stated);
  if (is_stricter(*stated, recording.stated)) {
    recording.milder = std::exchange(recording.stated, std::move(*stated));
  } else if (is_stricter(recording.stated, *stated) || recording.is_at_odds) {
    recording.milder = std::move(*stated);
  } else if (!find_license(recording.stated.id) && find_license(stated->id)) {
    recording.stated = std::move(*stated);  // the same, with its version
  }
}

std::optional<std::string> Intake::id_at_address(const Track& track) {
  std::optional<std::string> other;
  for (const auto* url : {&track.original_url, &track.preview_url}) {
    if (url->empty()) continue;
    const auto [found, is_new] = id_at_address_.try_emplace(same_address(*url), track.id);
    if (!is_new && found->second != track.id) other = found->second;
  }
  return other;
}

void Intake::take_supplement(std::uint64_t line_number, std::variant<Line, Fault> line) {
  const auto* given = std::get_if<Line>(&line);
  if (given != nullptr) {
    const auto [found, is_new] = supplement_of_.try_emplace(given->id, supplements_.size());
    if (!is_new) {
      auto& first = std::get<Line>(supplements_[found->second].line);
      for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
        first.tags[facet].insert(first.tags[facet].end(), given->tags[facet].begin(), given->tags[facet].end());
      }
      if (!first.category) first.category = given->category;
      report_.joined(report_.current_input());
      return;
    }
  }
  report_.waiting();
  supplements_.push_back({std::move(line), report_.current_input(), line_number});
}

/// Each gives what its track lacks: tags, and a category where it has none. What finds no track is a row as any other.
void Intake::finish_supplements() {
  for (auto& supplement : supplements_) {
    auto* line = std::get_if<Line>(&supplement.line);
    const auto found = line == nullptr ? index_of_.end() : index_of_.find(line->id);
    if (found == index_of_.end()) {
      report_.resume(supplement.input);
      take(supplement.number, std::move(supplement.line), Origin::source);
      continue;
    }
    auto& track = tracks_[found->second];
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      for (auto& id : line->tags[facet]) {
        auto& ids = track.tags[facet];
        if (is_tag_id(id) && std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(std::move(id));
      }
    }
    if (!track.category && line->category) track.category = find_category(*line->category);
    report_.joined_waiting(supplement.input);
  }
  supplements_.clear();
}

/// C10.2: the stricter of what sources state takes the place of the milder, or keeps the recording out.
void Intake::finish_licenses() {
  std::vector<bool> is_removed(tracks_.size());
  for (const auto& [id, recording] : recordings_) {
    if (!recording.milder) continue;
    report_.contradiction(id, recording.stated, *recording.milder);
    const auto found = index_of_.find(id);
    if (found == index_of_.end()) continue;
    auto& track = tracks_[found->second];
    if (track.license == LicenseId::unknown) continue;
    const auto stricter = find_license(recording.stated.id);
    std::optional<Fault> fault;
    if (!stricter || recording.is_at_odds) {
      fault = Fault{Reason::license_contradiction, "another source states a license that is not taken", id};
    } else if (license(*stricter).share_alike && !options_.allow_share_alike) {
      fault = Fault{Reason::share_alike, "another source states " + recording.stated.id, id};
    } else if (track.license != *stricter) {
      track.license = *stricter;
      fault = policy_.apply(track);
    }
    if (!fault) continue;
    is_removed[found->second] = true;
    report_.withdrawn(input_of_[found->second], recording.stated.file, recording.stated.line, std::move(*fault));
  }
  remove_tracks(is_removed);
}

void Intake::remove_tracks(const std::vector<bool>& is_removed) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < is_removed.size(); ++i) {
    if (is_removed[i]) {
      index_of_.erase(tracks_[i].id);
      continue;
    }
    index_of_[tracks_[i].id] = static_cast<std::uint32_t>(kept);
    if (kept != i) {
      tracks_[kept] = std::move(tracks_[i]);
      neighbor_ids_[kept] = std::move(neighbor_ids_[i]);
    }
    ++kept;
  }
  tracks_.resize(kept);
  neighbor_ids_.resize(kept);
}

Collected Intake::finish() {
  finish_supplements();
  finish_licenses();
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
  input_of_.clear();
  kept_out_.clear();
  recordings_.clear();
  id_at_address_.clear();
  supplement_of_.clear();
  return result;
}

}  // namespace tonearm::builder
