#include "api/answers/file_matches.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "api/answers/track_facts.h"
#include "api/answers/track_lookup.h"
#include "domain/file_names.h"
#include "domain/fingerprint.h"
#include "text/web_address.h"
#include "tonearm/ascii.h"

namespace tonearm::api {
namespace {

using Fingerprint = std::vector<std::uint32_t>;

/// REQUIRES: 64 hexadecimal digits.
Sha256 sha256_of(std::string_view digits) {
  Sha256 hash{};
  for (std::size_t i = 0; i < hash.size(); ++i) {
    hash.at(i) = static_cast<std::uint8_t>(ascii::hex_value(digits[2 * i]) * 16 + ascii::hex_value(digits[2 * i + 1]));
  }
  return hash;
}

/// A file of the request: its evidence, and its match.
struct FileRequest {
  explicit FileRequest(const table::FileBody& body)
      : name(read_file_name(body.name)),
        address(read_file_address(body.url)),
        facts{{}, address.number ? address.number : name.number} {
    if (!body.sha256.empty()) sha256 = sha256_of(body.sha256);
    if (!body.fingerprint.empty()) fingerprint = read_fingerprint(body.fingerprint).value_or(Fingerprint());
    if (body.duration_s) facts.duration_ms = static_cast<std::uint64_t>(std::llround(*body.duration_s * 1'000));
  }

  Range durations() const {
    if (!facts.duration_ms) return {};
    const auto [min_ms, max_ms] = matching_durations(*facts.duration_ms);
    return {min_ms, max_ms};
  }

  FileName name;
  FileAddress address;
  FileFacts facts;
  std::optional<Sha256> sha256;
  Fingerprint fingerprint;

  std::optional<FileMatch> match;
  bool is_ambiguous = false;  // several tracks have its name or its address
};

FileMatch match_of(const FoundTrack& found, FoundBy found_by, std::uint32_t score) {
  return {found.track, found.position, found_by, score};
}

bool has_address(const TrackNames& names, std::string_view plain) {
  return std::any_of(names.addresses.begin(), names.addresses.end(),
                     [&](const std::string& address) { return text::normalized_url(address) == plain; });
}

/// Returns whether the track's addresses, if it has any, belong to that source.
bool is_of_source(const TrackNames& names, std::string_view domain) {
  if (names.addresses.empty()) return true;
  return std::any_of(names.addresses.begin(), names.addresses.end(), [&](const std::string& address) {
    const auto url = text::normalize_url(address);
    return url && text::is_in_domain(url->host, domain);
  });
}

class FileMatcher {
 public:
  FileMatcher(const Catalog& catalog, std::span<const table::FileBody> files) : catalog_(catalog), tracks_(catalog) {
    for (const table::FileBody& file : files) files_.emplace_back(file);
  }

  std::vector<std::optional<FileMatch>> run() {
    match_fingerprints();
    match_hashes();
    load_ids();
    match_addresses();
    for (FileRequest& file : files_) match_ids(file);
    match_names(0, 1);
    match_names(1, kReadingsMax);
    std::vector<std::optional<FileMatch>> matches;
    for (const FileRequest& file : files_) matches.push_back(file.match);
    return matches;
  }

 private:
  void load_ids() {
    std::vector<std::string> ids;
    for (const FileRequest& file : files_) {
      for (const auto& alternatives : file.name.ids) ids.insert(ids.end(), alternatives.begin(), alternatives.end());
      for (const auto& number : {file.name.number, file.address.number}) {
        if (number) ids.push_back(number->track_id);
      }
      if (!file.address.page_id.empty()) ids.push_back(file.address.page_id);
    }
    tracks_.load(std::move(ids));
  }

  // ---- CREDIT-26

  void match_fingerprints() {
    std::vector<Fingerprint> fingerprints;
    for (FileRequest& file : files_) {
      if (!file.fingerprint.empty()) fingerprints.push_back(file.fingerprint);
    }
    const auto found = catalog_.look_up_fingerprints(fingerprints);
    auto next = found.begin();
    for (FileRequest& file : files_) {
      if (!file.fingerprint.empty()) match_one_of(file, *next++, {FoundBy::fingerprint, scores::kFingerprint});
    }
  }

  // ---- CREDIT-27

  void match_hashes() {
    std::vector<Sha256> hashes;
    for (const FileRequest& file : files_) {
      if (file.sha256) hashes.push_back(*file.sha256);
    }
    const auto found = catalog_.look_up_files(hashes);
    auto next = found.begin();
    for (FileRequest& file : files_) {
      if (!file.sha256) continue;
      const std::vector<FoundTrack>& tracks = *next++;
      if (!file.match) match_one_of(file, tracks, {FoundBy::sha256, scores::kSha256});
    }
  }

  struct Evidence {
    FoundBy found_by = FoundBy::title;
    std::uint32_t score = 0;
  };
  /// Of several tracks with the same evidence, chooses the one that the file's name or duration identifies.
  void match_one_of(FileRequest& file, std::vector<FoundTrack> tracks, const Evidence& evidence) const {
    if (tracks.size() > 1) narrow_by_name(file, tracks);
    if (tracks.size() == 1) file.match = match_of(tracks.front(), evidence.found_by, evidence.score);
  }

  // ---- CREDIT-21

  void match_addresses() {
    std::vector<AddressQuery> queries;
    for (const FileRequest& file : files_) {
      for (const std::string& plain : file.address.forms) queries.push_back({plain, file.durations()});
    }
    const std::vector<Namesakes> found = catalog_.look_up_addresses(queries);
    auto next = found.begin();
    for (FileRequest& file : files_) {
      bool is_found = file.match.has_value();
      for (std::size_t i = 0; i < file.address.forms.size(); ++i, ++next) {
        file.is_ambiguous = file.is_ambiguous || (!is_found && next->are_too_many);
        if (!is_found) is_found = match_address(file, file.address.forms[i], next->tracks);
      }
      if (!is_found) match_page_or_number(file);
    }
  }

  /// Returns false if no track has that address.
  bool match_address(FileRequest& file, const std::string& plain, const std::vector<FoundTrack>& tracks) {
    std::vector<FoundTrack> matching;
    for (const FoundTrack& track : tracks) {
      if (has_address(track_names(track.track), plain)) matching.push_back(track);
    }
    if (matching.empty()) return false;
    if (matching.size() > 1) narrow_by_name(file, matching);
    file.is_ambiguous = matching.size() != 1;
    if (matching.size() == 1) file.match = match_of(matching.front(), FoundBy::url, scores::kUrl);
    return true;
  }

  /// Reduces several tracks with one address, hash or fingerprint to the one that the file's name identifies, or to
  /// those of a similar duration.
  void narrow_by_name(const FileRequest& file, std::vector<FoundTrack>& tracks) const {
    const std::vector<FileCandidate> candidates = candidates_of(tracks);
    for (const NameReading& reading : file.name.readings) {
      const TitleChoice choice = choose_by_title({reading.text}, catalog_.words(reading.text), file.facts, candidates);
      if (choice.outcome != TitleChoice::Outcome::found) continue;
      tracks = {tracks[choice.index]};
      return;
    }
    if (!file.facts.duration_ms) return;
    const Range durations = file.durations();
    std::vector<FoundTrack> similar;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      if (durations.contains(candidates[i].duration_ms)) similar.push_back(tracks[i]);
    }
    tracks = std::move(similar);
  }

  void match_page_or_number(FileRequest& file) {
    if (!file.address.page_id.empty()) {
      const auto& found = tracks_.at(file.address.page_id);
      if (found && text::normalized_url(track_names(found->track).page_url) == file.address.forms.front()) {
        file.match = match_of(*found, FoundBy::url, scores::kUrl);
        return;
      }
    }
    const auto& number = file.address.number;
    if (!number) return;
    const auto& found = tracks_.at(number->track_id);
    if (found && is_of_source(track_names(found->track), number->domain)) {
      file.match = match_of(*found, FoundBy::url, scores::kUrl);
    }
  }

  // ---- CREDIT-22

  void match_ids(FileRequest& file) {
    if (file.match) return;
    std::vector<FoundTrack> named;
    for (const auto& alternatives : file.name.ids) {
      for (const std::string& id : alternatives) {
        const auto& found = tracks_.at(id);
        if (!found) continue;
        const auto is_same = [&](const FoundTrack& other) { return other.position == found->position; };
        if (std::none_of(named.begin(), named.end(), is_same)) named.push_back(*found);
        break;
      }
    }
    if (named.empty() && file.name.number) {
      const auto& found = tracks_.at(file.name.number->track_id);
      if (found && is_same_sound(*file.name.number, track_names(found->track))) named.push_back(*found);
    }
    if (named.size() == 1) file.match = match_of(named.front(), FoundBy::id, scores::kId);
  }

  static bool is_same_sound(const SourceNumber& number, const TrackNames& names) {
    return is_of_source(names, number.domain) && is_consistent(number, names.title, names.artist);
  }

  // ---- CREDIT-23

  /// Looks up the readings from `begin` to `end` of all files without a match.
  void match_names(std::size_t begin, std::size_t end) {
    std::vector<TitleQuery> queries;
    std::vector<std::pair<FileRequest*, const NameReading*>> queried;
    for (FileRequest& file : files_) {
      if (file.match || file.is_ambiguous) continue;
      for (std::size_t i = begin; i < std::min(end, file.name.readings.size()); ++i) {
        const NameReading& reading = file.name.readings[i];
        if (reading.needs == NameReading::Needs::duration && !file.facts.duration_ms) continue;
        queries.push_back({reading.text, file.durations()});
        queried.emplace_back(&file, &reading);
      }
    }
    const std::vector<Namesakes> found = catalog_.look_up_titles(queries);
    for (std::size_t i = 0; i < queried.size(); ++i) match_name(*queried[i].first, *queried[i].second, found[i]);
  }

  void match_name(FileRequest& file, const NameReading& reading, const Namesakes& found) const {
    if (file.match || file.is_ambiguous) return;
    file.is_ambiguous = found.are_too_many;
    if (found.tracks.empty()) return;
    const std::vector<FileCandidate> candidates = candidates_of(found.tracks);
    const TitleChoice choice = choose_by_title(reading, catalog_.words(reading.text), file.facts, candidates);
    if (choice.outcome == TitleChoice::Outcome::ambiguous) file.is_ambiguous = true;
    if (choice.outcome != TitleChoice::Outcome::found) return;
    file.match = match_of(found.tracks[choice.index], FoundBy::title, choice.score);
  }

  std::vector<FileCandidate> candidates_of(const std::vector<FoundTrack>& tracks) const {
    std::vector<FileCandidate> candidates;
    candidates.reserve(tracks.size());
    for (const FoundTrack& track : tracks) {
      const TrackNames names = track_names(track.track);
      FileCandidate candidate{names.id, catalog_.words(names.title), catalog_.words(names.artist), names.duration_ms};
      const std::string_view bare = without_audio_extension(names.title);
      if (bare.size() != names.title.size()) candidate.bare_title = catalog_.words(bare);
      candidates.push_back(std::move(candidate));
    }
    return candidates;
  }

  const Catalog& catalog_;
  TrackLookup tracks_;
  std::vector<FileRequest> files_;
};

}  // namespace

std::vector<std::optional<FileMatch>> match_files(const Catalog& catalog, std::span<const table::FileBody> files) {
  return FileMatcher(catalog, files).run();
}

}  // namespace tonearm::api
