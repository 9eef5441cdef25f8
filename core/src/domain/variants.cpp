#include "domain/variants.h"

#include <algorithm>
#include <array>

#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm {
namespace {

constexpr std::array<std::string_view, 8> kFileNames{".wav", ".mp3", ".ogg", ".flac", ".aif", ".aiff", ".m4a", ".opus"};

/// Words before a number that identifies a separate work, not a take.
constexpr std::array<std::string_view, 58> kWorkWords{
    "no",       "nr",       "number",    "op",       "opus",     "part",       "pt",         "parts",     "vol",
    "volume",   "movement", "mouvement", "mvt",      "mov",      "act",        "scene",      "chapter",   "ch",
    "episode",  "ep",       "book",      "side",     "disc",     "disk",       "cd",         "day",       "symphony",
    "sonata",   "concerto", "suite",     "prelude",  "etude",    "nocturne",   "waltz",      "quartet",   "quintet",
    "trio",     "fugue",    "invention", "mass",     "rhapsody", "gymnopedie", "gnossienne", "impromptu", "study",
    "sinfonia", "partita",  "variation", "variatio", "bwv",      "kv",         "hymn",       "étude",     "gymnopédie",
    "prélude",  "nº",       "n°",        "season"};

constexpr std::size_t kDigitsMax = 3;  // four digits are a year

bool ends_in(std::string_view text, std::string_view end) {
  return text.size() > end.size() && ascii::equals_ignoring_case(text.substr(text.size() - end.size()), end);
}

std::string_view without_file_name(std::string_view title) {
  for (const std::string_view end : kFileNames) {
    if (ends_in(title, end)) return title.substr(0, title.size() - end.size());
  }
  return title;
}

/// Returns whether a number directly after this text is part of a pitch: "A", "Oboe - C#", "Bb".
bool ends_in_note(std::string_view text) {
  if (text.empty()) return false;
  const bool is_altered = text.back() == '#' || text.back() == 'b';
  const auto ends = [](std::string_view note) {
    if (note.empty()) return false;
    const char letter = ascii::to_lower(note.back());
    if (letter < 'a' || letter > 'g') return false;
    return note.size() == 1 ||
           (!ascii::is_alphanumeric(note[note.size() - 2]) && static_cast<unsigned char>(note[note.size() - 2]) < 0x80);
  };
  return ends(text) || (is_altered && ends(text.substr(0, text.size() - 1)));
}

/// Returns the letters at the end of the text.
std::string_view last_word(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && (ascii::is_letter(text[begin - 1]) || static_cast<unsigned char>(text[begin - 1]) >= 0x80))
    --begin;
  return text.substr(begin);
}

bool ends_in_work_word(std::string_view stem) {
  const std::string word = text::fold_case(last_word(stem));
  return std::find(kWorkWords.begin(), kWorkWords.end(), word) != kWorkWords.end();
}

/// Joins texts into one key. No text contains the separator.
template <class... Strings>
std::string key_of(Kind kind, const Strings&... texts) {
  std::string key(kKindNames[static_cast<std::size_t>(kind)]);
  ((key.append(1, '\0').append(texts)), ...);
  return key;
}

}  // namespace

std::optional<NumberedTitle> numbered_title(Kind kind, std::string_view title) {
  constexpr std::string_view kBeforeNumber = " \t-_#.:()[]";
  title = without_file_name(title);
  const std::size_t last = title.find_last_not_of(" )]");
  if (last == std::string_view::npos) return std::nullopt;
  const std::size_t before = title.find_last_not_of("0123456789", last);
  if (before == last || before == std::string_view::npos || last - before > kDigitsMax) return std::nullopt;
  const std::string_view head = title.substr(0, before + 1);
  const std::size_t stem_end = head.find_last_not_of(kBeforeNumber);
  if (stem_end == std::string_view::npos) return std::nullopt;
  const std::string_view stem = head.substr(0, stem_end + 1);
  if (ascii::is_digit(stem.back()) || ends_in_note(head)) return std::nullopt;
  if (kind == Kind::music && ends_in_work_word(stem)) return std::nullopt;
  std::uint32_t number = 0;
  for (const char digit : title.substr(before + 1, last - before)) {
    number = number * 10 + static_cast<std::uint32_t>(digit - '0');
  }
  return NumberedTitle{text::fold_case(stem), number};
}

void FamilyFinder::add_without_variants() { parents_.push_back(static_cast<std::uint32_t>(parents_.size())); }

void FamilyFinder::add(const Track& track) {
  if (track.taken_down) return add_without_variants();
  add({track.kind, title_to_match(track), track.artist, track.original_url, track.preview_url, track.duration_ms});
}

void FamilyFinder::add(const Facts& facts) {
  const auto track = static_cast<std::uint32_t>(parents_.size());
  add_without_variants();
  const std::string artist = text::fold_case(facts.artist);
  if (!artist.empty()) {
    if (auto numbered = numbered_title(facts.kind, facts.title)) {
      stems_.push_back({hash_of(key_of(facts.kind, artist, numbered->stem)), track, numbered->number});
    }
  }
  // Only evaluation snapshots have tracks without a duration.
  if (facts.duration_ms == 0) return;
  const auto add_recording = [&](const std::string& key) { recordings_.push_back({hash_of(key), track}); };
  const std::string duration = std::to_string(facts.duration_ms);
  if (!artist.empty()) add_recording(key_of(facts.kind, duration, artist, text::fold_case(facts.title)));
  for (const std::string_view url : {facts.original_url, facts.preview_url}) {
    if (!url.empty()) add_recording(key_of(facts.kind, duration, url));
  }
}

/// Two hashes like FNV-1a, with different starts and multipliers.
FamilyFinder::Key FamilyFinder::hash_of(std::string_view key) {
  std::uint64_t first = 0xcbf29ce484222325U;
  std::uint64_t second = 0x9e3779b97f4a7c15U;
  for (const char c : key) {
    first = (first ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    second = (second ^ static_cast<unsigned char>(c)) * 0xd6e8feb86659fd93U;
  }
  const auto high = [](std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); };
  return {high(first), static_cast<std::uint32_t>(first), high(second), static_cast<std::uint32_t>(second)};
}

std::uint32_t FamilyFinder::root_of(std::uint32_t track) {
  while (parents_[track] != track) {
    parents_[track] = parents_[parents_[track]];
    track = parents_[track];
  }
  return track;
}

void FamilyFinder::join(std::uint32_t one, std::uint32_t other) {
  const auto [first, second] = std::minmax({root_of(one), root_of(other)});
  parents_[second] = first;
}

void FamilyFinder::join_recordings() {
  std::sort(recordings_.begin(), recordings_.end(),
            [](const Recording& a, const Recording& b) { return a.key < b.key; });
  for (std::size_t i = 1; i < recordings_.size(); ++i) {
    if (recordings_[i].key == recordings_[i - 1].key) join(recordings_[i - 1].track, recordings_[i].track);
  }
}

void FamilyFinder::join_stems() {
  std::sort(stems_.begin(), stems_.end(), [](const Stem& a, const Stem& b) { return a.key < b.key; });
  for (std::size_t begin = 0, end = 0; begin < stems_.size(); begin = end) {
    bool numbers_differ = false;
    for (; end < stems_.size() && stems_[end].key == stems_[begin].key; ++end) {
      numbers_differ = numbers_differ || stems_[end].number != stems_[begin].number;
    }
    if (!numbers_differ) continue;
    for (std::size_t i = begin + 1; i < end; ++i) join(stems_[begin].track, stems_[i].track);
  }
}

std::vector<std::uint32_t> FamilyFinder::finish() {
  join_recordings();
  join_stems();
  std::vector<std::uint32_t> sizes(parents_.size());
  for (std::uint32_t track = 0; track < parents_.size(); ++track) ++sizes[root_of(track)];
  std::vector<std::uint32_t> families(parents_.size());
  std::uint32_t last = 0;
  for (std::uint32_t track = 0; track < parents_.size(); ++track) {
    const std::uint32_t root = root_of(track);
    if (sizes[root] < 2) continue;
    // The root is the first track of its family.
    families[track] = root == track ? ++last : families[root];
  }
  *this = {};
  return families;
}

}  // namespace tonearm
