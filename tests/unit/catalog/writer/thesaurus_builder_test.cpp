#include "catalog/writer/thesaurus_builder.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "../sample_tracks.h"
#include "catalog/index/facets.h"
#include "catalog/index/index.h"
#include "catalog/query/fetch.h"
#include "catalog/query/search_context.h"
#include "memory_catalog.h"
#include "snapshot_surgery.h"
#include "system/system_ports.h"
#include "tonearm/sqlite.h"

using namespace tonearm;
using namespace tonearm::catalog;
using tonearm::test::effect;
using tonearm::test::snapshot_bytes;
using tonearm::test::snapshot_of_bytes;

namespace {

using Sets = std::vector<std::vector<std::string>>;
using Relations = std::vector<PhraseRelation>;
/// "> labrador 100" for a narrower target, "~ ..." for a related one, with its weight.
using Lines = std::vector<std::string>;

PhraseRelation narrower(std::string phrase, std::string target, std::uint8_t weight = 100) {
  return {std::move(phrase), std::move(target), Relation::narrower, weight};
}

PhraseRelation related(std::string phrase, std::string target, std::uint8_t weight = 50) {
  return {std::move(phrase), std::move(target), Relation::related, weight};
}

struct Setup {
  sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  Tokenizer tokenizer{database.get()};
  Sets synonyms;
  Relations relations;
  std::vector<std::string> absent;  // stems that no track has

  Lines targets_of(const std::string& phrase) {
    const ThesaurusBuilder builder(synonyms, relations, tokenizer);
    // Each stem has its number as its location.
    const std::vector<std::string> stems = builder.stems();
    const std::string section = builder.finish([&](const std::string& stem) -> std::optional<PostingLocation> {
      if (std::find(absent.begin(), absent.end(), stem) != absent.end()) return std::nullopt;
      const auto number = std::find(stems.begin(), stems.end(), stem) - stems.begin();
      return PostingLocation{static_cast<std::uint64_t>(number), {1, 0, 0}, 0};
    });
    std::vector<std::string> words;
    tokenizer.each_stem(phrase, [&](std::string_view stem) { words.emplace_back(stem); });
    Lines lines;
    for (const ThesaurusTarget& target : Thesaurus(Extent(section)).find(thesaurus_hash(words))) {
      std::string line = target.relation == Relation::narrower ? ">" : "~";
      for (const PostingLocation& term : target.terms) line += " " + stems.at(static_cast<std::size_t>(term.offset));
      lines.push_back(line + " " + std::to_string(target.weight));
    }
    return lines;
  }
};

}  // namespace

TEST_CASE("a relation has one direction, and its phrases are compared by their stems") {
  Setup setup;
  setup.relations = {narrower("Dogs", "labradors"), related("dog", "leash")};
  CHECK(setup.targets_of("dog") == Lines{"> labrador 100", "~ leash 50"});
  CHECK(setup.targets_of("labrador").empty());
  CHECK(setup.targets_of("leash").empty());
}

TEST_CASE("narrower phrases are up to two steps away, and the second weighs less") {
  Setup setup;
  setup.relations = {narrower("animal", "dog", 120), narrower("dog", "terrier", 100), narrower("terrier", "fox", 90),
                     narrower("animal", "terrier", 60)};
  // The fox is two steps away over the direct step to terriers.
  CHECK(setup.targets_of("animal") == Lines{"> dog 120", "> terrier 75", "> fox 45"});
  CHECK(setup.targets_of("dog") == Lines{"> terrier 100", "> fox 67"});
}

TEST_CASE("one step of a chain may be to a phrase that is the same") {
  Setup setup;
  setup.synonyms = {{"car", "automobile"}, {"limousine", "limo"}, {"stretch", "limo"}};
  setup.relations = {narrower("car", "limousine"), narrower("limo", "hearse"), related("automobile", "road")};
  CHECK(setup.targets_of("car") == Lines{"> limo 100", "> limousin 100", "> hears 75", "~ road 50"});
  // Here the phrase itself takes the step, so that limousine has none left.
  CHECK(setup.targets_of("automobile") == Lines{"> limousin 100", "~ road 50"});
  CHECK(setup.targets_of("stretch") == Lines{"> hears 100"});
}

TEST_CASE("cycles end, and a phrase is no target of itself or of what is the same") {
  Setup setup;
  setup.synonyms = {{"gun", "firearm"}};
  setup.relations = {narrower("gun", "pistol"), narrower("pistol", "gun"), narrower("gun", "firearm"),
                     related("firearm", "gun"), related("gun", "pistol")};
  CHECK(setup.targets_of("gun") == Lines{"> pistol 100"});
  CHECK(setup.targets_of("firearm") == Lines{"> pistol 100"});
  CHECK(setup.targets_of("pistol") == Lines{"> firearm 100", "> gun 100"});
}

TEST_CASE("targets whose tracks match anyway are omitted") {
  Setup setup;
  setup.synonyms = {{"guitar", "gtr"}};
  setup.relations = {narrower("guitar", "acoustic guitar"), narrower("guitar", "gtr solo"),
                     narrower("guitar", "banjo"),           narrower("guitar", "banjo solo", 90),
                     related("guitar", "banjo roll"),       related("guitar", "strum")};
  CHECK(setup.targets_of("guitar") == Lines{"> banjo 100", "~ strum 50"});
}

TEST_CASE("targets without tracks are omitted, but still lead to others") {
  Setup setup;
  setup.relations = {narrower("animal", "dog"), narrower("dog", "labrador"), narrower("animal", "guide dog")};
  setup.absent = {"dog"};
  CHECK(setup.targets_of("animal") == Lines{"> labrador 75"});
}

TEST_CASE("phrases have one to three words; others are ignored") {
  Setup setup;
  setup.relations = {narrower("big cat", "snow leopard"), narrower("big cat", "cat o nine tails"),
                     narrower("a b c d", "tiger"), related("big cat", "...")};
  CHECK(setup.targets_of("big cats") == Lines{"> leopard snow 100"});
  CHECK(setup.targets_of("cat big").empty());
  CHECK(setup.targets_of("a b c d").empty());
}

TEST_CASE("of many targets, the heaviest are kept") {
  Setup setup;
  for (std::uint8_t i = 0; i < 100; ++i) {
    setup.relations.push_back(narrower("many", "n" + std::to_string(i), static_cast<std::uint8_t>(i + 1)));
    setup.relations.push_back(related("many", "r" + std::to_string(i), static_cast<std::uint8_t>(i + 1)));
  }
  const Lines lines = setup.targets_of("many");
  REQUIRE(lines.size() == kNarrowerMax + kRelatedMax);
  CHECK(lines[0] == "> n99 100");
  CHECK(lines[kNarrowerMax - 1] == "> n52 53");
  CHECK(lines[kNarrowerMax] == "~ r99 100");
  CHECK(lines.back() == "~ r76 77");
}

TEST_CASE("a relation without a weight, or too many of one phrase, are refused") {
  Setup setup;
  setup.relations = {narrower("dog", "labrador", 0)};
  CHECK_THROWS_WITH_AS(setup.targets_of("dog"), "the relation of dog has no weight", Failure);
  setup.relations.clear();
  for (std::size_t i = 0; i <= kRelationsMax; ++i) setup.relations.push_back(related("dog", "x" + std::to_string(i)));
  CHECK_THROWS_WITH_AS(setup.targets_of("dog"), "dog has more than 256 relations of a kind", Failure);
}

namespace {

std::string dog_snapshot() {
  std::vector<Track> tracks{effect("x-1", "A labrador"), effect("x-2", "Puppy of a labrador"), effect("x-3", "Leash")};
  for (int i = 4; i < 200; ++i) tracks.push_back(effect("x-" + std::to_string(i), "Rain"));
  SnapshotOptions options;
  options.synonyms = {{"dog", "hound"}};
  options.relations = {narrower("dog", "labrador"), narrower("dog", "poodle"), related("dog", "dog leash"),
                       related("dog", "leash"),     narrower("animal", "dog"), narrower("weather", "rain")};
  return snapshot_bytes(tracks, options);
}

}  // namespace

TEST_CASE("a snapshot's targets have the posting lists of its terms, and a remote file reads them in two rounds") {
  const std::string bytes = dog_snapshot();
  const auto remote = test::paged_snapshot_of_bytes(bytes, test::Blocks::immediate);
  for (const std::shared_ptr<const SqliteSnapshot>& snapshot :
       {snapshot_of_bytes(bytes), std::static_pointer_cast<const SqliteSnapshot>(remote)}) {
    const sql::SqliteHandle database = connect_untrusted(*snapshot);
    const Sections sections = open_sections(snapshot->file());
    const Index index(sections, read_layout(read_manifest(database.get())));
    const bool is_remote = snapshot->file().blocks() != nullptr;
    const auto targets_of = [&](const std::string& stem) {
      const std::uint64_t hash = thesaurus_hash(std::vector{stem});
      std::vector<FileRange> ranges;
      if (is_remote) index.thesaurus.add_entry_range(hash, ranges);
      snapshot->file().prefetch(ranges);
      return index.thesaurus.find(hash);
    };
    for (const std::string stem : {"dog", "hound"}) {
      const auto targets = targets_of(stem);
      REQUIRE(targets.size() == 2);  // labrador, leash; no track is about poodles
      REQUIRE(targets[0].terms.size() == 1);
      CHECK(targets[0].relation == Relation::narrower);
      CHECK(targets[0].terms[0] == index.terms.location(text_key("labrador")));
      if (is_remote)
        snapshot->file().prefetch(std::vector{index.terms.text_list_range(targets[0].terms[0], PostingParts::all)});
      const PostingList list = index.terms.text_list(targets[0].terms[0]);
      CHECK(list.count == 2);
      CHECK(list.impacts.size() == 2);
      CHECK(targets[1].relation == Relation::related);
    }
    const auto weather = targets_of("weather");
    REQUIRE(weather.size() == 1);
    CHECK(index.terms.text_list(weather[0].terms[0]).dense);
    CHECK(targets_of("leash").empty());
  }
}

TEST_CASE("verification recomputes the thesaurus") {
  const std::string bytes = dog_snapshot();
  native::OpensslHashing hashing;
  const auto message_of = [&](const std::string& sql, const test::ChangeSection& change = {}) {
    const auto result = verify_snapshot(snapshot_of_bytes(test::modified_snapshot(bytes, sql, change)), hashing);
    return result ? std::string("it is sound") : result.error().message;
  };
  CHECK(message_of("") == "it is sound");
  const std::string differs = "the snapshot is damaged: the thesaurus differs from its relations";
  CHECK(message_of("DELETE FROM relations WHERE target = 'labrador'") == differs);
  CHECK(message_of("UPDATE relations SET weight = weight + 1 WHERE phrase = 'weather'") == differs);
  CHECK(message_of("DELETE FROM synonyms") == differs);
  CHECK(message_of("", [](SectionId id, std::string& section) {
          if (id == SectionId::thesaurus) section[section.size() - 1] ^= 1;
        }) == differs);
  const std::string wrong = "the snapshot is damaged: a relation of the thesaurus is wrong";
  CHECK(message_of("UPDATE relations SET weight = 0 WHERE place = 1") == wrong);
  CHECK(message_of("UPDATE relations SET weight = 256 WHERE place = 1") == wrong);
  CHECK(message_of("UPDATE relations SET relation = 2 WHERE place = 1") == wrong);
}
