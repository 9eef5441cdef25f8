#include "mapping/adapter.h"

#include <doctest/doctest.h>

#include "intake/intake.h"
#include "scratch_folder.h"
#include "system/system_ports.h"
#include "tonearm/result.h"
#include "track_files.h"

// Invented rows in the format of each source, read with the built-in mappings.
namespace tonearm::builder {
namespace {

struct File {
  const char* name;
  std::string text;
};

struct Read {
  Report report;
  std::vector<Track> tracks;

  const Track& track(const std::string& id) const {
    for (const auto& track : tracks) {
      if (track.id == id) return track;
    }
    FAIL("there is no track " << id);
    throw std::logic_error(id);
  }
};

Read read(const std::string& source, const std::vector<File>& files, bool evaluation = false) {
  const test::ScratchFolder folder;
  for (const auto& file : files) folder.write(file.name, file.text);
  Read result;
  native::OpensslHashing hashing;
  const CheckOptions options{.evaluation = evaluation};
  Intake intake(options, {}, test::folder_of_temporary_files(), result.report);
  const auto mapping = find_mapping(source);
  const auto origin = mapping.supplement ? Origin::supplement : Origin::source;
  read_source(
      mapping, folder.path(), hashing, result.report,
      [&](std::uint64_t number, std::variant<Line, Rejection> line) { intake.add(number, std::move(line), origin); });
  result.tracks = test::tracks_of(intake.finish().tracks);
  return result;
}

std::string license_id(const Track& track) { return std::string(license(track.license).name_id); }

}  // namespace

TEST_CASE("responses of the Freesound API become sounds: pages, lists and single ones") {
  const std::string sound =
      R"({"id":%,"name":"Rain &amp; wind.wav","username":"ann","license":"http://creativecommons.org/licenses/by/4.0/",
          "duration":2.5,"description":"Calm.<br>\r\n<a href=\"https://a.example\">a link</a>","url":"https://freesound.org/people/ann/sounds/%/",
          "tags":["Rain","127bpm","loop","Piano","Dust Bowl"],"previews":{"preview-hq-mp3":"https://freesound.org/p/%.mp3"}})";
  const auto with = [&](const std::string& id) {
    auto text = sound;
    for (auto at = text.find('%'); at != std::string::npos; at = text.find('%')) text.replace(at, 1, id);
    return text;
  };
  const auto result = read("freesound", {{"1.json", R"({"count":1,"results":[)" + with("11") + "]}"},
                                         {"2.json", std::string("[").append(with("12")) + R"(,{"id":13,"name":"n"}])"},
                                         {"3.json", with("14")},
                                         {"4.json", R"({"results":[{"id":"x-1","name":"n"}]})"}});
  REQUIRE(result.tracks.size() == 3);
  const auto& track = result.track("freesound-12");
  CHECK(track.title == "Rain & wind.wav");
  CHECK(track.description == "Calm.\n\na link");
  CHECK(track.duration_ms == 2500);
  CHECK(track.bpm_hundredths == 12'700);
  CHECK(track.loop);
  CHECK(license_id(track) == "cc-by-4.0");
  CHECK(track.preview_url == "https://freesound.org/p/12.mp3");
  CHECK(track.tags[4] == std::vector<std::string>{"rain", "127bpm", "loop", "dust-bowl"});
  CHECK(track.tags[3] == std::vector<std::string>{"piano"});
  CHECK(result.report.count(Reason::duration_missing) == 1);
  CHECK(result.report.count(Reason::id_invalid) == 1);
}

TEST_CASE("responses of the Openverse API belong to their providers") {
  const auto work = [](const char* source, const char* page, const char* license, const char* more) {
    return std::string(R"({"id":"u","title":"T","creator":"C","source":")") + source + R"(","foreign_landing_url":")" +
           page + R"(","url":")" + page + R"(.mp3","license":")" + license + "\"," + more + "}";
  };
  const auto result = read(
      "openverse",
      {{"page.json",
        R"({"result_count":9,"results":[)" +
            work("freesound", "https://freesound.org/people/a/sounds/21", "by",
                 R"("license_version":"3.0","duration":14090,"tags":[{"name":"door"}])") +
            "," +
            work(
                "jamendo", "https://www.jamendo.com/track/22", "by-nc",
                R"("license_version":"4.0","duration":242000,"genres":["poprock"],"tags":[{"name":"speed_high"},{"name":"happy"},{"name":"vocal"},{"name":"male"}])") +
            "," +
            work("jamendo", "https://www.jamendo.com/track/23", "by", R"("license_version":"3.0","duration":1000)") +
            "," +
            work("jamendo", "https://www.jamendo.com/track/24", "by", R"("license_version":null,"duration":5000)") +
            "," +
            work("jamendo", "https://www.jamendo.com/track/25", "by-nd", R"("license_version":"3.0","duration":5000)") +
            "," +
            work("freesound", "https://freesound.org/people/a/sounds/26", "sampling+",
                 R"("license_version":"1.0","duration":5000)") +
            "," +
            work("jamendo", "https://www.jamendo.com/track/27", "by-sa", R"("license_version":"2.0","duration":5000)") +
            "," +
            work("wikimedia_audio", "https://commons.wikimedia.org/w/index.php?curid=1", "cc0",
                 R"("license_version":"1.0","duration":700,"category":"music")") +
            "," +
            work("wikimedia_audio", "https://commons.wikimedia.org/w/index.php?curid=2", "pdm",
                 R"("license_version":"1.0","duration":700,"category":"music")") +
            "]}"}});
  REQUIRE(result.tracks.size() == 3);
  CHECK(result.track("freesound-21").duration_ms == 14'090);
  CHECK(result.track("freesound-21").kind == Kind::sfx);
  const auto& song = result.track("jamendo-22");
  CHECK(license_id(song) == "cc-by-nc-4.0");
  CHECK(song.kind == Kind::music);
  CHECK(song.tags[0] == std::vector<std::string>{"pop-rock"});
  CHECK(song.tags[1] == std::vector<std::string>{"happy"});
  CHECK(song.energy == Energy::driving);
  CHECK(song.vocals == Vocals::vocal);
  CHECK_FALSE(result.track("freesound-21").vocals.has_value());
  CHECK(result.tracks.back().source == "commons.wikimedia.org");
  CHECK(result.report.count(Reason::duration_missing) == 1);
  CHECK(result.report.count(Reason::license_version_missing) == 1);  // "by", and no version
  CHECK(result.report.count(Reason::no_derivatives) == 1);
  CHECK(result.report.count(Reason::sampling) == 1);
  CHECK(result.report.count(Reason::license_old_version) == 1);
  CHECK(result.report.count(Reason::license_not_offered) == 1);
}

TEST_CASE("a work of Openverse has a license if its code, version and URL agree") {
  struct Case {
    const char* license;
    const char* version;
    const char* address;
    const char* expected;
  };
  int number = 30;
  const auto work = [&](const Case& row, const char* source, const char* page) {
    return std::string(R"({"title":"Of )") + source + R"(","creator":"A","source":")" + source +
           R"(","foreign_landing_url":")" + page + std::to_string(++number) + R"(","license":")" + row.license +
           R"(","license_version":")" + row.version + R"(","license_url":")" + row.address +
           R"(","duration":5000,"category":"music"})";
  };
  const auto works = [&](const Case& row, const char* between) {
    return work(row, "freesound", "https://freesound.org/people/a/sounds/") + between +
           work(row, "jamendo", "https://www.jamendo.com/track/") + between +
           work(row, "wikimedia_audio", "https://commons.wikimedia.org/w/index.php?curid=");
  };
  const auto answer = [&](const Case& row) { return R"({"results":[)" + works(row, ",") + "]}"; };
  for (const auto& row : {
           Case{"by", "3.0", "https://creativecommons.org/licenses/by/3.0/", "cc-by-3.0"},
           Case{"cc0", "1.0", "https://creativecommons.org/publicdomain/zero/1.0/", "cc0"},
           Case{"cc0", "", "", "cc0"},
           Case{"by", "", "https://creativecommons.org/licenses/by/4.0/", "cc-by-4.0"},
           Case{"by", "3.0", "https://creativecommons.org/licenses/by/", "cc-by-3.0"},
           Case{"by", "3.0", "https://creativecommons.org/licenses/by/3.0/de/", "license_ported"},
           Case{"by", "4.0", "https://creativecommons.org/licenses/by-nc/4.0/", "license_ambiguous"},
           Case{"by", "4.0", "https://creativecommons.org/licenses/by/3.0/", "license_ambiguous"},
           Case{"by-nd", "4.0", "https://creativecommons.org/licenses/by/4.0/", "no_derivatives"},
           Case{"by-nc", "", "https://creativecommons.org/licenses/by/4.0/", "license_ambiguous"},
           Case{"by", "4.0", "https://example.org/mine", "license_unknown"},
           Case{"by", "5.0", "https://creativecommons.org/licenses/by/4.0/", "license_unknown"},
       }) {
    CAPTURE(row.license);
    CAPTURE(row.address);
    for (const auto& result : {read("openverse", {{"a.json", answer(row)}}),
                               read("openverse-recorded-answers", {{"audio_results.jsonl", works(row, "\n")}})}) {
      const std::string_view expected = row.expected;
      CHECK(result.tracks.size() == (expected.starts_with("cc") ? 3 : 0));
      for (const auto& track : result.tracks) CHECK(license_id(track) == expected);
      if (!result.tracks.empty()) continue;
      const auto counted = std::string("{\n    \"").append(expected).append("\":3\n  }");
      CHECK(result.report.to_json().find(counted) != std::string::npos);
    }
  }
}

TEST_CASE("rows that the source declares neither music nor a sound are rejected") {
  const auto work = [](const char* number, const char* category) {
    return std::string(R"({"title":"T","source":"x","foreign_landing_url":"https://x.example/)") + number +
           R"(","license":"cc0","license_version":"1.0","duration":5000,"category":)" + category + "}";
  };
  const auto result = read(
      "openverse", {{"a.json", R"({"results":[)" + work("1", R"("audiobook")") + "," + work("2", R"("pronunciation")") +
                                   "," + work("3", "null") + "," + work("4", R"("sound_effect")") + "]}"}});
  REQUIRE(result.tracks.size() == 1);
  CHECK(result.tracks[0].kind == Kind::sfx);
  CHECK(result.report.count(Reason::kind_unknown) == 3);
}

TEST_CASE("a file of several inputs is read once: each rejection and each unmatched row is counted once") {
  const auto result = read("openverse", {{"a.json", R"({"results":[7,{"a":1,"a":2},{"title":"T"}]})"}});
  CHECK(result.report.inputs().size() == 1);
  CHECK(result.report.count(Reason::row_broken) == 2);
  CHECK(result.report.count(Reason::id_invalid) == 1);
  const auto audio =
      read("audio", {{"manifest.csv",
                      "file,format,duration_s,kind,license,author,source,note\n"
                      "a/Rain_1.mp3,x,9.5,music,CC-BY-3.0,K,http://incompetech.com/music/?isrc=US1,\n"
                      "a/esc-1.wav,x,5,sfx,CC0-1.0,B,https://freesound.org/people/b/sounds/5/,\n"
                      "a/door.wav,x,1,sfx,CC0-1.0,B,http://www.freesound.org/people/b/sounds/6/,loop\nx\n"}});
  CHECK(audio.report.inputs().size() == 1);
  CHECK(audio.tracks.size() == 3);
  CHECK(audio.track("freesound-6").loop);
  CHECK(audio.report.count(Reason::row_broken) == 1);
  CHECK(audio.report.inputs()[0].of_no_input == 0);
}

TEST_CASE("rows that match no input are counted, and an unreadable folder is named") {
  const test::ScratchFolder folder;
  const auto mine = folder.write("mine.toml", R"(
name = "mine"
domain = "mine.example"
id_prefix = "mine"
kind = "sfx"
[[input]]
file = "a.csv"
format = "csv"
key = "key"
only = [{ column = "kind", pattern = '^sound$' }]
[[input]]
file = "a.csv"
format = "csv"
key = "key"
only = [{ column = "kind", pattern = '^noise$' }]
)");
  const auto result = read(mine, {{"a.csv", "key,kind\n1,sound\n2,song\n3,noise\n4,\n"}});
  REQUIRE(result.report.inputs().size() == 1);
  CHECK(result.report.inputs()[0].rows == 2);
  CHECK(result.report.inputs()[0].of_no_input == 2);
  CHECK(result.report.to_json().find(R"("of_no_input":2)") != std::string::npos);
  CHECK(result.report.summary().find("2 lines, 0 kept, and 2 of no input") != std::string::npos);
  CHECK_THROWS_WITH_AS(source_files(find_mapping("fma"), mine), doctest::Contains("cannot be opened: Not a directory"),
                       Failure);
}

TEST_CASE("a supplement of a song adds neither title nor duration") {
  const test::ScratchFolder folder;
  folder.write("manifest.csv",
               "file,format,duration_s,kind,license,author,source,note\n"
               "mp3/Gold_Rush.mp3,x,47.832,music,CC-BY-3.0,K,https://incompetech.com/music/?isrc=USUAN1,\n");
  folder.write("songs.csv", "isrc,title,length,license\nUSUAN1,Gold Rush,4:00,by\n");
  const auto mine = folder.write("mine.toml", R"(
name = "mine"
domain = "incompetech.com"
id_prefix = "incompetech"
kind = "music"
[[input]]
file = "songs.csv"
format = "csv"
key = "isrc"
[input.fields]
title = { column = "title" }
duration_s = { column = "length", form = "clock" }
license = { column = "license" }
[[license]]
match = '^by$'
id = "cc-by-3.0"
)");
  native::OpensslHashing hashing;
  Report report;
  Intake intake({}, {}, test::folder_of_temporary_files(), report);
  for (const auto& name : {std::string("audio"), mine}) {
    const auto mapping = find_mapping(name);
    const auto origin = mapping.supplement ? Origin::supplement : Origin::source;
    read_source(mapping, folder.path(), hashing, report, [&](std::uint64_t number, std::variant<Line, Rejection> line) {
      intake.add(number, std::move(line), origin);
    });
  }
  const auto tracks = test::tracks_of(intake.finish().tracks);
  REQUIRE(tracks.size() == 1);
  CHECK(tracks[0].title == "Gold Rush");
  CHECK(tracks[0].duration_ms == 240'000);
}

TEST_CASE("each of FMA's tables is read by its own columns") {
  const std::string head =
      ",artist,track,track,track,track,track,track,track\n"
      ",name,date_created,duration,genre_top,information,license,tags,title\n"
      "track_id,,,,,,,,\n";
  const auto row = [](int id, const char* license) {
    return std::to_string(id) + ",Ann,2008-11-26 01:48:12,168,Hip-Hop,<p>Caf&eacute;</p>," + license +
           ",\"['lo-fi', 'my town']\",Food\n";
  };
  const File tracks{"tracks.csv",
                    head + row(2, "Attribution 3.0 International") + row(3, "Attribution-NonCommercial 4.0") +
                        row(4, "Attribution") + row(5, "Attribution-Noncommercial 3.0 United States") +
                        row(6, "Attribution-NonCommercial-ShareAlike 3.0 International") +
                        row(7, "Attribution-NonCommercial 2.5") + row(8, "Noncommercial Sampling Plus") +
                        row(9, "Attribution-NoDerivs 2.5 Canada") + row(10, "ideology.de") + row(11, "") +
                        row(12, "Attribution-NonCommercial-NoDerivatives (aka Music Sharing) 3.0 International")};
  const auto names = read("fma", {tracks});
  REQUIRE(names.tracks.size() == 2);
  const auto& food = names.track("fma-2");
  CHECK(license_id(food) == "cc-by-3.0");
  CHECK(license_id(names.track("fma-3")) == "cc-by-nc-4.0");
  CHECK(food.artist == "Ann");
  CHECK(food.published == "2008-11-26");
  CHECK(food.description == "Café");
  CHECK(food.tags[0] == std::vector<std::string>{"hip-hop", "lo-fi"});
  CHECK(names.report.unlisted_values().contains("fma: track.tags: my town"));
  CHECK(names.report.count(Reason::license_version_missing) == 1);
  CHECK(names.report.count(Reason::license_ported) == 1);
  CHECK(names.report.count(Reason::share_alike) == 1);
  CHECK(names.report.count(Reason::license_old_version) == 1);
  CHECK(names.report.count(Reason::sampling) == 1);
  CHECK(names.report.count(Reason::no_derivatives) == 2);
  CHECK(names.report.count(Reason::license_unknown) == 1);
  CHECK(names.report.count(Reason::license_missing) == 1);

  const File raw{"raw_tracks.csv",
                 "track_id,artist_name,license_title,license_url,tags,track_date_created,track_duration,track_genres,"
                 "track_information,"
                 "track_title,track_url\n"
                 "2,Ann,x,http://creativecommons.org/licenses/by/4.0/,[],11/26/2008 01:48:12 AM,02:48,"
                 "\"[{'genre_id': '21', 'genre_title': 'Hip-Hop', 'genre_url': 'http://a.example/'}]\",,Food,"
                 "http://freemusicarchive.org/music/AWOL/Food\n"};
  const auto addresses = read("fma", {raw});
  REQUIRE(addresses.tracks.size() == 1);
  CHECK(license_id(addresses.tracks[0]) == "cc-by-4.0");
  CHECK(addresses.tracks[0].duration_ms == 168'000);
  CHECK(addresses.tracks[0].published == "2008-11-26");
  CHECK(addresses.tracks[0].tags[0] == std::vector<std::string>{"hip-hop"});
  const auto both = read("fma", {raw, tracks});
  CHECK(license_id(both.track("fma-2")) == "cc-by-3.0");  // the stricter
  CHECK(both.report.contradictions().size() == 1);
  CHECK_THROWS_WITH_AS(source_files(find_mapping("fma"), test::ScratchFolder().path()),
                       doctest::Contains("contains none of the files of fma"), Failure);
}

TEST_CASE("Jamendo's rows get the tags of MTG-Jamendo, but no other license") {
  const File tracks{"tracks.csv",
                    "track_id,cyanite_id,name,artist_name,duration,license_ccurl\n"
                    "382,x, Caf&eacute; &amp; Bar ,A&#039;s,211,http://creativecommons.org/licenses/by/3.0/\n"
                    "383,x,T,A,0,http://creativecommons.org/licenses/by/3.0/\n"
                    "384,x,T,A,9,http://creativecommons.org/licenses/by-nc-sa/2.0/fr/\n"
                    "385,x,T,A,9,\n"};
  const auto result = read("jamendo-cyanite", {tracks});
  REQUIRE(result.tracks.size() == 1);
  CHECK(result.tracks[0].title == "Café & Bar");
  CHECK(result.tracks[0].artist == "A's");
  CHECK(result.tracks[0].source_page == "https://www.jamendo.com/track/382");
  CHECK(result.report.count(Reason::duration_missing) == 1);
  CHECK(result.report.count(Reason::license_ported) == 1);
  CHECK(result.report.count(Reason::license_missing) == 1);
  const std::string head = "TRACK_ID\tARTIST_ID\tALBUM_ID\tPATH\tDURATION\tTAGS\r\n";
  const std::vector<File> tags{
      {"autotagging_instrument.tsv", head + "track_0000382\ta\tb\tc\t211.1\tinstrument---acousticguitar\r\n"},
      {"autotagging_moodtheme.tsv", head + "track_0000382\ta\tb\tc\t211.1\tmood/theme---film\tmood/theme---dream\r\n"},
      {"split0_autotagging_genre-test.tsv", head + "track_0000390\ta\tb\tc\t1.5\tgenre---drumnbass\r\n"},
      {"split0_autotagging-test.tsv", head}};
  CHECK(read("mtg-jamendo", tags).tracks.empty());
  CHECK(read("mtg-jamendo", tags).report.count(Reason::title_missing) == 2);
  const auto evaluation = read("mtg-jamendo", tags, true);
  REQUIRE(evaluation.tracks.size() == 2);
  CHECK(evaluation.track("jamendo-382").tags[1] == std::vector<std::string>{"dreamy"});
  CHECK(evaluation.track("jamendo-382").tags[2] == std::vector<std::string>{"film"});
  CHECK(evaluation.track("jamendo-382").tags[3] == std::vector<std::string>{"acoustic-guitar"});
  CHECK(evaluation.track("jamendo-390").tags[0] == std::vector<std::string>{"drum-and-bass"});
}

TEST_CASE("sources without versions, durations or licenses yield rejections with reasons") {
  const std::string list =
      "This dataset uses\n\n'<file name>' with ID <soundid>\n\n'a [1].wav' with ID 6 by x y [CC-BY]\n"
      "'b' with ID 7 by z [CC-SAMPLING+]\nsomething else\n";
  const auto sounds = read("fsdkaggle2018",
                           {{"licenses_dev.txt", list},
                            {"licenses_eval.txt", ""},
                            {"2018_Jan_22_licenses_dev.txt", ""},
                            {"2018_Jan_22_licenses_eval.txt", ""},
                            {"kaggle2_licenses.txt", "'c' of ID 8 by z [CC-ZERO]\n"},
                            {"dataset_dev.csv", "6,/m/1,Meow,1\n"},
                            {"dataset_eval.csv", "8,/m/1,Bark\n"}},
                           true);
  REQUIRE(sounds.tracks.size() == 2);
  CHECK(sounds.track("freesound-6").title == "a [1].wav");
  CHECK(sounds.track("freesound-6").artist == "x y");
  CHECK(sounds.track("freesound-6").tags[4] == std::vector<std::string>{"cat"});
  CHECK(license_id(sounds.track("freesound-6")) == "unknown");
  CHECK(license_id(sounds.track("freesound-8")) == "cc0");
  CHECK(sounds.report.count(Reason::sampling) == 1);
  CHECK(sounds.report.count(Reason::row_broken) == 1);

  const std::vector<File> clips{
      {"LICENSE-per-clip.txt",
       "# ESC\n\n101 - Dog:\n- [1-2-A.ogg]:  clip derived from a (b).wav "
       "(http://www.freesound.org/people/x/sounds/2/) by x [CC0]\n"
       "- [4-3-A.ogg]: clip derived from [C[N]](http://www.freesound.org/people/y/sounds/3/) by y "
       "[CC-BY-NC]\n\n108 - Insects (flying):\n"
       "- [1-4-B.ogg]: clip derived from Bee (http://www.freesound.org/people/z/sounds/4/) by z [CC0]\n"}};
  const auto esc = read("esc50", clips, true);
  REQUIRE(esc.tracks.size() == 3);
  CHECK(esc.tracks[0].title == "a (b).wav");
  CHECK(kCategories[*esc.tracks[0].category].id == "fx-a");
  CHECK(license_id(esc.tracks[1]) == "unknown");
  CHECK(esc.tracks[1].artist == "y");
  const auto offered = read("esc50", clips);
  REQUIRE(offered.tracks.size() == 2);
  CHECK(offered.tracks[0].duration_ms == 5'000);
  CHECK(offered.tracks[0].original_url.ends_with("/101%20-%20Dog/1-2-A.ogg"));
  CHECK(offered.tracks[1].original_url.ends_with("/108%20-%20Insects/1-4-B.ogg"));
  CHECK(offered.tracks[1].tags[4] == std::vector<std::string>{"insects"});
  CHECK(offered.report.count(Reason::license_version_missing) == 1);

  const std::vector<File> remixes{
      {"remix_recursively_scraped.json", R"([{"artist":"A","bpm":"100bpm","id":"1","track":"T","parents":[2]}])"},
      {"extra_tracks.json",
       R"([{"artist":"A","bpm":"mix","id":"2","track":"T"},{"artist":"A","bpm":7094,"id":"3","track":"T"},
                                {"artist":"A","bpm":"100 / Rubato","id":"4","track":"T"}])"},
      {"remixes_jan2016_dec2016.json", R"([{"file_page_url":"http://ccmixter.org/files/x/5","upload_name":"T"}])"}};
  const auto evaluated = read("ccmixter-remixes", remixes, true);
  CHECK(evaluated.tracks.size() == 5);
  CHECK(evaluated.track("ccmixter-1").bpm_hundredths == 10'000);
  CHECK(evaluated.track("ccmixter-3").bpm_hundredths == 0);
  CHECK(evaluated.track("ccmixter-5").artist == "x");
  CHECK(evaluated.report.repairs.at("ccmixter-remixes: impossible bpm dropped") == 3);
  CHECK(read("ccmixter-remixes", remixes).tracks.empty());
}

TEST_CASE("the folders of small collections yield complete rows, and words that no facet has stay searchable") {
  const auto packs =
      read("kenney-soundcn",
           {{"sounds.csv",
             "id,title,artist,pack,sub,duration_s,license,license_stated,description,keywords,path,raw_audio_url\n"
             "k:1,impact Wood,Kenney (www.kenney.nl),impact-sounds,,0.5,CC0-1.0,CC0 in registry.json; none here,\"A "
             "thud.And "
             "more\",ui thud,a/b c.ogg,https://a.example/1.ogg\n"
             "k:2,you win,Kenney (www.kenney.nl),voiceover-pack,Male,0.9,CC0-1.0,License.txt in the pack,,,a/d.ogg,\n"
             "k:3,none,Kenney (www.kenney.nl),impact-sounds,,0.9,CC0-1.0,all rights reserved,,,a/e.ogg,\n"}});
  REQUIRE(packs.tracks.size() == 2);
  const auto& wood = packs.tracks[0];
  CHECK(license_id(wood) == "cc0");
  CHECK(wood.artist == "Kenney");
  CHECK(wood.credit_as == "Kenney (www.kenney.nl)");
  CHECK(wood.description == "A thud.And more");
  CHECK(wood.tags[4] == std::vector<std::string>{"impact"});
  CHECK(wood.matching_words == std::vector<std::string>{"ui", "thud"});
  CHECK(wood.source_page ==
        "https://github.com/kapishdima/soundcn/blob/4114986094c35ac9b35b7313f56a9f2152ce5528/a/b%20c.ogg");
  CHECK(wood.original_url == "https://a.example/1.ogg");
  CHECK_FALSE(wood.category.has_value());
  CHECK(kCategories[packs.tracks[1].category.value()].id == "sp-s");
  CHECK(packs.report.count(Reason::license_missing) == 1);

  const auto games =
      read("small-game-credits",
           {{"sounds.csv",
             "id,title,artist,duration_s,spdx,source_url,freesound_id,repo,commit,path,raw_audio_url\n"
             "a,default_dig.1,Ann,0.5,CC-BY-3.0,https://freesound.org/s/7/,7,a/b,c,d.ogg,https://a.example/d.ogg\n"
             "b,wind1,Q,2.25,CC0-1.0,,,a/b,c,e f.ogg,https://a.example/e.ogg\n"}});
  REQUIRE(games.tracks.size() == 2);
  CHECK(games.tracks[0].title == "default_dig.1");
  CHECK(license_id(games.tracks[0]) == "cc-by-3.0");
  CHECK(games.tracks[0].source_page == "https://freesound.org/s/7/");
  CHECK(games.tracks[1].source_page == "https://github.com/a/b/blob/c/e%20f.ogg");

  const auto collected =
      read("soundfx-collection", {{"sounds.csv",
                                   "id,title,artist,duration_s,license_url,source_url,freesound_id,raw_audio_url\n"
                                   "alarm1,alarm1,Ann,2.534,https://creativecommons.org/publicdomain/zero/1.0/,"
                                   "https://freesound.org/s/7/,7,https://a.example/alarm1.mp3\n"}});
  REQUIRE(collected.tracks.size() == 1);
  CHECK(collected.tracks[0].original_url == "https://a.example/alarm1.mp3");

  const auto answers =
      read("text2sound-freesound", {{"raw_metadata.csv",
                                     "filename,sound id,category,tempo,tags,description,duration,license,username\n"
                                     "Kick 01.wav,7,bass,149.8,\"kick, 120bpm, loop, zither-like\",Hit.,4.0,"
                                     "http://creativecommons.org/publicdomain/zero/1.0/,@ann\n"}});
  const auto& kick = answers.track("freesound-7");
  CHECK(kick.title == "Kick 01.wav");
  CHECK(kick.bpm_hundredths == 12'000);
  CHECK(kick.loop);
  CHECK(kick.source_page == "https://freesound.org/people/%40ann/sounds/7/");
  CHECK_FALSE(kick.category.has_value());

  const auto scenes = read("immerse-yourself-freesound", {{"attribution.json", R"([
      {"id":8,"name":"Coin &amp; Flip","author":"b","license":"https://creativecommons.org/licenses/by/4.0/",
       "url":"https://freesound.org/people/b/sounds/8/","duration":1.3},
      {"id":9,"name":"River","author":"b","license":"https://creativecommons.org/licenses/by/4.0/",
       "url":"https://freesound.org/people/b/sounds/9/"}])"}});
  REQUIRE(scenes.tracks.size() == 1);
  CHECK(scenes.tracks[0].title == "Coin & Flip");
  CHECK(scenes.report.count(Reason::duration_missing) == 1);
}

TEST_CASE("a row lists all recordings that it was made from, once each (LINE-15)") {
  const test::ScratchFolder folder;
  folder.write(
      "sounds.csv",
      "key,from,text\n1,007,cut from /sounds/7/\n2,,mixed: /sounds/12/ & /sounds/3/ and /sounds/12/\n3,0,none\n");
  const auto path = folder.write("mine.toml", R"(
name = "mine"
domain = "mine.example"
id_prefix = "mine"
kind = "sfx"
[[input]]
file = "sounds.csv"
format = "csv"
key = "key"
made_from = [{ column = "from", number = '^(\d+)$', id_prefix = "fs" }, { column = "text", number = '/sounds/(\d+)', id_prefix = "fs" }]
)");
  Report report;
  native::OpensslHashing hashing;
  std::vector<std::vector<std::string>> originals;
  read_source(
      find_mapping(path), folder.path(), hashing, report,
      [&](std::uint64_t, std::variant<Line, Rejection> line) { originals.push_back(std::get<Line>(line).made_from); });
  CHECK(originals == std::vector<std::vector<std::string>>{{"fs-7"}, {"fs-12", "fs-3"}, {}});
}

TEST_CASE("an artist that is a placeholder is removed and counted (LINE-16)") {
  const test::ScratchFolder folder;
  folder.write("sounds.csv", "key,name,by,rights\n1,Rain,Unknown Artist,by\n2,Sea,Various,zero\n3,Wind,Ann,by\n");
  const auto path = folder.write("mine.toml", R"(
name = "mine"
domain = "mine.example"
id_prefix = "mine"
kind = "sfx"
[[input]]
file = "sounds.csv"
format = "csv"
key = "key"
[input.fields]
title = { column = "name" }
artist = { column = "by" }
duration_s = { constant = "3" }
license = { column = "rights" }
[[license]]
match = "by"
id = "cc-by-4.0"
[[license]]
match = "zero"
id = "cc0"
)");
  Report report;
  native::OpensslHashing hashing;
  Intake intake({}, {}, test::folder_of_temporary_files(), report);
  read_source(find_mapping(path), folder.path(), hashing, report,
              [&](std::uint64_t number, std::variant<Line, Rejection> line) {
                intake.add(number, std::move(line), Origin::source);
              });
  const auto tracks = test::tracks_of(intake.finish().tracks);
  REQUIRE(tracks.size() == 2);
  CHECK(tracks[0].artist.empty());
  CHECK(license(tracks[0].license).name_id == "cc0");
  CHECK(tracks[1].artist == "Ann");
  CHECK(report.count(Reason::artist_missing) == 1);
  CHECK(report.repairs.at("mine: artist that names nobody dropped") == 2);
}

TEST_CASE("a malformed URL is dropped and counted, and its spaces are encoded") {
  const auto result = read(
      "freemusi-cc", {{"tracks.csv",
                       "activity,disc,duration,id,rating,title,track,trackartist,trackurl\n"
                       "0,1,9,r,0,One,1,A, http://a.example/my song.mp3 \n0,1,9,s,0,Two,1,A,ftp://a.example/2.mp3\n"},
                      {"releases.csv",
                       "id,licenseurl,genre,style,url\nr,http://creativecommons.org/licenses/by/3.0/,,,http://\n"
                       "s,http://creativecommons.org/licenses/by/3.0/,,,http://a.example/s\n"}});
  REQUIRE(result.tracks.size() == 2);
  CHECK(result.tracks[0].original_url == "http://a.example/my%20song.mp3");
  CHECK(result.tracks[0].source_page.empty());
  CHECK(result.tracks[1].original_url.empty());
  CHECK(result.report.repairs.at("freemusi-cc: white space in original_url repaired") == 1);
  CHECK(result.report.repairs.at("freemusi-cc: broken source_page dropped") == 1);
  CHECK(result.report.repairs.at("freemusi-cc: broken original_url dropped") == 1);
}

TEST_CASE("the example in the guide works as described") {
  std::ifstream file(TONEARM_SOURCE_DIR "/docs/guide/sources.md");
  const std::string guide{std::istreambuf_iterator<char>(file), {}};
  const auto block = [&](const std::string& kind, std::size_t from) {
    const auto begin = guide.find("```" + kind + "\n", from) + kind.size() + 4;
    return guide.substr(begin, guide.find("```", begin) - begin);
  };
  const auto from = guide.find("## An example");
  REQUIRE(from != std::string::npos);
  const test::ScratchFolder folder;
  const auto mapping = folder.write("shore.toml", block("toml", from));
  const auto result = read(mapping, {{"sounds.tsv", block("tsv", from)}});
  REQUIRE(result.tracks.size() == 1);
  CHECK(result.tracks[0].id == "shore-7");
  CHECK(result.tracks[0].tags[4] == std::vector<std::string>{"ocean", "gulls"});
  CHECK(result.tracks[0].duration_ms == 65'000);
  CHECK(result.report.count(Reason::license_ported) == 1);
}

TEST_CASE("the format in the guide can be parsed") {
  std::ifstream file(TONEARM_SOURCE_DIR "/docs/guide/sources.md");
  const std::string guide{std::istreambuf_iterator<char>(file), {}};
  const auto begin = guide.find("```toml\n") + 8;
  CHECK_NOTHROW(parse_mapping(guide.substr(begin, guide.find("```", begin) - begin), "guide.toml"));
}

}  // namespace tonearm::builder
