#include "domain/file_match.h"

#include <algorithm>
#include <functional>
#include <initializer_list>

namespace tonearm {
namespace {

using Words = std::vector<std::string>;

constexpr std::uint64_t kDurationSlackMs = 2'000;
constexpr std::uint64_t kDurationShare = 50;

enum class Called : std::uint8_t { otherwise, by_title, by_title_and_artist };

bool are_in_a_row(std::span<const std::string> words, std::initializer_list<const Words*> parts) {
  std::size_t at = 0;
  for (const Words* part : parts) {
    if (words.size() - at < part->size()) return false;
    if (!std::equal(part->begin(), part->end(), words.begin() + static_cast<std::ptrdiff_t>(at))) return false;
    at += part->size();
  }
  return at == words.size();
}

Called how_called(std::span<const std::string> words, const FileCandidate& track) {
  static const Words kBy{"by"};
  const Words& title = track.title;
  const Words& artist = track.artist;
  if (title.empty()) return Called::otherwise;
  if (!artist.empty() && (are_in_a_row(words, {&title, &artist}) || are_in_a_row(words, {&artist, &title}) ||
                          are_in_a_row(words, {&title, &kBy, &artist}))) {
    return Called::by_title_and_artist;
  }
  return are_in_a_row(words, {&title}) ? Called::by_title : Called::otherwise;
}

struct Fit {
  std::size_t index = 0;
  bool has_artist = false;
  bool has_duration = false;
};

/// Keeps those that `is_better` says this of, if there are any.
template <class IsBetter>
void prefer(std::vector<Fit>& fits, const IsBetter& is_better) {
  if (std::none_of(fits.begin(), fits.end(), is_better)) return;
  fits.erase(std::remove_if(fits.begin(), fits.end(), std::not_fn(is_better)), fits.end());
}

std::uint32_t score_of(const Fit& fit, std::size_t word_count) {
  if (fit.has_artist) return scores::kTitleAndArtist + (fit.has_duration ? scores::kDuration : 0);
  if (fit.has_duration) return scores::kTitleAndDuration;
  return word_count > 1 ? scores::kTitle : scores::kOneWord;
}

bool is_enough(const Fit& fit, NameReading::Needs needs) {
  using enum NameReading::Needs;
  return needs == nothing || fit.has_duration || (needs == artist_or_duration && fit.has_artist);
}

}  // namespace

DurationSpan durations_like(std::uint64_t duration_ms) {
  const std::uint64_t slack = std::max(kDurationSlackMs, duration_ms / kDurationShare);
  return {duration_ms - std::min(slack, duration_ms), duration_ms + slack};
}

TitleChoice choose_titled(const NameReading& reading, std::span<const std::string> words, const FileFacts& file,
                          std::span<const FileCandidate> candidates) {
  using enum TitleChoice::Outcome;
  std::vector<Fit> fits;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const FileCandidate& track = candidates[i];
    const Called called = how_called(words, track);
    if (called == Called::otherwise || (file.number && file.number->contradicts(track.id))) continue;
    Fit fit{i, called == Called::by_title_and_artist, false};
    if (file.duration_ms) {
      const auto [min_ms, max_ms] = durations_like(*file.duration_ms);
      fit.has_duration = track.duration_ms >= min_ms && track.duration_ms <= max_ms;
      if (!fit.has_duration && !fit.has_artist) continue;  // something else of the same name
    }
    if (is_enough(fit, reading.needs)) fits.push_back(fit);
  }
  prefer(fits, [](const Fit& fit) { return fit.has_artist; });
  prefer(fits, [](const Fit& fit) { return fit.has_duration; });
  if (fits.empty()) return {};
  if (fits.size() > 1) return {undecided};
  return {found, fits.front().index, score_of(fits.front(), words.size())};
}

bool agrees(const SourceNumber& number, std::string_view title, std::string_view artist) {
  if (number.artist.empty() && number.title.empty()) return true;
  const auto is_same = [](std::string_view said, std::string_view own) {
    return !said.empty() && said == letters_and_digits(own);
  };
  return is_same(number.artist, artist) || is_same(number.title, title);
}

}  // namespace tonearm
