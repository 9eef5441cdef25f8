#include "tonearm/snapshot_writer.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "../sample_tracks.h"
#include "catalog/index/creator_index.h"
#include "catalog/index/spellings.h"
#include "fakes.h"
#include "snapshot_surgery.h"
#include "system/system_ports.h"
#include "system/threads.h"

using namespace tonearm;
using namespace tonearm::test;
using catalog::SectionId;

namespace {

/// Tracks that cover every field.
std::vector<Track> many_tracks(std::uint64_t seed, std::uint32_t count) {
  static constexpr std::array<const char*, 12> kWords{"rain",         "Running", "caf\xc3\xa9", "hip-hop",
                                                      "the",          "musical", "deep",        "d\xc3\xa9j\xc3\xa0 vu",
                                                      "\xe9\x9b\xa8", "OK!",     "song",        "8bit"};
  SeededRandom random(seed);
  const auto text = [&](std::uint64_t words) {
    std::string all;
    for (std::uint64_t i = 0; i < words; ++i) all.append(i == 0 ? "" : " ").append(kWords[random.below(kWords.size())]);
    return all;
  };
  std::vector<Track> tracks;
  for (std::uint32_t i = 0; i < count; ++i) {
    Track track = music("x-" + std::to_string(i), text(1 + random.below(4)));
    if (random.below(2) == 0) track.kind = Kind::sfx;
    track.artist = text(random.below(3));
    track.description = text(random.below(9));
    track.duration_ms = 1 + random.below(400'000);
    track.bpm_hundredths = random.below(3) == 0 ? 0 : static_cast<std::uint32_t>(6'000 + random.below(9'000));
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      if (random.below(2) == 0) track.tags[facet] = {"tag-" + std::to_string(random.below(5)), "other"};
    }
    if (random.below(2) == 0) track.category = static_cast<std::uint8_t>(random.below(kCategoryCount));
    if (random.below(2) == 0) track.energy = static_cast<Energy>(random.below(3));
    if (random.below(2) == 0) track.tone = static_cast<Tone>(random.below(3));
    track.loop = random.below(4) == 0;
    track.quality = static_cast<std::uint16_t>(random.below(1'001));
    track.license = static_cast<LicenseId>(random.below(kLicenseCount));
    track.credit_requested = random.below(3) == 0;
    track.taken_down = random.below(20) == 0;
    for (int n = 0; n < 5; ++n) track.neighbors.push_back(static_cast<std::uint32_t>(random.below(count)));
    tracks.push_back(std::move(track));
  }
  return tracks;
}

Result<SnapshotSummary> verify(const std::string& bytes) {
  native::OpensslHashing hashing;
  return verify_snapshot(snapshot_of_bytes(bytes), hashing);
}

/// Changes one section.
ChangeSection in_section(SectionId id, std::function<void(std::string&)> change) {
  return [id, change = std::move(change)](SectionId at, std::string& bytes) {
    if (at == id) change(bytes);
  };
}

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

void put_number(std::string& bytes, std::size_t at, std::uint32_t number) {
  std::memcpy(bytes.data() + at, &number, sizeof number);
}

void replace(std::string& bytes, std::string_view from, std::string_view to) {
  const std::size_t at = bytes.find(from);
  REQUIRE(at != std::string::npos);
  bytes.replace(at, from.size(), to);
}

constexpr std::array kFacetsOfMusic{CountedFacet::creator, CountedFacet::genre, CountedFacet::license,
                                    CountedFacet::source};
constexpr std::array kFacetsOfEffects{CountedFacet::creator, CountedFacet::sfx, CountedFacet::category,
                                      CountedFacet::use};

/// Runs searches of all kinds; an exception ends one of them, not the others.
void run_all_searches(const Catalog& catalog, Kind kind, const std::function<void()>& end_request) {
  static constexpr std::array kSorts{Sort::relevance, Sort::shuffle, Sort::quality, Sort::shortest,
                                     Sort::longest,   Sort::slow,    Sort::fast,    Sort::newest};
  for (const auto* q : {"", "rain", "hip hop", "the", "running song rain"}) {
    for (std::size_t i = 0; i < 2 * kSorts.size(); ++i) {
      SearchQuery query = words(q, kind);
      query.sort = kSorts.at(i % kSorts.size());
      query.offset = i % 3 == 0 ? 7 : 0;
      if (i % 2 == 0) query.tags[0] = {"other"};
      if (i % 5 == 0) query.lengths = {LengthBucket::s, LengthBucket::l};
      if (i % 4 == 1) query.filters.bpm_hundredths = {7'000, 12'000};
      try {
        const Page page = catalog.search(query);
        (void)catalog.render(page.tracks);
        (void)catalog.facet_counts(query, kind == Kind::music ? kFacetsOfMusic : kFacetsOfEffects);
        for (const auto position : page.tracks) (void)catalog.similar(position, {}, 50, 0);
        (void)catalog.find("x-" + std::to_string(i));
        (void)catalog.near_words("runnign", kind, 3);
        (void)catalog.near_creators("Artsit", kind, 3);
        MergeQuery merge;
        merge.seeds = {"x-1", "x-2"};
        merge.excluded = {"x-3"};
        merge.limit = 20;
        (void)catalog.merge_similar(merge);
      } catch (const Failure&) {
        end_request();
        continue;
      }
      end_request();
    }
  }
}

std::string open_error(const std::string& bytes, const Catalog::Options& options = {}) {
  const auto opened = Catalog::open(snapshot_of_bytes(bytes), options);
  if (opened) return {};
  const auto& [code, message, retry_after_s, parameter] = opened.error();
  const bool is_damage = message.starts_with("the snapshot is damaged");
  CHECK(code == (is_damage ? ErrorCode::internal_error : ErrorCode::unavailable));
  return message;
}

}  // namespace

TEST_CASE("the same tracks and options give the same bytes, and they pass verification") {
  const auto tracks = many_tracks(1, 400);
  SnapshotOptions options;
  options.synonyms = {{"rain", "shower"}, {"film score", "soundtrack"}};
  options.relations = {{"deep", "rain", Relation::narrower, 100}, {"deep", "hip hop", Relation::related, 50}};
  const std::string bytes = snapshot_bytes(tracks, options);
  CHECK(bytes == snapshot_bytes(tracks, options));
  const auto summary = verify(bytes);
  REQUIRE_MESSAGE(summary.has_value(), summary.error().message);
  CHECK(summary->track_count == 400);
  CHECK(summary->version.size() == 16);
  CHECK(make_memory_catalog(tracks, options)->version() == summary->version);
  options.site_url = "https://other.example";
  CHECK(verify(snapshot_bytes(tracks, options))->version != summary->version);
}

TEST_CASE("an empty catalog can be written, verified and searched") {
  CHECK(verify(snapshot_bytes({})).has_value());
  const auto catalog = make_memory_catalog({});
  CHECK(catalog->search(everything()).total == 0);
  CHECK(catalog->search(words("rain")).total == 0);
  CHECK_FALSE(catalog->find("x-1"));
}

TEST_CASE("opening names the error") {
  const std::string bytes = snapshot_bytes(many_tracks(2, 50));
  CHECK(open_error(bytes).empty());
  CHECK(open_error(modified_snapshot(bytes, "UPDATE manifest SET value = '10' WHERE key = 'format_version'")) ==
        "the snapshot has format version 10, and this program reads version 11");
  CHECK(open_error(modified_snapshot(bytes, "DELETE FROM manifest WHERE key = 'format_version'")) ==
        "the snapshot is damaged: its manifest has no format_version");
  CHECK(open_error(modified_snapshot(bytes, "PRAGMA application_id = 1")) ==
        "the file is not a snapshot of this project");
  CHECK(open_error(modified_snapshot(bytes, "", in_section(SectionId::quality, [](auto& data) { data.resize(2); }))) ==
        "the snapshot is damaged: the section quality has the wrong size");
  CHECK(open_error(modified_snapshot(bytes, "", in_section(SectionId::order_slow, [](auto& data) {
                                       data.pop_back();
                                     }))) == "the snapshot is damaged: an array is truncated");
  CHECK(open_error(modified_snapshot(bytes, "UPDATE manifest SET value = 'x' WHERE key = 'music'")) ==
        "the snapshot is damaged: its manifest has an invalid music");
  CHECK(open_error(modified_snapshot(bytes, "UPDATE manifest SET value = '3' WHERE key = 'track_paths'")) ==
        "the snapshot's tracks have other fields than this program knows");
  CHECK(open_error(modified_snapshot(bytes, "", in_section(SectionId::tag_terms, [](auto& data) {
                                       data.append(24, '\0');
                                     }))) == "the snapshot is damaged: the section tag_terms has the wrong size");
  const std::string cut =
      "the snapshot is damaged: it does not end like a snapshot of this format version: bytes are missing or were "
      "appended";
  CHECK(open_error(bytes.substr(0, bytes.size() - 1)) == cut);
  CHECK(open_error(bytes + "x") == cut);
  CHECK(open_error(bytes.substr(0, static_cast<std::size_t>(database_size(bytes)))) == cut);
  CHECK_FALSE(open_error("no database at all, but long enough to have a header of its own.............").empty());
  CHECK_FALSE(open_error(bytes.substr(0, bytes.size() / 2)).empty());
  CHECK_FALSE(open_error({}).empty());
}

TEST_CASE("an evaluation snapshot opens only if allowed") {
  SnapshotOptions options;
  options.evaluation = true;
  Track track = music("x-1", "");
  track.duration_ms = 0;
  track.license = LicenseId::unknown;
  const std::string bytes = snapshot_bytes(std::vector{track}, options);
  CHECK(open_error(bytes) == "the snapshot was built for evaluation: its licenses are not known");
  CHECK(open_error(bytes, {.allow_evaluation = true}).empty());
  const auto catalog = make_memory_catalog(std::vector{track}, options);
  CHECK(catalog->values().licenses.empty());
  SearchQuery query = everything();
  query.filters.commercial = false;
  CHECK(catalog->count(query) == 1);
  CHECK(verify(bytes).has_value());
}

TEST_CASE("verification detects every changed byte") {
  const std::string bytes = snapshot_bytes(many_tracks(3, 200));
  SeededRandom random(11);
  for (int run = 0; run < 60; ++run) {
    std::string changed = bytes;
    changed[random.below(changed.size())] ^= 1;
    CHECK_FALSE(verify(changed).has_value());
  }
}

TEST_CASE("verification detects parts that contradict each other under matching hashes") {
  std::vector<Track> tracks = many_tracks(6, 100);
  tracks[0].taken_down = false;
  const std::string bytes = snapshot_bytes(tracks);
  REQUIRE(verify(modified_snapshot(bytes, "")).has_value());
  const auto damage = [&](const std::string& sql, const ChangeSection& change = {}) {
    const auto result = verify(modified_snapshot(bytes, sql, change));
    CHECK_FALSE(result.has_value());
    return result ? std::string() : result.error().message.substr(std::string("the snapshot is damaged: ").size());
  };
  const auto section_damage = [&](SectionId id, std::function<void(std::string&)> change) {
    return damage("", in_section(id, std::move(change)));
  };
  CHECK(damage("INSERT INTO words (rowid, text) VALUES (1000, '\xe9\xbe\xa5')") ==
        "FTS5 has a term without a posting list: \xe9\xbe\xa5");
  CHECK(damage("UPDATE listing SET count = count + 1 WHERE list = 'source'") ==
        "a count differs from the tracks that it counts");
  CHECK(section_damage(SectionId::terms, [](auto& data) {
          replace(data, std::string("w\0hip", 5), std::string("w\0hiq", 5));
        }) == "the terms are not sorted");
  CHECK(section_damage(SectionId::tracks, [](auto& data) { replace(data, "\"kind\"", "\"kinD\""); }) ==
        "track 0: it lacks kind");
  CHECK(section_damage(SectionId::tracks, [](auto& data) { data.pop_back(); }) ==
        "the section tracks has the wrong size");
  CHECK(section_damage(SectionId::tracks, [](auto& data) { data.append(16, '\0'); }) ==
        "a track block has the wrong size");
  CHECK(section_damage(SectionId::tracks, [](auto& data) { put_number(data, 16, 1U << 30U); }) ==
        "a section is truncated");
  CHECK(section_damage(SectionId::tracks, [](auto& data) { put_number(data, 32, 3); }).find("track") !=
        std::string::npos);
  CHECK(section_damage(SectionId::order_short, [](auto& data) {
          const std::uint32_t first = number_at(data, 0);
          put_number(data, 0, number_at(data, 4));
          put_number(data, 4, first);
        }) == "the order short is not a permutation");
  CHECK(section_damage(SectionId::bpm_hundredths, [](auto& data) { data.assign(data.size(), '\0'); }) ==
        "track 0: its tempo differs from the column");
  CHECK(section_damage(SectionId::flags, [](auto& data) { data[1] = 1; }) ==
        "track 0: its vocals differ from its flags");
  CHECK(section_damage(SectionId::flags, [](auto& data) { data[1] = 4; }) == "a track has unknown flags");
  // Swaps two ranks of a consistent order.
  CHECK(damage("", [](SectionId id, std::string& data) {
          if (id != SectionId::rank_newest && id != SectionId::order_newest) return;
          const std::uint32_t first = number_at(data, 0);
          const std::uint32_t second = number_at(data, 4);
          if (id == SectionId::order_newest) {
            put_number(data, 0, second);
            put_number(data, 4, first);
            return;
          }
          for (std::size_t at = 0; at < data.size(); at += 4) {
            const std::uint32_t rank = number_at(data, at);
            if (rank < 2) put_number(data, at, 1 - rank);
          }
        }) == "the order newest is not sorted");
  CHECK(section_damage(SectionId::tie_rank, [](auto& data) {
          const std::uint32_t first = number_at(data, 0);
          put_number(data, 0, number_at(data, 4));
          put_number(data, 4, first);
        }) == "the order of ties is not a permutation");
  CHECK(section_damage(SectionId::tie_order, [](auto& data) { put_number(data, 4, number_at(data, 0)); }) ==
        "the order of ties is not a permutation");
  // Swaps two ranks everywhere: the order is consistent, but not sorted by turn and id.
  CHECK(damage("", [](SectionId id, std::string& data) {
          if (id != SectionId::tie_rank && id != SectionId::tie_order) return;
          const std::uint32_t first = number_at(data, 0);
          const std::uint32_t second = number_at(data, 4);
          if (id == SectionId::tie_order) {
            put_number(data, 0, second);
            put_number(data, 4, first);
            return;
          }
          for (std::size_t at = 0; at < data.size(); at += 4) {
            const std::uint32_t rank = number_at(data, at);
            if (rank < 2) put_number(data, at, 1 - rank);
          }
        }).find("has another rank in the order of ties") != std::string::npos);
  // SEARCH-14
  CHECK(section_damage(SectionId::families, [](auto& data) { put_number(data, 0, 1 + number_at(data, 0)); }) ==
        "the families differ from titles, artists, durations and addresses");
  CHECK(section_damage(SectionId::ids, [](auto& data) { data.assign(data.size(), '\0'); }) ==
        "the hashes of ids are wrong");
  CHECK(section_damage(SectionId::tempos, [](auto& data) { data[data.size() - 1] ^= 1; }) ==
        "the tempos differ from their order");
  CHECK_FALSE(
      section_damage(SectionId::track_blocks, [](auto& data) { put_number(data, 8, number_at(data, 8) + 1); }).empty());
  CHECK(section_damage(SectionId::creators, [](auto& data) { put_number(data, 0, number_at(data, 0) + 1); }) ==
        "a count differs from the tracks that it counts");
  CHECK(section_damage(SectionId::creator_starts, [](auto& data) { put_number(data, 0, number_at(data, 0) + 1); }) ==
        "the artists are not numbered by their names");
  CHECK(section_damage(SectionId::creator_starts, [](auto& data) { data.append(4'000, '\0'); }) ==
        "there are more artists than tracks");
  CHECK(section_damage(SectionId::creator, [](auto& data) { put_number(data, 0, catalog::kNoCreator - 1); }) ==
        "track 0 has another artist in the column");
  CHECK(section_damage(SectionId::creator, [](auto& data) { data.append(4, '\0'); }) ==
        "the section creator has the wrong size");
  for (const std::size_t at : {0U, 8U, 20U}) {
    CHECK(section_damage(SectionId::tag_terms, [&](auto& data) { put_number(data, at, number_at(data, at) + 4); }) ==
          "the locations of tags differ from the term dictionary");
  }
  CHECK(section_damage(SectionId::postings, [](auto& data) { data[data.size() - 1] = '\0'; }) ==
        "a term has no impact");
  CHECK(section_damage(SectionId::phrases, [](auto& data) { put_number(data, data.size() - 4, 0); }) ==
        "the phrases differ from titles, artists and addresses");
  // The first entry follows the starts of lengths of both lists: its letters, the end of its text, its counts.
  static constexpr std::size_t kEntries = sizeof(catalog::Spellings::LengthStarts);
  CHECK(section_damage(SectionId::spellings, [](auto& data) {
          put_number(data, kEntries, ~number_at(data, kEntries));
        }) == "a spelling differs from its letters");
  CHECK(section_damage(SectionId::spellings, [](auto& data) { put_number(data, kEntries + 4, 0xffff'ffffU); }) ==
        "a spelling has the wrong size");
  CHECK(section_damage(SectionId::spellings, [](auto& data) { put_number(data, kEntries + 8, 1'000'000); }) ==
        "the spelling of a word differs from the tracks that have the word");
  CHECK(section_damage(SectionId::spellings, [](auto& data) { replace(data, "running", "runnign"); }) ==
        "the spelling of a word differs from the tracks that have the word");
  CHECK(section_damage(SectionId::spellings, [](auto& data) {
          data[data.size() - 1] = static_cast<char>(data[data.size() - 1] ^ 0x20);
        }) == "the spellings of creators differ from the creators");
  CHECK(section_damage(SectionId::spellings, [](auto& data) { data.pop_back(); }) == "a section is truncated");
  CHECK(section_damage(SectionId::spellings, [](auto& data) { data.append(8, '\0'); }) ==
        "the spellings have the wrong size");
  CHECK(section_damage(SectionId::spellings, [](auto& data) { put_number(data, 0, 1); }) ==
        "the spellings are not grouped by length");
  // More bits than impacts.
  CHECK(section_damage(SectionId::postings, [](auto& data) {
          data.assign(data.size(), '\xff');
        }).starts_with("a posting list"));
  CHECK(section_damage(SectionId::tracks, [](auto& data) {
          put_number(data, 0, number_at(data, 0) + 2);
        }).find("a track") != std::string::npos);
  CHECK(section_damage(SectionId::terms, [](auto& data) { data.append(8, 'x'); }) ==
        "something follows the keys of terms");
  CHECK(section_damage(SectionId::tempos, [](auto& data) { data.append(8, '\0'); }) ==
        "the section tempos has the wrong size");
  CHECK(section_damage(SectionId::terms, [](auto& data) { put_number(data, 8, 0); }) ==
        "the sparse index of terms is wrong");
}

TEST_CASE("verification computes impacts again from the texts of tracks") {
  std::vector<Track> tracks = many_tracks(6, 100);
  tracks[0].taken_down = false;
  tracks[0].title = "\xe9\xbf\x80";  // the last word; only this track has it, so its impact is the last byte
  tracks[1].kind = Kind::sfx;
  tracks[1].taken_down = false;
  tracks[1].tags[static_cast<std::size_t>(Facet::genre)] = {"odd"};  // not listed for effects
  SnapshotOptions options;
  options.tag_labels[static_cast<std::size_t>(Facet::genre)] = {{"odd", "Zebra"}, {"other", "Miscellany"}};
  const std::string bytes = snapshot_bytes(tracks, options);
  REQUIRE(verify(bytes).has_value());
  const auto error_of = [&](const std::string& sql, const ChangeSection& change = {}) {
    const auto result = verify(modified_snapshot(bytes, sql, change));
    return result ? std::string() : result.error().message;
  };
  CHECK(error_of("", in_section(SectionId::postings, [](auto& data) { data.back() ^= 1; })) ==
        "the snapshot is damaged: the impacts of a word differ from the texts of its tracks: \xe9\xbf\x80");
  CHECK(
      error_of("", in_section(SectionId::tracks, [](auto& data) { replace(data, "\xe9\xbf\x80", "\xe9\xbf\x81"); })) ==
      "the snapshot is damaged: the impacts of a word differ from the texts of its tracks: \xe9\xbf\x80");
  CHECK(error_of("UPDATE manifest SET value = value + 1 WHERE key = 'average_title_256'") ==
        "the snapshot is damaged: the average lengths of fields differ from the tracks");
  CHECK(error_of("UPDATE manifest SET value = 'https://a.example' WHERE key = 'audio_origins'") ==
        "the snapshot is damaged: the audio_origins differ from the tracks");
  CHECK(error_of("UPDATE manifest SET value = 'https://a.example' WHERE key = 'peaks_origins'") ==
        "the snapshot is damaged: the peaks_origins differ from the tracks");
  CHECK(error_of("UPDATE manifest SET value = 'a' WHERE key = 'audio_origins'") ==
        "the snapshot is damaged: its manifest has an invalid audio_origins");
}

TEST_CASE("a file with broken bytes is rejected or answers, and never does harm" * doctest::test_suite("long")) {
  const std::string bytes = snapshot_bytes(many_tracks(4, 60));
  SeededRandom random(7);
  for (int run = 0; run < 150; ++run) {
    std::string broken = bytes;
    // The database of every other file is whole, so that more of them open.
    const std::size_t begin = run % 2 == 0 ? 0 : static_cast<std::size_t>(database_size(bytes));
    for (int i = 0; i < 40; ++i) {
      broken[begin + random.below(broken.size() - begin)] = static_cast<char>(random.below(256));
    }
    const auto remote = paged_snapshot_of_bytes(broken, Blocks::immediate);
    for (const std::shared_ptr<const SqliteSnapshot>& snapshot :
         {snapshot_of_bytes(broken), std::static_pointer_cast<const SqliteSnapshot>(remote)}) {
      try {
        const auto opened = Catalog::open(snapshot, {});
        if (!opened) continue;
        run_all_searches(*opened.value(), run % 4 < 2 ? Kind::music : Kind::sfx, [&] { remote->file().end_request(); });
      } catch (const Failure&) {
        continue;
      }
    }
  }
}

TEST_CASE("one catalog answers many threads at once") {
  const auto catalog = make_memory_catalog(many_tracks(5, 300));
  const Page expected = catalog->search(words("rain"));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        const Page page = catalog->search(words("rain"));
        if (page != expected || catalog->render(page.tracks).size() != page.tracks.size()) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("a snapshot has the same bytes if several threads count the results of its completions") {
  const std::vector<Track> tracks = many_tracks(6, 2'500);
  SnapshotOptions options;
  std::vector<std::pair<std::string, std::uint64_t>> steps;
  std::atomic<std::uint64_t> items = 0;
  options.on_step = [&](std::string_view step, std::uint64_t count) {
    if (!steps.empty()) CHECK(items == steps.back().second);
    steps.emplace_back(step, count);
    items = 0;
  };
  options.on_item = [&] { ++items; };
  std::size_t most_blocks = 0;
  options.run_blocks = [&](std::size_t count, std::size_t block, const auto& work) {
    std::vector<std::thread> threads;
    for (std::size_t begin = (count + block - 1) / block * block; begin > 0; begin -= block) {
      threads.emplace_back([&, begin] { work(begin - block, std::min(begin, count)); });
    }
    for (auto& thread : threads) thread.join();
    most_blocks = std::max(most_blocks, threads.size());
  };
  CHECK(snapshot_bytes(tracks, options) == snapshot_bytes(tracks));
  CHECK(most_blocks > 1);
  const auto searchable = static_cast<std::uint64_t>(
      std::count_if(tracks.begin(), tracks.end(), [](const Track& it) { return !it.taken_down; }));
  REQUIRE(steps.size() == 3);
  CHECK(steps[0] == std::pair<std::string, std::uint64_t>("tracks", 2 * (tracks.size() + searchable)));
  CHECK(steps[1].first == "posting lists");
  CHECK(steps[2].first == "completions");
  CHECK(items > 0);
  CHECK(items <= steps[2].second);
}

TEST_CASE("an error of a thread that counts the results of completions ends the writing") {
  SnapshotOptions options;
  std::string step;
  options.on_step = [&](std::string_view begun, std::uint64_t /*items*/) { step = begun; };
  std::atomic<int> counted = 0;
  options.on_item = [&] {
    if (step == "completions" && ++counted == 50) throw Failure("interrupted");
  };
  options.run_blocks = [](std::size_t count, std::size_t block, const auto& work) {
    native::in_blocks(count, block, 4, work);
  };
  CHECK_THROWS_WITH_AS(snapshot_bytes(many_tracks(7, 2'500), options), "interrupted", Failure);
}
