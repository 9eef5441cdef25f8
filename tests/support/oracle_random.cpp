#include "oracle_random.h"

#include <algorithm>
#include <array>

#include "text/unicode.h"

namespace tonearm::test::oracle {
namespace {

constexpr std::array<std::string_view, 72> kWords{
    "rain",  "the",    "night",  "running", "hip-hop", "Café",   "music", "blue",     "garden",  "of",      "storm",
    "piano", "Piano",  "runs",   "run",     "cafe",    "tracks", "drum",  "bass",     "loop",    "loops",   "walking",
    "walk",  "walks",  "sound",  "effects", "city",    "cities", "and",   "Ångström", "musical", "songs",   "tunes",
    "tune",  "hop",    "hip",    "Θάλασσα", "θάλασσα", "сад",    "САД",   "雨の音",   "rainy",   "raining", "naïve",
    "naive", "STORM",  "lo_fi",  "r'n'b",   "8",       "808",    "a",     "crème",    "wind",    "windy",   "winds",
    "door",  "doors",  "quiet",  "quietly", "noise",   "noises", "slow",  "straße",   "strasse", "ocean",   "oceans",
    "deep",  "deeper", "flying", "flies",   "fly",     "audio"};
constexpr std::array<std::string_view, 8> kSeparators{" ", " ", " ", " ", ", ", " - ", "/", " 🌻 "};
constexpr std::array<std::string_view, 15> kTags{"rain",  "hip-hop", "lo_fi", "calm",           "drum",
                                                 "dnb",   "piano",   "storm", "night",          "running",
                                                 "8-bit", "sea",     "blue",  "rain-the-night", "x"};
constexpr std::array<std::string_view, 12> kArtists{"",          "Blue Rain", "blue rain", "BLUE RAIN",
                                                    "Straße",    "STRASSE",   "ΑΝΕΜΟΣ",    "ανεμος",
                                                    "Тихий Сад", "тихий сад", "Éva",       "eva"};
constexpr std::array<std::string_view, 5> kSources{"one.example.org", "two.example.org", "example.net",
                                                   "sub.example.net", "other.example.com"};
constexpr std::array<std::uint64_t, 16> kDurations{1'999, 2'000,  9'999,   10'000,  30'000,  30'001,  29'999,  119'999,
                                                   1,     90'000, 120'000, 150'500, 180'000, 300'000, 300'001, 600'000};
constexpr std::array<std::uint32_t, 12> kTempos{0,      0,      6'000,  6'001,  9'000,  9'050,
                                                12'000, 12'001, 11'999, 14'000, 99'900, 1};
constexpr std::array<std::string_view, 5> kDates{"2024-05-01", "2024-05-01", "2024-04-30", "2019-12-31", "0999-01-02"};
constexpr std::array<std::uint16_t, 8> kQualities{0, 499, 500, 501, 500, 750, 1000, 900};

template <class Choices>
const auto& any(SeededRandom& random, const Choices& choices) {
  return choices[random.below(choices.size())];
}

/// Chooses the first words much more often than the others, by squaring.
template <class Choices>
const auto& zipf(SeededRandom& random, const Choices& choices) {
  const std::uint64_t a = random.below(choices.size());
  return choices[random.below(a + 1)];
}

bool chance(SeededRandom& random, std::uint64_t percent) { return random.below(100) < percent; }

std::string text(SeededRandom& random, std::uint64_t words_max) {
  std::string result;
  for (std::uint64_t i = random.below(words_max + 1); i > 0; --i) {
    result += zipf(random, kWords);
    if (i > 1) result += any(random, kSeparators);
  }
  return result;
}

void tag(SeededRandom& random, Track& track) {
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    auto& tags = track.tags[facet];
    for (std::uint64_t i = random.below(4); i > 0; --i) {
      std::string next(zipf(random, kTags));
      if (std::find(tags.begin(), tags.end(), next) == tags.end()) tags.push_back(std::move(next));
    }
  }
}

Track random_track(SeededRandom& random, std::size_t number) {
  Track track;
  // Digits of several lengths: ids compare as bytes, not as numbers.
  track.id = std::string(random.below(2) == 0 ? "ab-" : "b-") + std::to_string(number * 7 + 3);
  track.kind = chance(random, 60) ? Kind::music : Kind::sfx;
  track.title = text(random, 5);
  track.artist = chance(random, 80) ? std::string(any(random, kArtists)) : text(random, 3);
  if (chance(random, 60)) track.description = text(random, 12);
  if (chance(random, 20)) track.matching_title = text(random, 4);
  if (chance(random, 20)) track.matching_words = {std::string(zipf(random, kTags)), text(random, 2)};
  track.duration_ms = any(random, kDurations);
  track.bpm_hundredths = any(random, kTempos);
  tag(random, track);
  if (chance(random, 70)) track.category = static_cast<std::uint8_t>(random.below(kCategoryCount));
  if (chance(random, 80)) track.energy = static_cast<Energy>(random.below(3));
  if (chance(random, 80)) track.tone = static_cast<Tone>(random.below(3));
  if (track.kind == Kind::music && chance(random, 60)) track.vocals = static_cast<Vocals>(random.below(2));
  if (chance(random, 70)) track.published = any(random, kDates);
  if (chance(random, 50)) track.preview_url = "https://example.org/preview/" + std::to_string(number);
  if (chance(random, 20)) track.original_url = "https://example.org/original/" + std::to_string(number);
  track.loop = chance(random, 30);
  track.quality = any(random, kQualities);
  track.license = static_cast<LicenseId>(chance(random, 50) ? 0 : random.below(kLicenseCount));
  track.license_status = static_cast<LicenseStatus>(random.below(2));
  track.credit_requested = chance(random, 30);
  track.source = any(random, kSources);
  track.taken_down = chance(random, 4);
  return track;
}

void add_neighbors(SeededRandom& random, std::vector<Track>& tracks) {
  const auto is_speech = [](const Track& t) {
    return t.kind == Kind::sfx && t.category && kCategories[*t.category].top_id == "speech";
  };
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    auto& neighbors = tracks[i].neighbors;
    for (std::uint64_t k = random.below(30); k > 0; --k) {
      const auto other = static_cast<std::uint32_t>(random.below(tracks.size()));
      if (other == i || tracks[other].kind != tracks[i].kind) continue;
      if (is_speech(tracks[other]) != is_speech(tracks[i])) continue;
      if (std::find(neighbors.begin(), neighbors.end(), other) == neighbors.end()) neighbors.push_back(other);
    }
  }
}

std::string swapped_case(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') {
      c = static_cast<char>(c - 'a' + 'A');
    } else if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    }
  }
  return text;
}

/// Makes some tracks variants of others, and some nearly so: the number is a pitch or an opus.
void add_variants(SeededRandom& random, std::vector<Track>& tracks) {
  constexpr std::array<std::string_view, 10> kBeforeNumbers{" ",   " 0",  "_",     " (", " #",
                                                            " - ", " C#", " No. ", " v", "-1"};
  for (Track& track : tracks) {
    const Track& other = any(random, tracks);
    if (chance(random, 25)) {
      track.artist = other.artist;
      track.kind = chance(random, 90) ? other.kind : track.kind;
      track.title = std::string(any(random, std::array{"Rain", "rain", "Quiet Door", "808"})) +
                    std::string(any(random, kBeforeNumbers)) +
                    std::to_string(random.below(chance(random, 5) ? 3000 : 5));
      if (chance(random, 30)) track.title += any(random, std::array{")", ".WAV", "x"});
      if (!track.matching_title.empty() && chance(random, 70)) std::swap(track.title, track.matching_title);
    } else if (chance(random, 8)) {
      track.duration_ms = chance(random, 90) ? other.duration_ms : track.duration_ms;
      track.kind = other.kind;
      if (chance(random, 50)) {
        track.artist = swapped_case(other.artist);
        track.title = other.title;
      } else {
        track.preview_url = "https://example.org/" + std::to_string(random.below(5));
      }
    }
  }
}

std::string list_of(SeededRandom& random, std::uint64_t most, const std::function<std::string()>& item) {
  std::string list = item();
  for (std::uint64_t i = random.below(most); i > 0; --i) list += ',' + item();
  return list;
}

std::string any_category(SeededRandom& random) {
  const Category& category = any(random, kCategories);
  switch (random.below(4)) {
    case 0:
      return std::string(category.top_id);
    case 1:
      return std::string(category.group_code);
    case 2:
      return chance(random, 20) ? "no-such-category" : "speech";
    default:
      return std::string(category.id);
  }
}

std::string any_tag(SeededRandom& random) {
  return chance(random, 5) ? "no-such-tag" : std::string(zipf(random, kTags));
}

std::string any_tempo(SeededRandom& random) {
  const std::uint64_t low = random.below(130);
  return std::to_string(low) + '-' + std::to_string(low + random.below(850));
}

/// Returns adjacent words of some track.
std::string row_of(SeededRandom& random, const Track& track) {
  switch (random.below(6)) {
    case 0:
      return track.title + ' ' + track.artist;
    case 1:
      return track.artist + " - " + track.title;
    case 2:
      return track.title + " by " + track.artist;
    case 3:
      return track.artist;
    case 4:
      return track.title + ' ' + std::string(zipf(random, kTags));
    default:
      return track.title;
  }
}

/// Removes, doubles or swaps one or two letters of a text.
std::string misspelled(SeededRandom& random, std::string text) {
  std::u32string letters;
  for (std::size_t at = 0; at < text.size();) letters += text::next_code_point(text, at);
  for (std::uint64_t i = 1 + random.below(2); i > 0 && letters.size() > 1; --i) {
    const std::size_t at = random.below(letters.size() - 1);
    switch (random.below(3)) {
      case 0:
        letters.erase(at, 1);
        break;
      case 1:
        letters.insert(at, 1, letters[at]);
        break;
      default:
        std::swap(letters[at], letters[at + 1]);
    }
  }
  text.clear();
  for (const char32_t letter : letters) text::append_utf8(text, letter);
  return text;
}

std::string any_q(SeededRandom& random, const RandomCatalog& catalog) {
  if (chance(random, 3)) return std::string(any(random, std::array<std::string_view, 4>{"", "!?", "🌻", "   "}));
  if (chance(random, 2)) return std::string(any(random, std::array<std::string_view, 3>{"the", "of the", "Song, a"}));
  const std::uint64_t words = chance(random, 8) ? 14 : 4;
  std::string q =
      !catalog.tracks.empty() && chance(random, 30) ? row_of(random, any(random, catalog.tracks)) : text(random, words);
  if (chance(random, 3)) q += " nowhere";
  if (chance(random, 12)) {
    constexpr std::array<std::string_view, 4> kNegations{"no ", "Without the ", "without ", "NO a "};
    const std::string negation = std::string(any(random, kNegations)) + text(random, 1);
    q = chance(random, 30) ? negation + ' ' + q : q + ' ' + negation;
  }
  if (chance(random, 10)) q = misspelled(random, q);
  if (chance(random, 10)) q = swapped_case(q);
  if (chance(random, 5)) q = '"' + q + " OR *";
  return q;
}

std::string any_source(SeededRandom& random) {
  const std::string source(any(random, kSources));
  return chance(random, 30) ? swapped_case(source) : source;
}

void add_facets(SeededRandom& random, Parameters& parameters, bool music, std::uint64_t percent) {
  const auto tags = [&] { return list_of(random, 3, [&] { return any_tag(random); }); };
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    const bool applies = kFacetNames[facet] == "use" || (kFacetNames[facet] == "sfx") != music;
    if (applies && chance(random, percent)) parameters.emplace(kFacetNames[facet], tags());
  }
}

void add_order(SeededRandom& random, Parameters& parameters) {
  constexpr std::array<std::string_view, 8> kSorts{"shuffle", "relevance", "quality", "short",
                                                   "long",    "slow",      "fast",    "newest"};
  if (chance(random, 55)) parameters.emplace("sort", any(random, kSorts));
  const bool has_sort = parameters.count("sort") != 0;
  const bool shuffled = has_sort ? parameters.at("sort") == "shuffle" : parameters.count("q") == 0;
  if (shuffled && chance(random, 50)) parameters.emplace("seed", "s" + std::to_string(random.below(50)));
}

std::string any_decimal(SeededRandom& random, std::uint64_t most) {
  std::string value = std::to_string(random.below(most));
  if (chance(random, 60)) value += '.' + std::string(any(random, std::array{"0", "5", "01", "005", "999", "001"}));
  return value;
}

/// The filters of similar lists.
void add_bounds(SeededRandom& random, Parameters& parameters, std::uint64_t percent) {
  if (chance(random, percent)) parameters.emplace("min_bpm", any_decimal(random, 100));
  if (chance(random, percent)) parameters.emplace("max_bpm", std::to_string(100 + random.below(40)) + ".01");
  if (chance(random, percent)) parameters.emplace("min_seconds", any_decimal(random, 60));
  if (chance(random, percent)) parameters.emplace("max_seconds", std::to_string(60 + random.below(400)) + ".5");
}

}  // namespace

RandomCatalog random_catalog(SeededRandom& random, std::size_t size) {
  RandomCatalog catalog;
  for (std::size_t i = 0; i < size; ++i) catalog.tracks.push_back(random_track(random, i));
  // Shuffles the input, so that its order is none of the orders that are tested.
  for (std::size_t i = size; i > 1; --i) std::swap(catalog.tracks[i - 1], catalog.tracks[random.below(i)]);
  if (!catalog.tracks.empty()) add_variants(random, catalog.tracks);
  add_neighbors(random, catalog.tracks);
  catalog.options.tag_labels[0]["dnb"] = "Drum and Bass";
  catalog.options.tag_labels[1]["sea"] = "Deep Ocean";
  catalog.options.tag_labels[4]["x"] = "Strange Doors";
  for (std::uint64_t sets = random.below(6); sets > 0; --sets) {
    auto& set = catalog.options.synonyms.emplace_back();
    for (std::uint64_t phrases = 2 + random.below(3); phrases > 0; --phrases) {
      std::string phrase(zipf(random, kWords));
      for (std::uint64_t more = random.below(3); more > 0; --more) phrase += ' ' + std::string(zipf(random, kWords));
      set.push_back(std::move(phrase));
    }
  }
  for (std::uint64_t relations = random.below(30); relations > 0; --relations) {
    const auto phrase = [&] {
      std::string words(zipf(random, kWords));
      for (std::uint64_t more = random.below(6) / 4; more > 0; --more) words += ' ' + std::string(zipf(random, kWords));
      return words;
    };
    catalog.options.relations.push_back({phrase(), phrase(),
                                         chance(random, 50) ? Relation::narrower : Relation::related,
                                         static_cast<std::uint8_t>(1 + random.below(255))});
  }
  return catalog;
}

Parameters random_search(SeededRandom& random, const RandomCatalog& catalog) {
  Parameters parameters;
  const bool music = chance(random, 60);
  if (!music || chance(random, 30)) parameters.emplace("kind", music ? "music" : "sfx");
  // Some queries are narrow, most are wide: both empty and full results occur.
  const std::uint64_t percent = std::array<std::uint64_t, 4>{0, 6, 12, 25}[random.below(4)];
  const auto names = [&](const auto& values) {
    return list_of(random, 2, [&] { return std::string(any(random, values)); });
  };
  if (chance(random, 55)) parameters.emplace("q", any_q(random, catalog));
  if (chance(random, 60)) {
    parameters.emplace("match", any(random, std::array<std::string_view, 5>{"all", "all", "most", "most", "auto"}));
  }
  if (chance(random, 40)) parameters.emplace("variants", chance(random, 90) ? "collapse" : "keep");
  if (music && chance(random, percent)) parameters.emplace("tempo", any_tempo(random));
  if (music && chance(random, percent)) parameters.emplace("energy", names(kEnergyNames));
  if (music && chance(random, percent)) parameters.emplace("vocals", any(random, kVocalsNames));
  if (chance(random, percent)) parameters.emplace("playable", any(random, std::array{"true", "true", "false"}));
  if (chance(random, percent)) parameters.emplace("length", names(kLengthNames));
  if (chance(random, percent)) parameters.emplace("tone", names(kToneNames));
  if (chance(random, percent)) parameters.emplace("loops", any(random, std::array{"0", "1", "true", "false"}));
  if (chance(random, percent)) parameters.emplace("quality", any(random, std::array{"any", "good"}));
  add_facets(random, parameters, music, percent);
  if (!music && chance(random, percent + 5)) {
    parameters.emplace("category", list_of(random, 3, [&] { return any_category(random); }));
  }
  if (chance(random, percent)) parameters.emplace("credit", any(random, std::array{"any", "optional", "requested"}));
  if (chance(random, percent)) {
    parameters.emplace("license",
                       list_of(random, 4, [&] { return std::string(kLicenses[random.below(kLicenseCount)].name_id); }));
  }
  if (chance(random, percent)) parameters.emplace("commercial", any(random, std::array{"true", "false"}));
  if (chance(random, percent)) parameters.emplace("share_alike", any(random, std::array{"true", "false"}));
  if (chance(random, percent)) {
    std::string creator = swapped_case(std::string(kArtists[1 + random.below(kArtists.size() - 1)]));
    if (chance(random, 20)) creator = misspelled(random, std::move(creator));
    parameters.emplace("creator", std::move(creator));
  }
  if (chance(random, percent)) parameters.emplace("source", list_of(random, 2, [&] { return any_source(random); }));
  if (chance(random, percent / 2)) {
    parameters.emplace("exclude_source", list_of(random, 2, [&] { return any_source(random); }));
  }
  if (chance(random, percent)) {
    parameters.emplace("exclude_tags", list_of(random, 3, [&] { return any_tag(random); }));
  }
  add_bounds(random, parameters, percent / 2);
  if (chance(random, percent + 5)) {
    parameters.emplace("exclude", list_of(random, 3, [&] { return text(random, 2) + "!"; }));
  }
  add_order(random, parameters);
  return parameters;
}

std::string random_facets(SeededRandom& random, const Parameters& search) {
  const bool music = search.count("kind") == 0 || search.at("kind") == "music";
  const std::vector<std::string> facets =
      music ? std::vector<std::string>{"genre", "mood",    "use",    "instrument", "energy",
                                       "tone",  "license", "source", "creator"}
            : std::vector<std::string>{"use", "sfx", "category", "tone", "license", "source", "creator"};
  return list_of(random, 4, [&] { return any(random, facets); });
}

Parameters random_similar(SeededRandom& random) {
  Parameters parameters;
  add_bounds(random, parameters, 25);
  if (chance(random, 25)) parameters.emplace("commercial", any(random, std::array{"true", "false"}));
  if (chance(random, 25)) parameters.emplace("credit", any(random, std::array{"optional", "requested"}));
  if (chance(random, 25)) parameters.emplace("loops_only", any(random, std::array{"true", "false"}));
  if (chance(random, 25)) parameters.emplace("vocals", any(random, kVocalsNames));
  return parameters;
}

std::vector<std::string> texts_of(const RandomCatalog& catalog) {
  std::vector<std::string> texts;
  for (const Track& track : catalog.tracks) {
    texts.insert(texts.end(), {track.title, track.matching_title, track.artist, track.description});
    texts.insert(texts.end(), track.matching_words.begin(), track.matching_words.end());
    for (const auto& tags : track.tags) texts.insert(texts.end(), tags.begin(), tags.end());
  }
  for (const auto& labels : catalog.options.tag_labels) {
    for (const auto& [tag, label] : labels) texts.push_back(label);
  }
  for (const auto& set : catalog.options.synonyms) texts.insert(texts.end(), set.begin(), set.end());
  for (const Category& category : kCategories) texts.emplace_back(category.label);
  return texts;
}

}  // namespace tonearm::test::oracle
