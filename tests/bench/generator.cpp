#include "generator.h"

#include <algorithm>
#include <string_view>

namespace tonearm::bench {
namespace {

constexpr std::uint32_t kWordFlatness = 3;
constexpr std::uint32_t kTagFlatness = 2;
constexpr std::uint32_t kArtistFlatness = 20;
constexpr std::uint32_t kTracksOfAnArtist = 20;
constexpr std::array<std::uint32_t, kFacetCount> kTagsOfFacet{60, 40, 30, 80, 400};
constexpr std::size_t kNeighbors = 40;

struct Source {
  std::string_view domain;
  std::string_view prefix;  // of ids
};
constexpr std::array<Source, 6> kSources{{{"sounds.example", "snd"},
                                          {"freemusic.example", "fm"},
                                          {"netlabel.example.org", "nl"},
                                          {"archive.example.net", "arc"},
                                          {"mixer.example.com", "mix"},
                                          {"foley.example", "fol"}}};

struct LicenseShare {
  LicenseId license;
  std::uint32_t percent;
};
constexpr std::array<LicenseShare, 9> kLicenseShares{{{LicenseId::cc0, 45},
                                                      {LicenseId::cc_by_4_0, 24},
                                                      {LicenseId::cc_by_3_0, 8},
                                                      {LicenseId::cc_by_nc_4_0, 13},
                                                      {LicenseId::cc_by_nc_3_0, 4},
                                                      {LicenseId::oga_by_3_0, 2},
                                                      {LicenseId::cc_by_sa_4_0, 2},
                                                      {LicenseId::cc_by_nc_sa_4_0, 1},
                                                      {LicenseId::oga_by_4_0, 1}}};

// Indexes into kCategories.
constexpr std::uint8_t kFirstSpeech = 10;
constexpr std::uint8_t kSpeechCount = 4;

bool chance(test::SeededRandom& random, std::uint64_t percent) { return random.below(100) < percent; }

/// Chooses small numbers much more often.
std::uint64_t low_of(test::SeededRandom& random, std::uint64_t bound) { return random.below(random.below(bound) + 1); }

std::string capitalized(std::string text) {
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// Returns the tag of a rank. Common tags are common words, too; every fifth tag has two words.
std::string tag_id(std::size_t facet, std::uint32_t rank) {
  const auto place = static_cast<std::uint32_t>(rank * kFacetCount + facet);
  if (rank % 5 != 4) return word(place);
  return word(place) + (rank % 2 == 0 ? '-' : '_') + word(place + 1);
}

LicenseId any_license(test::SeededRandom& random) {
  std::uint64_t drawn = random.below(100);
  for (const auto& share : kLicenseShares) {
    if (drawn < share.percent) return share.license;
    drawn -= share.percent;
  }
  return LicenseId::cc0;
}

std::uint64_t any_duration_ms(Kind kind, test::SeededRandom& random) {
  if (kind == Kind::music) {
    return 10'000 + random.below(120'000) + random.below(120'000) + random.below(180'000);
  }
  const std::uint64_t about = std::uint64_t{250} << random.below(9);
  return about + random.below(about);
}

void measure(Track& track, test::SeededRandom& random) {
  track.duration_ms = any_duration_ms(track.kind, random);
  const bool music = track.kind == Kind::music;
  track.loop = chance(random, music ? 10 : 20);
  if (chance(random, music || track.loop ? 85 : 3)) {
    track.bpm_hundredths = static_cast<std::uint32_t>(6'000 + 100 * (random.below(60) + random.below(60)));
    if (chance(random, 30)) track.bpm_hundredths += static_cast<std::uint32_t>(random.below(100));
  }
  if (music && chance(random, 90)) track.energy = static_cast<Energy>(random.below(3));
  if (chance(random, 85)) track.tone = static_cast<Tone>(random.below(3));
  if (chance(random, 80)) track.quality = static_cast<std::uint16_t>(random.below(501) + random.below(500));
}

void license_and_source(Track& track, std::uint32_t number, test::SeededRandom& random) {
  track.license = any_license(random);
  track.license_status = chance(random, 60) ? LicenseStatus::verified : LicenseStatus::listed;
  track.credit_requested = chance(random, 20);
  const Source& source = kSources[low_of(random, kSources.size())];
  const std::string digits = std::to_string(100'000 + std::uint64_t{number});
  track.id.append(source.prefix).append("-").append(digits);
  track.source = source.domain;
  const std::string site = "https://" + track.source;
  track.source_page = site + "/people/" + std::to_string(random.below(90'000)) + "/works/" + digits;
  track.preview_url = site + "/media/previews/" + digits + "-lq.mp3";
  track.original_url = site + "/media/originals/" + digits + ".flac";
  if (chance(random, 70)) track.peaks_url = site + "/media/peaks/" + digits + ".json";
}

}  // namespace

Generator::Generator(std::uint32_t tracks, std::uint64_t seed)
    : size_(tracks),
      seed_(seed),
      words_(kVocabularySize, kWordFlatness),
      artists_(tracks / kTracksOfAnArtist + 1, kArtistFlatness),
      tags_{Zipf(kTagsOfFacet[0], kTagFlatness), Zipf(kTagsOfFacet[1], kTagFlatness),
            Zipf(kTagsOfFacet[2], kTagFlatness), Zipf(kTagsOfFacet[3], kTagFlatness),
            Zipf(kTagsOfFacet[4], kTagFlatness)} {}

test::SeededRandom Generator::random_of(std::uint32_t number, std::uint64_t purpose) const {
  test::SeededRandom of_seed(seed_ * 8 + purpose);
  test::SeededRandom of_number(of_seed.next() + number);
  return test::SeededRandom(of_number.next());
}

Generator::Partition Generator::partition_of(std::uint32_t number) const {
  constexpr std::uint64_t kMusic = 600;
  constexpr std::uint64_t kEffects = 365;
  constexpr std::uint64_t kSpeech = 33;
  const std::uint64_t drawn = random_of(number, 0).below(1000);
  if (drawn < kMusic) return Partition::music;
  if (drawn < kMusic + kEffects) return Partition::effect;
  return drawn < kMusic + kEffects + kSpeech ? Partition::speech : Partition::taken_down;
}

Track Generator::track(std::uint32_t number) const {
  test::SeededRandom random = random_of(number, 1);
  const Partition partition = partition_of(number);
  Track track;
  track.kind = partition == Partition::effect || partition == Partition::speech ? Kind::sfx : Kind::music;
  track.taken_down = partition == Partition::taken_down;
  license_and_source(track, number, random);
  name(track, random);
  describe(track, random);
  measure(track, random);
  if (track.kind == Kind::music) {
    tag(track, Facet::genre, 1 + random.below(3), random);
    tag(track, Facet::mood, random.below(4), random);
    tag(track, Facet::instrument, random.below(5), random);
  } else {
    tag(track, Facet::sfx, 1 + random.below(4), random);
    auto category = static_cast<std::uint8_t>(low_of(random, kCategoryCount - kSpeechCount));
    if (category >= kFirstSpeech) category = static_cast<std::uint8_t>(category + kSpeechCount);
    if (chance(random, 90)) track.category = category;
    if (partition == Partition::speech)
      track.category = static_cast<std::uint8_t>(kFirstSpeech + random.below(kSpeechCount));
  }
  tag(track, Facet::use, random.below(3), random);
  add_neighbors(track, number, partition);
  return track;
}

void Generator::name(Track& track, test::SeededRandom& random) const {
  for (std::uint64_t count = 2 + random.below(4); count > 0; --count) {
    track.title += capitalized(word(words_.draw(random)));
    if (count > 1) track.title += ' ';
  }
  if (chance(random, 97)) track.artist = artist(random);
}

std::string Generator::artist(test::SeededRandom& random) const {
  constexpr std::uint64_t kFirstName = 1'500;
  constexpr std::uint64_t kNames = 100'000;
  test::SeededRandom names = random_of(artists_.draw(random), 2);
  const auto any_name = [&] { return capitalized(word(static_cast<std::uint32_t>(kFirstName + names.below(kNames)))); };
  const std::string first = any_name();
  return first + ' ' + any_name();
}

void Generator::describe(Track& track, test::SeededRandom& random) const {
  if (chance(random, 15)) return;
  bool at_start = true;
  for (std::uint64_t count = random.below(41); count > 0; --count) {
    const std::string next = word(words_.draw(random));
    track.description += at_start ? capitalized(next) : next;
    at_start = chance(random, 10);
    if (count > 1) {
      track.description += at_start ? ". " : " ";
    } else {
      track.description += '.';
    }
  }
}

void Generator::tag(Track& track, Facet facet, std::uint64_t count, test::SeededRandom& random) const {
  const auto index = static_cast<std::size_t>(facet);
  auto& tags = track.tags[index];
  for (; count > 0; --count) {
    std::string next = tag_id(index, tags_[index].draw(random));
    if (std::find(tags.begin(), tags.end(), next) == tags.end()) tags.push_back(std::move(next));
  }
}

void Generator::add_neighbors(Track& track, std::uint32_t number, Partition partition) const {
  if (partition == Partition::taken_down) return;
  test::SeededRandom random = random_of(number, 3);
  auto& neighbors = track.neighbors;
  // Speech is rare, so such a track gets fewer neighbors.
  for (std::size_t tries = 4 * kNeighbors; tries > 0 && neighbors.size() < kNeighbors; --tries) {
    const auto other = static_cast<std::uint32_t>(random.below(size_));
    if (other == number || partition_of(other) != partition) continue;
    if (std::find(neighbors.begin(), neighbors.end(), other) == neighbors.end()) neighbors.push_back(other);
  }
}

}  // namespace tonearm::bench
