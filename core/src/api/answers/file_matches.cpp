#include "api/answers/file_matches.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "api/answers/known_tracks.h"
#include "api/answers/track_facts.h"
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

/// A file on its way: what is known of it, and what was found.
struct AskedFile {
  explicit AskedFile(const table::FileBody& body)
      : name(read_file_name(body.name)),
        url(body.url),
        plain_url(text::normalized_url(body.url)),
        addresses(compared_addresses(body.url)),
        url_number(number_in_address(body.url)),
        page_id(id_in_page_url(body.url)),
        facts{{}, url_number ? url_number : name.number} {
    if (!body.sha256.empty()) sha256 = sha256_of(body.sha256);
    if (!body.fingerprint.empty()) fingerprint = read_fingerprint(body.fingerprint).value_or(Fingerprint());
    if (body.duration_s) facts.duration_ms = static_cast<std::uint64_t>(std::llround(*body.duration_s * 1'000));
  }

  Range durations() const {
    if (!facts.duration_ms) return {};
    const auto [min_ms, max_ms] = durations_like(*facts.duration_ms);
    return {min_ms, max_ms};
  }

  FileName name;
  std::string_view url;
  std::string plain_url;
  std::vector<std::string> addresses;
  std::optional<SourceNumber> url_number;
  std::string page_id;
  FileFacts facts;
  std::optional<Sha256> sha256;
  Fingerprint fingerprint;

  std::optional<FileMatch> match;
  bool is_undecided = false;  // several tracks have its name, or its address
};

FileMatch match_of(const FoundTrack& found, FoundBy found_by, std::uint32_t score) {
  return {found.track, found.position, found_by, score};
}

bool has_address(const TrackNames& names, std::string_view plain) {
  return std::any_of(names.addresses.begin(), names.addresses.end(),
                     [&](const std::string& address) { return text::normalized_url(address) == plain; });
}

/// Whether the track is of that source, as far as its own addresses say.
bool is_of_source(const TrackNames& names, std::string_view domain) {
  if (names.addresses.empty()) return true;
  return std::any_of(names.addresses.begin(), names.addresses.end(), [&](const std::string& address) {
    const auto url = text::normalize_url(address);
    return url && text::is_in_domain(url->host, domain);
  });
}

class FileMatcher {
 public:
  FileMatcher(const Catalog& catalog, std::span<const table::FileBody> files) : catalog_(catalog), known_(catalog) {
    for (const table::FileBody& file : files) files_.emplace_back(file);
  }

  std::vector<std::optional<FileMatch>> run() {
    match_sounds();
    match_hashes();
    learn_ids();
    match_addresses();
    for (AskedFile& file : files_) match_ids(file);
    match_names(0, 1);
    match_names(1, kReadingsMax);
    std::vector<std::optional<FileMatch>> matches;
    for (const AskedFile& file : files_) matches.push_back(file.match);
    return matches;
  }

 private:
  void learn_ids() {
    std::vector<std::string> ids;
    for (const AskedFile& file : files_) {
      for (const auto& place : file.name.ids) ids.insert(ids.end(), place.begin(), place.end());
      for (const auto& number : {file.name.number, file.url_number}) {
        if (number) ids.push_back(number->track_id);
      }
      if (!file.page_id.empty()) ids.push_back(file.page_id);
    }
    known_.learn(std::move(ids));
  }

  // ---- CREDIT-26

  void match_sounds() {
    std::vector<Fingerprint> fingerprints;
    for (AskedFile& file : files_) {
      if (!file.fingerprint.empty()) fingerprints.push_back(file.fingerprint);
    }
    const auto found = catalog_.look_up_fingerprints(fingerprints);
    auto next = found.begin();
    for (AskedFile& file : files_) {
      if (!file.fingerprint.empty()) match_one_of(file, *next++, {FoundBy::fingerprint, scores::kFingerprint});
    }
  }

  // ---- CREDIT-27

  void match_hashes() {
    std::vector<Sha256> hashes;
    for (const AskedFile& file : files_) {
      if (file.sha256) hashes.push_back(*file.sha256);
    }
    const auto found = catalog_.look_up_files(hashes);
    auto next = found.begin();
    for (AskedFile& file : files_) {
      if (!file.sha256) continue;
      const std::vector<FoundTrack>& tracks = *next++;
      if (!file.match) match_one_of(file, tracks, {FoundBy::sha256, scores::kSha256});
    }
  }

  struct Evidence {
    FoundBy found_by = FoundBy::title;
    std::uint32_t score = 0;
  };
  /// Of several tracks that fit equally well the one that the file's name or duration is for.
  void match_one_of(AskedFile& file, std::vector<FoundTrack> tracks, const Evidence& evidence) const {
    if (tracks.size() > 1) keep_named(file, tracks);
    if (tracks.size() == 1) file.match = match_of(tracks.front(), evidence.found_by, evidence.score);
  }

  // ---- CREDIT-21

  void match_addresses() {
    std::vector<AddressQuery> queries;
    for (const AskedFile& file : files_) {
      for (const std::string& plain : file.addresses) queries.push_back({plain, file.durations()});
    }
    const std::vector<Namesakes> found = catalog_.look_up_addresses(queries);
    auto next = found.begin();
    for (AskedFile& file : files_) {
      bool is_known = file.match.has_value();
      for (std::size_t i = 0; i < file.addresses.size(); ++i, ++next) {
        file.is_undecided = file.is_undecided || (!is_known && next->are_too_many);
        if (!is_known) is_known = match_address(file, file.addresses[i], next->tracks);
      }
      if (!is_known) match_page_or_number(file);
    }
  }

  /// False: no track has that address.
  bool match_address(AskedFile& file, const std::string& plain, const std::vector<FoundTrack>& tracks) {
    std::vector<FoundTrack> at_it;
    for (const FoundTrack& track : tracks) {
      if (has_address(track_names(track.track), plain)) at_it.push_back(track);
    }
    if (at_it.empty()) return false;
    if (at_it.size() > 1) keep_named(file, at_it);
    file.is_undecided = at_it.size() != 1;
    if (at_it.size() == 1) file.match = match_of(at_it.front(), FoundBy::url, scores::kUrl);
    return true;
  }

  /// Of several tracks with one address, or one sound, those that the file's name is the name of, or whose duration
  /// agrees.
  void keep_named(const AskedFile& file, std::vector<FoundTrack>& tracks) const {
    const std::vector<FileCandidate> candidates = candidates_of(tracks);
    for (const NameReading& reading : file.name.readings) {
      const TitleChoice choice = choose_titled({reading.text}, catalog_.words(reading.text), file.facts, candidates);
      if (choice.outcome != TitleChoice::Outcome::found) continue;
      tracks = {tracks[choice.index]};
      return;
    }
    if (!file.facts.duration_ms) return;
    const Range durations = file.durations();
    std::vector<FoundTrack> like;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      if (durations.has(candidates[i].duration_ms)) like.push_back(tracks[i]);
    }
    tracks = std::move(like);
  }

  void match_page_or_number(AskedFile& file) {
    if (!file.page_id.empty()) {
      const auto& found = known_.at(file.page_id);
      if (found && text::normalized_url(track_names(found->track).page_url) == file.plain_url) {
        file.match = match_of(*found, FoundBy::url, scores::kUrl);
        return;
      }
    }
    if (!file.url_number) return;
    const auto& found = known_.at(file.url_number->track_id);
    if (found && is_of_source(track_names(found->track), file.url_number->domain)) {
      file.match = match_of(*found, FoundBy::url, scores::kUrl);
    }
  }

  // ---- CREDIT-22

  void match_ids(AskedFile& file) {
    if (file.match) return;
    std::vector<FoundTrack> named;
    for (const auto& place : file.name.ids) {
      for (const std::string& id : place) {
        const auto& found = known_.at(id);
        if (!found) continue;
        const auto is_it = [&](const FoundTrack& other) { return other.position == found->position; };
        if (std::none_of(named.begin(), named.end(), is_it)) named.push_back(*found);
        break;
      }
    }
    if (named.empty() && file.name.number) {
      const auto& found = known_.at(file.name.number->track_id);
      if (found && is_same_sound(*file.name.number, track_names(found->track))) named.push_back(*found);
    }
    if (named.size() == 1) file.match = match_of(named.front(), FoundBy::id, scores::kId);
  }

  static bool is_same_sound(const SourceNumber& number, const TrackNames& names) {
    return is_of_source(names, number.domain) && agrees(number, names.title, names.artist);
  }

  // ---- CREDIT-23

  /// Asks for the readings from `begin` to `end` of all files that are left.
  void match_names(std::size_t begin, std::size_t end) {
    std::vector<TitleQuery> queries;
    std::vector<std::pair<AskedFile*, const NameReading*>> asked;
    for (AskedFile& file : files_) {
      if (file.match || file.is_undecided) continue;
      for (std::size_t i = begin; i < std::min(end, file.name.readings.size()); ++i) {
        const NameReading& reading = file.name.readings[i];
        if (reading.needs == NameReading::Needs::duration && !file.facts.duration_ms) continue;
        queries.push_back({reading.text, file.durations()});
        asked.emplace_back(&file, &reading);
      }
    }
    const std::vector<Namesakes> found = catalog_.look_up_titles(queries);
    for (std::size_t i = 0; i < asked.size(); ++i) match_name(*asked[i].first, *asked[i].second, found[i]);
  }

  void match_name(AskedFile& file, const NameReading& reading, const Namesakes& found) const {
    if (file.match || file.is_undecided) return;
    file.is_undecided = found.are_too_many;
    if (found.tracks.empty()) return;
    const std::vector<FileCandidate> candidates = candidates_of(found.tracks);
    const TitleChoice choice = choose_titled(reading, catalog_.words(reading.text), file.facts, candidates);
    if (choice.outcome == TitleChoice::Outcome::undecided) file.is_undecided = true;
    if (choice.outcome != TitleChoice::Outcome::found) return;
    file.match = match_of(found.tracks[choice.index], FoundBy::title, choice.score);
  }

  std::vector<FileCandidate> candidates_of(const std::vector<FoundTrack>& tracks) const {
    std::vector<FileCandidate> candidates;
    candidates.reserve(tracks.size());
    for (const FoundTrack& track : tracks) {
      const TrackNames names = track_names(track.track);
      candidates.push_back({names.id, catalog_.words(names.title), catalog_.words(names.artist), names.duration_ms});
    }
    return candidates;
  }

  const Catalog& catalog_;
  KnownTracks known_;
  std::vector<AskedFile> files_;
};

}  // namespace

std::vector<std::optional<FileMatch>> match_files(const Catalog& catalog, std::span<const table::FileBody> files) {
  return FileMatcher(catalog, files).run();
}

}  // namespace tonearm::api
