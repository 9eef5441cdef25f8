#include "intake/intake.h"

#include <algorithm>
#include <utility>

#include "text/unicode.h"
#include "text/visible.h"
#include "values/decimal.h"
#include "values/names.h"
#include "values/url.h"

namespace tonearm::builder {

namespace {

/// The value of that name; nothing if there is none.
template <class Enumeration, std::size_t Size>
std::optional<Enumeration> named(const std::array<std::string_view, Size>& names, const std::string& name) {
  const auto* found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enumeration>(found - names.begin());
}

/// Whether the line states a license and is left out for it, or policy leaves it out.
bool keeps_id_out(Reason reason) {
  return reason_row(reason).by_policy || reason == Reason::license_unknown || reason == Reason::license_ambiguous ||
         reason == Reason::license_version_missing;
}

}  // namespace

void Intake::leave_out(std::uint64_t line_number, Rejection rejection, Origin origin) {
  // Of a source's recording another row may state the version; if that has other conditions, finish_licenses() knows.
  const bool may_come = origin == Origin::source && rejection.reason == Reason::license_version_missing;
  if (keeps_id_out(rejection.reason) && !may_come) kept_out_.insert(rejection.id);
  report_.reject(line_number, std::move(rejection));
}

void Intake::take(std::uint64_t line_number, std::variant<Line, Rejection> line, Origin origin) {
  if (origin != Origin::canonical) note(line_number, line);
  if (origin == Origin::supplement) {
    take_supplement(line_number, std::move(line));
    return;
  }
  if (origin == Origin::canonical) {
    take_as_track(line_number, std::move(line), origin);
    return;
  }
  const auto* broken = std::get_if<Rejection>(&line);
  const auto& artist = broken != nullptr ? broken->evidence.artist : std::get<Line>(line).artist;
  const auto named = text::is_utf8(artist) && is_creditable_name(artist) ? artist : std::string();
  const auto id = broken != nullptr ? broken->id : std::get<Line>(line).id;
  if (take_as_track(line_number, std::move(line), origin) || named.empty()) return;
  const auto track = index_of_.find(id);
  if (track == index_of_.end() || !text::has_visible(tracks_[track->second].artist)) artist_of_.try_emplace(id, named);
}

bool Intake::take_as_track(std::uint64_t line_number, std::variant<Line, Rejection> line, Origin origin) {
  const auto* broken = std::get_if<Rejection>(&line);
  const std::string id = broken != nullptr ? broken->id : std::get<Line>(line).id;
  if (index_of_.contains(id) || kept_out_.contains(id)) {
    report_.reject(line_number, {Reason::duplicate_id, "an earlier line has this id", id});
    return false;
  }
  if (broken != nullptr) {
    leave_out(line_number, std::move(std::get<Rejection>(line)), origin);
    return false;
  }
  auto checked = check(std::move(std::get<Line>(line)), options_);
  if (auto* rejection = std::get_if<Rejection>(&checked)) {
    leave_out(line_number, std::move(*rejection), origin);
    return false;
  }
  auto& candidate = std::get<Candidate>(checked);
  if (auto rejection = policy_.apply(candidate.track)) {
    leave_out(line_number, std::move(*rejection), origin);
    return false;
  }
  const auto recording = origin == Origin::source ? recording_of(id) : std::nullopt;
  const auto at = static_cast<std::uint32_t>(tracks_.size());
  if (recording && recordings_[*recording].track) {
    const auto other = *recordings_[*recording].track;
    if (tracks_[other].taken_down || !candidate.track.taken_down) {
      report_.reject(line_number, {Reason::duplicate_url, "its audio is that of " + tracks_[other].id, id});
      return false;
    }
    taken_down_as_.emplace_back(other, at);  // LINE-18
  }
  if (recording) recordings_[*recording].track = at;
  keep(line_number, std::move(candidate), origin);
  return true;
}

void Intake::keep(std::uint64_t line_number, Candidate candidate, Origin origin) {
  index_of_.emplace(candidate.track.id, static_cast<std::uint32_t>(tracks_.size()));
  kept_.push_back({report_.current_input(), line_number, origin == Origin::canonical});
  tracks_.push_back(std::move(candidate.track));
  neighbor_ids_.push_back(std::move(candidate.neighbor_ids));
  report_.count_kept();
}

void Intake::note(std::uint64_t line_number, const std::variant<Line, Rejection>& line) {
  const auto* rejection = std::get_if<Rejection>(&line);
  const auto& id = rejection != nullptr ? rejection->id : std::get<Line>(line).id;
  if (id.empty()) return;
  auto stated = statement_of(line);
  const auto evidence = rejection != nullptr ? rejection->evidence : evidence_of(std::get<Line>(line));
  const auto duration_ms = evidence.duration_s ? scale_decimal(*evidence.duration_s, 3) : std::nullopt;
  if (duration_ms && *duration_ms != 0)
    same_.add({id, evidence.title, evidence.artist, *duration_ms, evidence.made_from});
  if (!stated && evidence.audio.empty() && evidence.made_from.empty()) return;
  const auto recording = recording_named(id);
  if (stated) {
    stated->line = line_number;
    stated->input = report_.current_input();
    state(root_of(recording), *stated);
  }
  for (const auto& id_of_original : evidence.made_from) {
    const auto original = recording_named(id_of_original);
    recordings_[root_of(recording)].made_from.push_back(original);
  }
  for (const auto& url : evidence.audio) {
    const auto address = resolve_media_url(options_.media_url, url);
    if (!address) continue;
    const auto at = recording_at_address_.try_emplace(comparable_url(*address), recording).first;
    join_recordings(recording, at->second);
  }
}

std::uint32_t Intake::recording_named(const std::string& id) {
  const auto [found, is_new] = recording_of_id_.try_emplace(id, static_cast<std::uint32_t>(recordings_.size()));
  if (is_new) recordings_.push_back({&found->first, found->second, {}, {}, {}});
  return found->second;
}

std::uint32_t Intake::root_of(std::uint32_t recording) {
  while (recordings_[recording].same_as != recording) {
    auto& next = recordings_[recording].same_as;
    next = recordings_[next].same_as;
    recording = next;
  }
  return recording;
}

std::optional<std::uint32_t> Intake::recording_of(const std::string& id) {
  const auto found = recording_of_id_.find(id);
  if (found == recording_of_id_.end()) return std::nullopt;
  return root_of(found->second);
}

void Intake::join_recordings(std::uint32_t one, std::uint32_t other) {
  const auto first = std::min(root_of(one), root_of(other));
  const auto second = std::max(root_of(one), root_of(other));
  if (first == second) return;
  auto& joined = recordings_[second];
  joined.same_as = first;
  for (const auto& stated : joined.stated) state(first, stated);
  joined.stated = {};
  auto& made_from = recordings_[first].made_from;
  made_from.insert(made_from.end(), joined.made_from.begin(), joined.made_from.end());
  if (!recordings_[first].track) recordings_[first].track = joined.track;
}

bool Intake::state(std::uint32_t recording, const LicenseStatement& stated) {
  auto& all = recordings_[recording].stated;
  const bool is_known = std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.id == stated.id; });
  if (!is_known) all.push_back(stated);
  return !is_known;
}

namespace {

bool can_be_track(const Line& line) { return line.title.has_value(); }

/// Takes over what the first does not say. Whether both say it, and differ.
bool merge(std::optional<std::string>& first, const std::optional<std::string>& other) {
  if (!first) first = other;
  return other && *first != *other;
}

}  // namespace

void Intake::take_supplement(std::uint64_t line_number, std::variant<Line, Rejection> line) {
  const auto* given = std::get_if<Line>(&line);
  if (given != nullptr && !can_be_track(*given)) {
    const auto [found, is_new] = supplement_of_.try_emplace(given->id, supplements_.size());
    if (!is_new) {
      auto& supplement = supplements_[found->second];
      auto& first = std::get<Line>(supplement.line);
      for (std::size_t facet = 0; facet < kFacetCount; ++facet) add_tags(first.tags[facet], given->tags[facet]);
      if (!first.category) first.category = given->category;
      supplement.energies_differ = merge(first.energy, given->energy) || supplement.energies_differ;
      supplement.tones_differ = merge(first.tone, given->tone) || supplement.tones_differ;
      report_.count_joined(report_.current_input());
      return;
    }
  }
  report_.count_deferred();
  supplements_.push_back({std::move(line), report_.current_input(), line_number});
}

/// Gives what its track lacks: tags; a category, an energy, a tone, an artist and a page where it has none. What finds
/// no track is a row as any other.
void Intake::finish_supplement(Supplement& supplement) {
  auto* line = std::get_if<Line>(&supplement.line);
  if (line != nullptr && supplement.energies_differ) line->energy.reset();
  if (line != nullptr && supplement.tones_differ) line->tone.reset();
  const auto found = line == nullptr ? index_of_.end() : index_of_.find(line->id);
  if (found == index_of_.end()) {
    report_.resume(supplement.input);
    take(supplement.number, std::move(supplement.line), Origin::source);
    return;
  }
  auto& track = tracks_[found->second];
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    auto& ids = line->tags[facet];
    std::erase_if(ids, [](const std::string& id) { return !is_tag_id(id); });
    add_tags(track.tags[facet], std::move(ids));
  }
  if (!track.category && line->category) track.category = find_category(*line->category);
  if (!track.energy && line->energy) track.energy = named<Energy>(kEnergyNames, *line->energy);
  if (!track.tone && line->tone) track.tone = named<Tone>(kToneNames, *line->tone);
  if (track.source_page.empty() && line->source_page) track.source_page = *line->source_page;
  if (!text::has_visible(track.artist) && text::is_utf8(line->artist) && text::has_visible(line->artist)) {
    track.artist = line->artist;
    if (track.duration_ms != 0) same_.add({track.id, track.title, track.artist, track.duration_ms, {}});
  }
  report_.count_joined_deferred(supplement.input);
}

/// First those that can be tracks themselves: the others may be about them.
void Intake::finish_supplements() {
  for (const bool with_title : {true, false}) {
    for (auto& supplement : supplements_) {
      const auto* line = std::get_if<Line>(&supplement.line);
      if ((line != nullptr && can_be_track(*line)) == with_title) finish_supplement(supplement);
    }
  }
  supplements_.clear();
}

/// Gives the track the license that is taken, or says why it is left out (LINE-8).
std::optional<Rejection> Intake::settle(Track& track, const LicenseStatement& taken, bool is_contradictory) {
  const auto stricter = find_license(taken.id);
  if (is_contradictory)
    return Rejection{Reason::license_contradiction, "no license that is stated covers the others", track.id};
  if (!stricter && lacks_version(taken.id) && options_.evaluation) {
    track.license = LicenseId::unknown;
    return std::nullopt;
  }
  if (!stricter) {
    return Rejection{Reason::license_contradiction, "another source states a license that is not taken", track.id};
  }
  if (license(*stricter).share_alike && !options_.allow_share_alike) {
    return Rejection{Reason::share_alike, "another source states " + taken.id, track.id};
  }
  if (track.license == *stricter) return std::nullopt;
  track.license = *stricter;
  auto rejection = policy_.apply(track);
  track.license_status = LicenseStatus::listed;  // what somebody verified is not this license (LINE-17)
  return rejection;
}

/// What is stated of a recording also counts for all that it was made from, and then for all that was made from it,
/// through any number of steps (LINE-15, ADR 93).
void Intake::share_statements() {
  Links originals;
  Links cuts;
  for (std::uint32_t i = 0; i < recordings_.size(); ++i) {
    if (root_of(i) != i) continue;
    for (const auto named : recordings_[i].made_from) {
      const auto original = root_of(named);
      if (original == i) continue;
      originals[i].push_back(original);
      cuts[original].push_back(i);
    }
  }
  spread(originals);
  spread(cuts);
}

/// Ends where recordings lead to each other, too: a recording is looked at again only if there is more to be said.
void Intake::spread(const Links& links) {
  std::vector<std::uint32_t> waiting;
  waiting.reserve(links.size());
  for (const auto& [from, to] : links) waiting.push_back(from);
  while (!waiting.empty()) {
    const auto from = waiting.back();
    waiting.pop_back();
    for (const auto to : links.at(from)) {
      bool has_more = false;
      for (const auto& stated : recordings_[from].stated) has_more = state(to, stated) || has_more;
      if (has_more && links.contains(to)) waiting.push_back(to);
    }
  }
}

void Intake::report_contradictions() {
  for (std::uint32_t i = 0; i < recordings_.size(); ++i) {
    if (root_of(i) != i) continue;
    const auto& stated = recordings_[i].stated;
    if (stated.empty()) continue;
    const auto resolution = resolve(stated);
    if (!resolution.differing) continue;
    report_.add_contradiction(*recordings_[i].id, stated[resolution.chosen], stated[*resolution.differing]);
  }
}

/// A track without an artist gets the one that the first other row of its id names (LINE-13).
void Intake::finish_artists() {
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    auto& track = tracks_[i];
    if (kept_[i].is_canonical || text::has_visible(track.artist)) continue;
    const auto found = artist_of_.find(track.id);
    if (found == artist_of_.end()) continue;
    track.artist = found->second;
    if (track.duration_ms != 0) same_.add({track.id, track.title, track.artist, track.duration_ms, {}});
  }
}

/// Of tracks that are one recording one stays; rows that are no tracks state their licenses (LINE-14, LINE-15).
void Intake::leave_out_duplicates(std::vector<bool>& is_removed) {
  for (const auto& [other, stays] : taken_down_as_) {
    is_removed[other] = true;
    report_.add_duplicate(kept_[other].input, kept_[other].line, tracks_[other].id, tracks_[stays].id);
  }
  for (auto& row : same_.rows()) {
    const auto found = index_of_.find(row.id);
    if (found == index_of_.end() || kept_[found->second].is_canonical) continue;
    if (tracks_[found->second].duration_ms != row.duration_ms) continue;
    row.track = found->second;
    row.standing = standing_of(tracks_[found->second], row.is_original);
  }
  for (const auto& [other, stays] : same_.pairs()) {
    join_recordings(recording_named(other->id), recording_named(stays->id));
    if (!other->track || is_removed[*other->track]) continue;
    is_removed[*other->track] = true;
    const auto& place = kept_[*other->track];
    report_.add_duplicate(place.input, place.line, other->id, stays->id);
  }
}

/// The license that counts for the track, and whether it can be credited as that license asks.
void Intake::finish_license(std::size_t index, std::vector<bool>& is_removed) {
  if (is_removed[index] || kept_[index].is_canonical) return;
  auto& track = tracks_[index];
  if (const auto recording = recording_of(track.id)) {
    const auto& stated = recordings_[*recording].stated;
    if (!stated.empty()) {
      const auto resolution = resolve(stated);
      const auto& taken = stated[resolution.chosen];
      if (auto rejection = settle(track, taken, resolution.is_contradictory)) {
        is_removed[index] = true;
        report_.withdraw(kept_[index].input, {taken.input, taken.line}, std::move(*rejection));
        return;
      }
    }
  }
  if (track.license == LicenseId::unknown || !license(track.license).credit_required) return;
  if (text::has_visible(track.artist)) return;
  is_removed[index] = true;
  report_.withdraw(kept_[index].input, {kept_[index].input, kept_[index].line},
                   {Reason::artist_missing, "the license asks for a credit, and no artist is named", track.id});
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
      kept_[kept] = kept_[i];
    }
    ++kept;
  }
  tracks_.resize(kept);
  neighbor_ids_.resize(kept);
  kept_.resize(kept);
}

Collected Intake::finish() {
  finish_supplements();
  finish_artists();
  std::vector<bool> is_removed(tracks_.size());
  leave_out_duplicates(is_removed);
  share_statements();
  report_contradictions();
  for (std::size_t i = 0; i < tracks_.size(); ++i) finish_license(i, is_removed);
  remove_tracks(is_removed);
  Collected result;
  report_.policy_unmatched = policy_.unmatched();
  result.given.resize(tracks_.size());
  result.is_of_source.resize(tracks_.size());
  for (std::uint32_t i = 0; i < tracks_.size(); ++i) {
    result.is_of_source[i] = !kept_[i].is_canonical;
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
  kept_.clear();
  kept_out_.clear();
  artist_of_.clear();
  taken_down_as_.clear();
  recordings_.clear();
  recording_of_id_.clear();
  recording_at_address_.clear();
  supplement_of_.clear();
  same_ = {};
  return result;
}

}  // namespace tonearm::builder
