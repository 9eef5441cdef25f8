#include "intake/intake.h"

#include <algorithm>
#include <utility>

#include "text/unicode.h"
#include "text/visible.h"
#include "tracks/record_encoding.h"
#include "values/decimal.h"
#include "values/names.h"
#include "values/url.h"

namespace tonearm::builder {

namespace {

template <class Enumeration, std::size_t Size>
std::optional<Enumeration> value_of_name(const std::array<std::string_view, Size>& names, const std::string& name) {
  const auto* found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enumeration>(found - names.begin());
}

/// Returns whether a rejection blocks its id: the policy or the stated license rejects the line.
bool blocks_id(Reason reason) {
  return reason_row(reason).by_policy || reason == Reason::license_unknown || reason == Reason::license_ambiguous ||
         reason == Reason::license_version_missing;
}

bool can_be_track(const Line& line) { return line.title.has_value(); }

/// Fills a missing value. Returns whether both values are present and differ.
bool merge(std::optional<std::string>& first, const std::optional<std::string>& other) {
  if (!first) first = other;
  return other && *first != *other;
}

const std::string& id_of(const std::variant<Line, Rejection>& line) {
  const auto* rejection = std::get_if<Rejection>(&line);
  return rejection != nullptr ? rejection->id : std::get<Line>(line).id;
}

}  // namespace

void Intake::reject(std::uint64_t line_number, Rejection rejection, Origin origin) {
  // Another row of a source may state the version of the license. If it has other conditions, resolve_track() rejects
  // it.
  const bool may_be_completed = origin == Origin::source && rejection.reason == Reason::license_version_missing;
  if (blocks_id(rejection.reason) && !may_be_completed) blocked_ids_.insert(rejection.id);
  report_.reject(line_number, std::move(rejection));
}

void Intake::add(std::uint64_t line_number, std::variant<Line, Rejection> line, Origin origin) {
  if (origin != Origin::canonical) record_statements(line_number, line);
  if (origin == Origin::supplement) {
    add_supplement(line_number, std::move(line));
    return;
  }
  if (origin == Origin::canonical) {
    add_track(line_number, std::move(line), origin);
    return;
  }
  const auto* rejection = std::get_if<Rejection>(&line);
  const auto& artist = rejection != nullptr ? rejection->evidence.artist : std::get<Line>(line).artist;
  const auto usable_artist = text::is_utf8(artist) && is_creditable_name(artist) ? artist : std::string();
  const auto id = id_of(line);
  if (add_track(line_number, std::move(line), origin) || usable_artist.empty()) return;
  const auto track = ids_.find(id);
  const bool lacks_artist = !track || !text::has_visible(tracks_.read(*track).artist);
  if (lacks_artist) artist_by_id_.try_emplace(id, usable_artist);
}

bool Intake::add_track(std::uint64_t line_number, std::variant<Line, Rejection> line, Origin origin) {
  const std::string id = id_of(line);
  if (ids_.find(id) || blocked_ids_.contains(id)) {
    report_.reject(line_number, {Reason::duplicate_id, "an earlier line has this id", id});
    return false;
  }
  if (auto* rejection = std::get_if<Rejection>(&line)) {
    reject(line_number, std::move(*rejection), origin);
    return false;
  }
  auto checked = check(std::move(std::get<Line>(line)), options_);
  if (auto* rejection = std::get_if<Rejection>(&checked)) {
    reject(line_number, std::move(*rejection), origin);
    return false;
  }
  auto& candidate = std::get<Candidate>(checked);
  if (auto rejection = policy_.apply(candidate.track)) {
    reject(line_number, std::move(*rejection), origin);
    return false;
  }
  if (const auto recording = origin == Origin::source ? recordings_.find(id) : std::nullopt) {
    const auto index = tracks_.size();
    if (const auto other = recordings_.track(*recording)) {
      if (track_lines_[*other].taken_down || !candidate.track.taken_down) {
        report_.reject(line_number,
                       {Reason::duplicate_url, "its audio is that of " + std::string(ids_.text(*other)), id});
        return false;
      }
      replaced_by_taken_down_.emplace_back(*other, index);  // LINE-18
    }
    recordings_.set_track(*recording, index);
  }
  store_track(line_number, std::move(candidate), origin);
  return true;
}

void Intake::store_track(std::uint64_t line_number, Candidate candidate, Origin origin) {
  const Track& track = candidate.track;
  if (candidate.neighbor_ids) {
    given_neighbors_.push_back({tracks_.size(), neighbor_ids_.append(encode(*candidate.neighbor_ids))});
  }
  track_lines_.push_back({line_number, static_cast<std::uint32_t>(report_.current_input()), origin == Origin::canonical,
                          track.taken_down, is_speech(track), track.kind});
  ids_.add(track.id);
  tracks_.append(track);
  report_.count_kept();
}

void Intake::update_track(std::uint32_t index, const std::function<void(Track&)>& change) {
  tracks_.update(index, [&](Track& track) {
    change(track);
    track_lines_[index].taken_down = track.taken_down;
    track_lines_[index].is_speech = is_speech(track);
  });
}

void Intake::record_statements(std::uint64_t line_number, const std::variant<Line, Rejection>& line) {
  const auto& id = id_of(line);
  if (id.empty()) return;
  auto stated = statement_of(line);
  const auto* rejection = std::get_if<Rejection>(&line);
  const auto evidence = rejection != nullptr ? rejection->evidence : evidence_of(std::get<Line>(line));
  const auto duration_ms = evidence.duration_s ? scale_decimal(*evidence.duration_s, 3) : std::nullopt;
  if (duration_ms && *duration_ms != 0) {
    same_recordings_.add({id, evidence.title, evidence.artist, *duration_ms, evidence.made_from});
  }
  if (!stated && evidence.audio.empty() && evidence.made_from.empty()) return;
  const auto recording = recordings_.add(id);
  if (stated) {
    stated->line = line_number;
    stated->input = report_.current_input();
    recordings_.add_statement(recording, *stated);
  }
  for (const auto& original_id : evidence.made_from) recordings_.add_original(recording, original_id);
  for (const auto& url : evidence.audio) {
    if (const auto address = resolve_media_url(options_.media_url, url)) {
      recordings_.add_address(recording, comparable_url(*address));
    }
  }
}

void Intake::add_supplement(std::uint64_t line_number, std::variant<Line, Rejection> line) {
  const auto* given = std::get_if<Line>(&line);
  if (given != nullptr && !can_be_track(*given)) {
    const auto [found, is_new] = supplement_by_id_.try_emplace(given->id, supplements_.size());
    if (!is_new) {
      auto& supplement = supplements_[found->second];
      auto& first = std::get<Line>(supplement.line);
      for (std::size_t facet = 0; facet < kFacetCount; ++facet) add_tags(first.tags[facet], given->tags[facet]);
      add_tags(first.matching_words, given->matching_words);
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

/// Adds tags to the track of the row, and a category, energy, tone, artist and page if the track lacks them. A row
/// without a track is treated like a row of a source.
void Intake::apply_supplement(Supplement& supplement) {
  auto* line = std::get_if<Line>(&supplement.line);
  if (line != nullptr && supplement.energies_differ) line->energy.reset();
  if (line != nullptr && supplement.tones_differ) line->tone.reset();
  const auto found = line == nullptr ? std::nullopt : ids_.find(line->id);
  if (!found) {
    report_.resume(supplement.input);
    add(supplement.number, std::move(supplement.line), Origin::source);
    return;
  }
  update_track(*found, [&](Track& track) { add_to_track(track, *line); });
  report_.count_joined_deferred(supplement.input);
}

void Intake::add_to_track(Track& track, Line& line) {
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    auto& ids = line.tags[facet];
    std::erase_if(ids, [](const std::string& id) { return !is_tag_id(id); });
    add_tags(track.tags[facet], std::move(ids));
  }
  add_tags(track.matching_words, std::move(line.matching_words));
  if (!track.category && line.category) track.category = find_category(*line.category);
  if (!track.energy && line.energy) track.energy = value_of_name<Energy>(kEnergyNames, *line.energy);
  if (!track.tone && line.tone) track.tone = value_of_name<Tone>(kToneNames, *line.tone);
  if (track.source_page.empty() && line.source_page) track.source_page = *line.source_page;
  if (!text::has_visible(track.artist) && text::is_utf8(line.artist) && text::has_visible(line.artist)) {
    track.artist = line.artist;
    add_to_same_recordings(track);
  }
}

/// Applies rows that can be tracks first, because the others may be about them.
void Intake::apply_supplements() {
  for (const bool with_title : {true, false}) {
    for (auto& supplement : supplements_) {
      const auto* line = std::get_if<Line>(&supplement.line);
      if ((line != nullptr && can_be_track(*line)) == with_title) apply_supplement(supplement);
    }
  }
  supplements_.clear();
}

/// Adds a track whose artist was filled in later.
void Intake::add_to_same_recordings(const Track& track) {
  if (track.duration_ms != 0) same_recordings_.add({track.id, track.title, track.artist, track.duration_ms, {}});
}

/// Gives tracks without an artist the artist of the first other row of their id (LINE-13).
void Intake::fill_artists() {
  for (std::uint32_t i = 0; i < tracks_.size() && !artist_by_id_.empty(); ++i) {
    if (track_lines_[i].is_canonical) continue;
    const auto found = artist_by_id_.find(std::string(ids_.text(i)));
    if (found == artist_by_id_.end()) continue;
    tracks_.update(i, [&](Track& track) {
      if (text::has_visible(track.artist)) return;
      track.artist = found->second;
      add_to_same_recordings(track);
    });
  }
}

/// Removes all but one of the tracks that are one recording, and merges their recordings. Rows that are not tracks
/// still state licenses (LINE-14, LINE-15).
void Intake::remove_duplicates(std::vector<bool>& is_removed) {
  const auto remove = [&](std::uint32_t index, const std::string& kept_id) {
    is_removed[index] = true;
    report_.add_duplicate(track_lines_[index].input, track_lines_[index].line, std::string(ids_.text(index)), kept_id);
  };
  for (const auto& [replaced, taken_down] : replaced_by_taken_down_) {
    remove(replaced, std::string(ids_.text(taken_down)));
  }
  const auto find_track = [&](RecordingRow& row) {
    const auto found = ids_.find(row.id);
    if (!found || track_lines_[*found].is_canonical) return;
    const Track track = tracks_.read(*found);
    if (track.duration_ms != row.duration_ms) return;
    row.track = *found;
    row.priority = priority_of(track, row.is_original);
  };
  for (const auto& [duplicate, kept] : same_recordings_.pairs(find_track)) {
    recordings_.merge(recordings_.add(duplicate.id), recordings_.add(kept.id));
    if (duplicate.track && !is_removed[*duplicate.track]) remove(*duplicate.track, kept.id);
  }
}

/// Sets the strictest license, or returns why the track is rejected for it (LINE-8).
std::optional<Rejection> Intake::resolve_license(Track& track, const Recordings::Verdict& verdict) {
  const auto& strictest_id = verdict.strictest.id;
  const auto strictest = find_license(strictest_id);
  if (verdict.is_contradictory) {
    return Rejection{Reason::license_contradiction, "no license that is stated covers the others", track.id};
  }
  if (!strictest && lacks_version(strictest_id) && options_.evaluation) {
    track.license = LicenseId::unknown;
    return std::nullopt;
  }
  if (!strictest) {
    return Rejection{Reason::license_contradiction, "another source states a license that is not accepted", track.id};
  }
  if (license(*strictest).share_alike && !options_.allow_share_alike) {
    return Rejection{Reason::share_alike, "another source states " + strictest_id, track.id};
  }
  if (track.license == *strictest) return std::nullopt;
  track.license = *strictest;
  auto rejection = policy_.apply(track);
  track.license_status = LicenseStatus::listed;  // the license that somebody verified is another one (LINE-17)
  return rejection;
}

/// Resolves the license of a track. Returns why the track is rejected if it cannot be credited as that license
/// requires, and sets the row that states the reason.
std::optional<Rejection> Intake::resolve_track(Track& track, RowPlace& stated) {
  if (const auto verdict = recordings_.verdict(track.id)) {
    if (auto rejection = resolve_license(track, *verdict)) {
      stated = {verdict->strictest.input, verdict->strictest.line};
      return rejection;
    }
  }
  if (track.license == LicenseId::unknown || !license(track.license).credit_required) return std::nullopt;
  if (text::has_visible(track.artist)) return std::nullopt;
  return Rejection{Reason::artist_missing, "the license requires a credit, and no artist is named", track.id};
}

void Intake::resolve_tracks(std::vector<bool>& is_removed) {
  for (std::uint32_t i = 0; i < tracks_.size(); ++i) {
    const auto& origin = track_lines_[i];
    if (is_removed[i] || origin.is_canonical) continue;
    RowPlace stated{origin.input, origin.line};
    std::optional<Rejection> rejection;
    update_track(i, [&](Track& track) { rejection = resolve_track(track, stated); });
    if (!rejection) continue;
    is_removed[i] = true;
    report_.withdraw(origin.input, stated, std::move(*rejection));
  }
}

void Intake::remove_tracks(const std::vector<bool>& is_removed) {
  if (std::find(is_removed.begin(), is_removed.end(), true) == is_removed.end()) return;
  StringTable kept_ids;
  auto given = given_neighbors_.begin();
  auto kept_given = given;
  for (std::uint32_t i = 0; i < is_removed.size(); ++i) {
    const bool has_given = given != given_neighbors_.end() && given->track == i;
    if (!is_removed[i]) {
      if (has_given) *kept_given++ = {kept_ids.size(), given->record};
      track_lines_[kept_ids.size()] = track_lines_[i];
      kept_ids.add(ids_.text(i));
    }
    if (has_given) ++given;
  }
  given_neighbors_.erase(kept_given, given_neighbors_.end());
  track_lines_.resize(kept_ids.size());
  ids_ = std::move(kept_ids);
  tracks_.remove(is_removed);
}

bool Intake::may_be_neighbor(std::uint32_t index, std::uint32_t neighbor) const {
  const auto& track = track_lines_[index];
  const auto& other = track_lines_[neighbor];
  return neighbor != index && other.kind == track.kind && !other.taken_down && (!other.is_speech || track.is_speech);
}

void Intake::resolve_neighbors(const GivenNeighbors& given) {
  std::vector<std::uint32_t> neighbors;
  for (const auto& id : decode<std::vector<std::string>>(neighbor_ids_.read(given.record))) {
    const auto found = ids_.find(id);
    const bool is_valid = found && may_be_neighbor(given.track, *found);
    if (is_valid && std::find(neighbors.begin(), neighbors.end(), *found) == neighbors.end()) {
      neighbors.push_back(*found);
      ++report_.neighbors_given;
    } else {
      ++report_.neighbors_dropped;
    }
  }
  if (!neighbors.empty()) tracks_.set_neighbors(given.track, neighbors);
}

Collected Intake::finish() {
  apply_supplements();
  fill_artists();
  std::vector<bool> is_removed(tracks_.size());
  remove_duplicates(is_removed);
  recordings_.propagate();
  for (auto& [id, strictest, milder] : recordings_.contradictions()) {
    report_.add_contradiction(std::move(id), std::move(strictest), std::move(milder));
  }
  resolve_tracks(is_removed);
  remove_tracks(is_removed);
  report_.policy_unmatched = policy_.unmatched();
  for (const auto& given : given_neighbors_) resolve_neighbors(given);
  Collected result{std::move(tracks_), std::vector<bool>(ids_.size()), std::vector<bool>(ids_.size())};
  for (std::uint32_t i = 0; i < ids_.size(); ++i) result.is_of_source[i] = !track_lines_[i].is_canonical;
  for (const auto& given : given_neighbors_) result.has_given_neighbors[given.track] = true;
  ids_ = {};
  track_lines_ = {};
  given_neighbors_ = {};
  blocked_ids_ = {};
  artist_by_id_ = {};
  replaced_by_taken_down_ = {};
  recordings_ = {};
  supplement_by_id_ = {};
  same_recordings_.clear();
  return result;
}

}  // namespace tonearm::builder
