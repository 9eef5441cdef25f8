#include "folder/folder_source.h"

#include <doctest/doctest.h>
#include <sndfile.h>
#include <taglib/fileref.h>
#include <taglib/tpropertymap.h>

#include <chrono>
#include <filesystem>
#include <map>

#include "../../audio/synthesis.h"
#include "files/pinned_file.h"
#include "folder/tags.h"
#include "program/build.h"
#include "scratch_folder.h"
#include "system/system_ports.h"
#include "tonearm/catalog.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

void write_sound(const std::string& path, int format, double hz, double seconds = 1) {
  const auto sound = test::tone(seconds, hz);
  SF_INFO info{};
  info.samplerate = test::kRate;
  info.channels = 1;
  info.format = format;
  auto* file = sf_open(path.c_str(), SFM_WRITE, &info);
  REQUIRE(file != nullptr);
  sf_write_float(file, sound.data(), static_cast<sf_count_t>(sound.size()));
  sf_close(file);
}

void tag(const std::string& path, const std::vector<std::pair<std::string, std::string>>& values) {
  TagLib::FileRef file(path.c_str(), false);
  REQUIRE_FALSE(file.isNull());
  TagLib::PropertyMap map;
  for (const auto& [name, value] : values) {
    map[TagLib::String(name)] = TagLib::StringList(TagLib::String(value, TagLib::String::UTF8));
  }
  file.file()->setProperties(map);
  REQUIRE(file.save());
}

Report build(const test::ScratchFolder& folder, const std::string& audio, const std::string& more = {}) {
  native::OpensslHashing hashing;
  BuildOptions options;
  options.inputs.push_back({std::string(kFolderSource), audio});
  if (!more.empty()) options.inputs.push_back({std::string(kFolderSource), more});
  options.output = folder.path("out.sqlite");
  options.media_output = folder.path("media");
  return build_catalog(options, hashing);
}

std::string json_of_all(const test::ScratchFolder& folder) {
  const auto catalog = Catalog::open(std::make_shared<const native::PinnedFile>(folder.path("out.sqlite")), {});
  REQUIRE(catalog.has_value());
  std::string text;
  for (std::uint32_t i = 0; i < (*catalog)->track_count(); ++i) {
    text += std::string((*catalog)->render(std::vector<std::uint32_t>{i}).front().json) + "\n";
  }
  return text;
}

std::string media_bytes(const test::ScratchFolder& folder, const std::string& ending) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("media"))) {
    const auto name = entry.path().filename().string();
    if (name.ends_with(ending)) files[name] = folder.read("media/" + name);
  }
  std::string all;
  for (const auto& [name, bytes] : files) all.append(name).append("\n").append(bytes);
  return all;
}

/// Contains `audio/rain.wav` and `audio/wind.ogg`, both CC0 by a list.
void put_two(const test::ScratchFolder& folder) {
  std::filesystem::create_directory(folder.path("audio"));
  write_sound(folder.path("audio/rain.wav"), SF_FORMAT_WAV | SF_FORMAT_PCM_16, 440);
  write_sound(folder.path("audio/wind.ogg"), SF_FORMAT_OGG | SF_FORMAT_VORBIS, 880);
  folder.write("audio/list.csv",
               "file,license,author,title,kind\nrain.wav,CC0-1.0,Ann,Rain,sfx\nwind.ogg,CC0-1.0,Ann,Wind,sfx\n");
}

}  // namespace

// BUILD-11
TEST_CASE("tags state license, title and artist in every format") {
  const test::ScratchFolder folder;
  const std::vector<std::pair<std::string, int>> formats{{"a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16},
                                                         {"a.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16},
                                                         {"a.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS},
                                                         {"a.mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III}};
  for (const auto& entry : formats) {
    const std::string& name = entry.first;
    CAPTURE(name);
    write_sound(folder.path(name), entry.second, 440);
    tag(folder.path(name), {{"TITLE", "Rain"},
                            {"ARTIST", "Ann"},
                            {"LICENSE", "CC BY 4.0"},
                            {"COPYRIGHT", "2020 Ann (https://creativecommons.org/licenses/by/4.0/)."}});
    const auto read = read_tags(folder.path(name));
    CHECK(read.fields.at("title") == "Rain");
    CHECK(read.fields.at("artist") == "Ann");
    CHECK(read.licenses == std::vector<std::string>{"CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"});
  }
  CHECK(read_tags(folder.write("b.ogg", "OggS and then nothing")).licenses.empty());
  CHECK(read_tags(folder.write("c.mp3", std::string("ID3\x04\0\0\x7f\x7f\x7f\x7f", 10))).licenses.empty());
  CHECK(read_tags(folder.path("nothing.ogg")).fields.empty());
}

TEST_CASE("a title from a file name has no leading number and no extension") {
  CHECK(title_of_name("a/01 - rain_on-roof.ogg") == "rain on roof");
  CHECK(title_of_name("808.wav") == "808");
}

// BUILD-10, BUILD-13, PROGRAM-22
TEST_CASE("a folder becomes tracks with previews; an encoded preview is not an original") {
  const test::ScratchFolder folder;
  put_two(folder);
  const auto report = build(folder, folder.path("audio"));
  CHECK(report.track_count == 2);
  const auto all = json_of_all(folder);
  CHECK(all.find(R"("title":"Rain")") != std::string::npos);
  CHECK(all.find(R"("original_url":null)") != std::string::npos);
  CHECK(all.find(R"("loudness_lufs":-)") != std::string::npos);  // LINE-22: measured, because nothing states it
  CHECK(all.find(R"("original_url":"http://127.0.0.1:8080/media/folder-)") != std::string::npos);
  CHECK(media_bytes(folder, ".ogg").find(folder.read("audio/wind.ogg")) != std::string::npos);
  CHECK(media_bytes(folder, ".peaks.json").find(R"("version":2)") != std::string::npos);
  CHECK(media_bytes(folder, ".partial").empty());
}

// BUILD-13
TEST_CASE("previews have the same bytes in each build and change with the audio, not with its time") {
  const test::ScratchFolder one;
  const test::ScratchFolder other;
  put_two(one);
  std::filesystem::copy(one.path("audio"), other.path("audio"));
  build(one, one.path("audio"));
  build(other, other.path("audio"));
  const auto before = media_bytes(one, ".ogg");
  CHECK(before == media_bytes(other, ".ogg"));
  CHECK(one.read("out.sqlite") == other.read("out.sqlite"));

  const auto time = std::filesystem::last_write_time(one.path("audio/rain.wav"));
  write_sound(one.path("audio/rain.wav"), SF_FORMAT_WAV | SF_FORMAT_PCM_16, 550);
  std::filesystem::last_write_time(one.path("audio/rain.wav"), time - std::chrono::hours(1));
  build(one, one.path("audio"));
  CHECK(media_bytes(one, ".ogg") != before);
}

// BUILD-14
TEST_CASE("measurements of an earlier build are reused; a partial index of previews is repaired") {
  const test::ScratchFolder folder;
  put_two(folder);
  std::filesystem::copy(folder.path("audio/rain.wav"), folder.path("audio/same.wav"));
  const auto first = build(folder, folder.path("audio"));
  CHECK(first.folders().front().measured == 3);
  CHECK(first.folders().front().from_cache == 0);
  const auto media = media_bytes(folder, ".ogg");
  const auto index = folder.read("media/.previews");
  folder.write("media/.previews", index.substr(0, index.size() - 20));
  const auto second = build(folder, folder.path("audio"));
  CHECK(second.folders().front().measured == 0);
  CHECK(second.folders().front().from_cache == 3);
  CHECK(media_bytes(folder, ".ogg") == media);
  CHECK(folder.read("media/.previews").size() == index.size());
  folder.write("out.sqlite.measurements", "no cache");
  CHECK(build(folder, folder.path("audio")).folders().front().measured == 3);
}

// BUILD-12
TEST_CASE("statements take precedence over measurements, and conflicts are reported") {
  const test::ScratchFolder folder;
  put_two(folder);
  tag(folder.path("audio/wind.ogg"), {{"TITLE", "Storm"}, {"BPM", "90"}});
  folder.write("audio/rain.txt", "A description.\n");
  const auto report = build(folder, folder.path("audio"));
  CHECK(report.folders().front().title_conflicts == std::vector<std::string>{"wind.ogg"});
  CHECK(report.folders().front().documents == std::vector<std::string>{"list.csv"});
  CHECK(json_of_all(folder).find(R"("title":"Wind")") != std::string::npos);
}

// BUILD-10, BUILD-11
TEST_CASE("files cut from one recording have its strictest license, in any folder") {
  const test::ScratchFolder folder;
  put_two(folder);
  const std::string page = "https://freesound.org/people/ann/sounds/123/";
  folder.write("audio/list.csv", "file,license,author,source,kind\nrain.wav,CC0-1.0,Ann," + page +
                                     ",sfx\nwind.ogg,CC0-1.0,Ann," + page + ",sfx\n");
  CHECK(build(folder, folder.path("audio")).by_license == Counts{{"cc0", 2}});
  std::filesystem::create_directory(folder.path("more"));
  write_sound(folder.path("more/whole.wav"), SF_FORMAT_WAV | SF_FORMAT_PCM_16, 330, 2);
  folder.write("more/list.csv", "file,license,author,source,kind\nwhole.wav,CC-BY-NC-4.0,Ann," + page + ",sfx\n");
  CHECK(build(folder, folder.path("audio"), folder.path("more")).by_license == Counts{{"cc-by-nc-4.0", 3}});
}

// LINE-8
TEST_CASE("the license of an unreadable file counts for its recording, even if no catalog accepts it") {
  const test::ScratchFolder folder;
  put_two(folder);
  const std::string page = "https://freesound.org/people/ann/sounds/123/";
  folder.write("audio/list.csv",
               "file,license,author,source,kind\nrain.wav,CC0-1.0,Ann," + page + ",sfx\nwind.ogg,CC0-1.0,Ann,,sfx\n");
  CHECK(build(folder, folder.path("audio")).track_count == 2);
  std::filesystem::create_directory(folder.path("more"));
  folder.write("more/broken.wav", "no audio");
  const auto with = [&](const std::string& license) {
    folder.write("more/list.csv", "file,license,author,source,kind\nbroken.wav," + license + ",Ann," + page + ",sfx\n");
    return build(folder, folder.path("audio"), folder.path("more")).by_license;
  };
  CHECK(with("CC-BY-NC-4.0") == Counts{{"cc-by-nc-4.0", 1}, {"cc0", 1}});
  CHECK(with("CC-BY-ND-4.0") == Counts{{"cc0", 1}});
}

// LINE-16
TEST_CASE("a tag without a real artist is not a credit") {
  const test::ScratchFolder folder;
  put_two(folder);
  folder.write("audio/list.csv",
               "file,license,author,kind\nrain.wav,CC-BY-4.0,Unknown Artist,sfx\nwind.ogg,CC-BY-4.0,Ann,sfx\n");
  const auto report = build(folder, folder.path("audio"));
  CHECK(report.track_count == 1);
  CHECK(report.count(Reason::artist_missing) == 1);
}

TEST_CASE("invalid settings of a folder end the build") {
  const test::ScratchFolder folder;
  CHECK(read_folder_settings(folder.path()).domain == "folder.internal");
  for (const std::string text :
       {"domain = \"no domain\"", "kind = \"song\"", "id_prefix = \"A b\"", "other = 1", "x"}) {
    CAPTURE(text);
    folder.write("tonearm.toml", text);
    CHECK_THROWS_AS(read_folder_settings(folder.path()), Failure);
  }
}

}  // namespace tonearm::builder
