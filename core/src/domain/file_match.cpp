#include "domain/file_match.h"

#include <algorithm>
#include <functional>
#include <initializer_list>

namespace tonearm {
namespace {

using Words = std::vector<std::string>;

constexpr std::uint64_t kDurationSlackMs = 2'000;
constexpr std::uint64_t kDurationShare = 50;

enum class TitleMatch : std::uint8_t { none, title, title_and_artist };

bool is_concatenation(std::span<const std::string> words, std::initializer_list<const Words*> parts) {
  std::size_t at = 0;
  for (const Words* part : parts) {
    if (words.size() - at < part->size()) return false;
    if (!std::equal(part->begin(), part->end(), words.begin() + static_cast<std::ptrdiff_t>(at))) return false;
    at += part->size();
  }
  return at == words.size();
}

TitleMatch match_title(std::span<const std::string> words, const Words& title, const Words& artist) {
  static const Words kBy{"by"};
  if (title.empty()) return TitleMatch::none;
  if (!artist.empty() && (is_concatenation(words, {&title, &artist}) || is_concatenation(words, {&artist, &title}) ||
                          is_concatenation(words, {&title, &kBy, &artist}))) {
    return TitleMatch::title_and_artist;
  }
  return is_concatenation(words, {&title}) ? TitleMatch::title : TitleMatch::none;
}

/// Titles that are file names match with and without their extension.
TitleMatch match_title(std::span<const std::string> words, const FileCandidate& track) {
  const TitleMatch whole = match_title(words, track.title, track.artist);
  return whole == TitleMatch::none ? match_title(words, track.bare_title, track.artist) : whole;
}

struct Match {
  std::size_t index = 0;
  bool has_artist = false;
  bool has_duration = false;
};

/// Removes matches that are not preferred, if any match is preferred.
template <class IsPreferred>
void prefer(std::vector<Match>& matches, const IsPreferred& is_preferred) {
  if (std::none_of(matches.begin(), matches.end(), is_preferred)) return;
  matches.erase(std::remove_if(matches.begin(), matches.end(), std::not_fn(is_preferred)), matches.end());
}

std::uint32_t score_of(const Match& match, std::size_t word_count) {
  if (match.has_artist) return scores::kTitleAndArtist + (match.has_duration ? scores::kDuration : 0);
  if (match.has_duration) return scores::kTitleAndDuration;
  return word_count > 1 ? scores::kTitle : scores::kOneWord;
}

bool satisfies(const Match& match, NameReading::Needs needs) {
  using enum NameReading::Needs;
  return needs == nothing || match.has_duration || (needs == artist_or_duration && match.has_artist);
}

}  // namespace

DurationSpan matching_durations(std::uint64_t duration_ms) {
  const std::uint64_t slack = std::max(kDurationSlackMs, duration_ms / kDurationShare);
  return {duration_ms - std::min(slack, duration_ms), duration_ms + slack};
}

TitleChoice choose_by_title(const NameReading& reading, std::span<const std::string> words, const FileFacts& file,
                            std::span<const FileCandidate> candidates) {
  using enum TitleChoice::Outcome;
  std::vector<Match> matches;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const FileCandidate& track = candidates[i];
    const TitleMatch title_match = match_title(words, track);
    if (title_match == TitleMatch::none || (file.number && file.number->contradicts(track.id))) continue;
    Match match{i, title_match == TitleMatch::title_and_artist, false};
    if (file.duration_ms) {
      const auto [min_ms, max_ms] = matching_durations(*file.duration_ms);
      match.has_duration = track.duration_ms >= min_ms && track.duration_ms <= max_ms;
      if (!match.has_duration && !match.has_artist) continue;  // another work with the same title
    }
    if (satisfies(match, reading.needs)) matches.push_back(match);
  }
  prefer(matches, [](const Match& match) { return match.has_artist; });
  prefer(matches, [](const Match& match) { return match.has_duration; });
  if (matches.empty()) return {};
  if (matches.size() > 1) return {ambiguous};
  return {found, matches.front().index, score_of(matches.front(), words.size())};
}

bool is_consistent(const SourceNumber& number, std::string_view title, std::string_view artist) {
  const std::string stated_artist = letters_and_digits(number.artist);
  const std::string stated_title = letters_and_digits(number.title);
  if (stated_artist.empty() && stated_title.empty()) return true;
  const auto is_same = [](const std::string& stated, std::string_view own) {
    return !stated.empty() && stated == letters_and_digits(own);
  };
  return is_same(stated_artist, artist) || is_same(stated_title, title) ||
         is_same(stated_title, without_audio_extension(title));
}

}  // namespace tonearm
