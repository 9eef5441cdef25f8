// Edit lists: which audio files they use, and when (CLI-25).

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "edits/edit_list.h"

namespace tonearm::cli {
namespace {

constexpr double kFrameRate = 25;

/// Each file with its times: "rain.wav 0-10 12.5-13", then each problem after "? ".
std::vector<std::string> shown(const EditList& list) {
  std::vector<std::string> lines;
  for (const auto& file : list.files) {
    auto line = file.name;
    for (const auto& time : file.times)
      line += fmt::format(" {:g}-{:g}", std::round(time.begin_s * 1000) / 1000, std::round(time.end_s * 1000) / 1000);
    lines.push_back(std::move(line));
  }
  for (const auto& problem : list.problems) lines.push_back("? " + problem);
  return lines;
}

std::vector<std::string> read(const std::string& extension, const std::string& text, double frame_rate = kFrameRate) {
  return shown(read_edit_text(extension, text, frame_rate));
}

using Lines = std::vector<std::string>;

std::string edl_event(const std::string& head, const std::string& in, const std::string& out) {
  return head + " 00:00:00:00 00:00:10:00 " + in + ' ' + out + '\n';
}

std::string xmeml(const std::string& tracks) {
  return "<xmeml version=\"5\"><sequence "
         "id=\"s1\"><name>Film</name><rate><timebase>25</timebase><ntsc>FALSE</ntsc></rate><media>"
         "<video><track><clipitem><name>picture.mov</name><start>0</start><end>100</end></clipitem></track></video>"
         "<audio>" +
         tracks + "</audio></media></sequence></xmeml>";
}

std::string clipitem(const std::string& start, const std::string& end, const std::string& content) {
  return "<clipitem><start>" + start + "</start><end>" + end + "</end>" + content + "</clipitem>";
}

std::string fcpxml(const std::string& spine, const std::string& more_resources = {}) {
  return R"(<?xml version="1.0"?><!DOCTYPE fcpxml><fcpxml version="1.10"><resources>
<asset id="a1" name="rain" start="0s" duration="60s" hasAudio="1"><media-rep kind="original-media" src="file:///m/Rain%20on%20a%20Roof.wav"/></asset>
<asset id="a2" name="drive" start="0s" duration="60s" hasAudio="1" src="./Media/drive%231.mp3"/>
<asset id="v1" name="picture" start="0s" duration="60s" hasVideo="1" src="file:///m/picture.mov"/>)" +
         more_resources + R"(</resources><library><event><project><sequence tcStart="3600s"><spine>)" + spine +
         "</spine></sequence></project></event></library></fcpxml>";
}

std::string otio_range(double start, double duration) {
  return fmt::format(
      R"({{"OTIO_SCHEMA":"TimeRange.1","start_time":{{"OTIO_SCHEMA":"RationalTime.1","rate":24,"value":{}}},)"
      R"("duration":{{"OTIO_SCHEMA":"RationalTime.1","rate":24,"value":{}}}}})",
      start * 24, duration * 24);
}

std::string otio_clip(const std::string& url, double duration, const std::string& more = {}) {
  return R"({"OTIO_SCHEMA":"Clip.1","name":"a clip",)" + more + R"("source_range":)" + otio_range(5, duration) +
         R"(,"media_reference":{"OTIO_SCHEMA":"ExternalReference.1","target_url":")" + url + R"("}})";
}

std::string otio_gap(double duration) {
  return R"({"OTIO_SCHEMA":"Gap.1","source_range":)" + otio_range(0, duration) + '}';
}

std::string otio_track(const std::string& kind, const std::string& children, const std::string& more = {}) {
  return R"({"OTIO_SCHEMA":"Track.1",)" + more + R"("kind":")" + kind + R"(","children":[)" + children + "]}";
}

std::string otio(const std::string& tracks) {
  return R"({"OTIO_SCHEMA":"Timeline.1","tracks":{"OTIO_SCHEMA":"Stack.1","children":[)" + tracks + "]}}";
}

}  // namespace

TEST_SUITE("edit lists") {
  TEST_CASE("names of media are those of files, without folders and escapes (CLI-25)") {
    CHECK(file_name_at("file:///m/Rain%20on%20a%20Roof.wav") == "Rain on a Roof.wav");
    CHECK(file_name_at("file://localhost/C%3a/m/100%25.wav") == "100%.wav");
    CHECK(file_name_at("file:///m/50% more.wav") == "50% more.wav");
    CHECK(file_name_at("/m/a%20b.wav") == "a%20b.wav");
    CHECK(file_name_at(R"(C:\Music\rain.wav)") == "rain.wav");
    CHECK(file_name_at("https://files.example/m/rain.mp3?key=secret") == "rain.mp3");
    CHECK(file_name_at("file:///m/a%2Fb.wav") == "a-b.wav");
    CHECK(file_name_at("").empty());
    CHECK(file_name_at("///").empty());
    CHECK(file_name_at("FILE:///m/a.wav?b") == "a.wav?b");
    CHECK(file_name_at("S3://bucket/m/rain.mp3?sig=secret#x") == "rain.mp3");
    CHECK(file_name_at("http theme #2.wav") == "http theme #2.wav");
    CHECK(file_name_of(" AC/DC cover ") == "AC-DC cover");
    CHECK(file_name_of("/Users/jane/Film/rain.wav") == "rain.wav");
    CHECK(file_name_of(R"(C:\Film\rain.wav)") == "rain.wav");
  }

  TEST_CASE("EDL: events with sound, their names and record times (CLI-25)") {
    CHECK(read("edl", "TITLE: Film\nFCM: NON-DROP FRAME\n\n" + edl_event("001  AX V C", "01:00:00:00", "01:00:10:00") +
                          "* FROM CLIP NAME: picture.mov\n" + edl_event("002  AX A C", "01:00:02:00", "01:00:04:05") +
                          "* FROM CLIP NAME: rain.wav\r\n" + edl_event("003  AX A2/V C", "01:00:04:05", "01:00:06:00") +
                          "* FROM CLIP NAME: rain.wav\n" + edl_event("004 AX B C", "01:00:09:00", "01:00:10:00") +
                          "* FROM CLIP NAME: Mr. Blue Rain\n* SOURCE FILE: /m/mr blue rain.wav\n") ==
          Lines{"mr blue rain.wav 9-10", "rain.wav 2-6"});
  }

  TEST_CASE("EDL: both clips of a transition are heard during it (CLI-25)") {
    CHECK(read("edl", edl_event("001 AX A C", "00:00:00:00", "00:00:10:00") + "* FROM CLIP NAME: one.wav\n" +
                          edl_event("002 AX A C", "00:00:10:00", "00:00:10:00") +
                          edl_event("002 AX A D 050", "00:00:10:00", "00:00:20:00") +
                          "* FROM CLIP NAME: one.wav\n* TO CLIP NAME: two.wav\n") ==
          Lines{"one.wav 0-12", "two.wav 10-20"});
    CHECK(read("edl", edl_event("001 AX A C", "00:00:00:00", "00:00:10:00") + "* FROM CLIP NAME: one.wav\n" +
                          edl_event("002 AX A C", "00:00:10:00", "00:00:10:00") + "* FROM CLIP NAME: one.wav\n" +
                          edl_event("002 BL A D 050", "00:00:10:00", "00:00:12:00")) == Lines{"one.wav 0-12"});
  }

  TEST_CASE("EDL: what is no event, has no name or no valid time is a problem (CLI-25)") {
    CHECK(read("edl", edl_event("001 AX A C", "00:00:00:00", "00:00:10:00") + "002 AX A\n003\n" +
                          edl_event("004 AX A C", "00:00:10:00", "00:00:12:30") + "* FROM CLIP NAME: late.wav\n" +
                          edl_event("005 AX A C", "00:00:10:00", "00:00:09:00") + "* FROM CLIP NAME: back.wav\n" +
                          edl_event("006 RAIN NONE C", "00:00:12:00", "00:00:14:00") + "AUD  3  4\n") ==
          Lines{"RAIN 12-14", "back.wav", "late.wav", "? line 2, which is no event of an EDL",
                "? line 3, which is no event of an EDL", "? a clip without a name at 0:00:00",
                "? times of \"late.wav\"", "? times of \"back.wav\""});
    CHECK_THROWS_WITH_AS(read("edl", "a letter\n"), "has no events of an EDL", EditError);
    CHECK(read("edl", edl_event("001 AX V C", "00:00:00:00", "00:00:10:00")) == Lines{"? it has no clip with sound"});
  }

  TEST_CASE("EDL: reels with spaces, channels, keys, and names of rejected lines (CLI-25)") {
    CHECK(read("edl", edl_event("001 COPPER BELLS A C", "00:00:00:00", "00:00:10:00") +
                          edl_event("002 MY TAPE V C", "00:00:00:00", "00:00:10:00") +
                          edl_event("003 AX AA/V K B", "00:00:10:00", "00:00:12:00") + "* FROM CLIP NAME: key.wav\n" +
                          edl_event("A04 AX a2 W001 010", "00:00:12:00", "00:00:13:00") +
                          "* TO CLIP NAME: wipe.wav\n") ==
          Lines{"COPPER BELLS 0-10", "key.wav 10-12", "wipe.wav 12-13"});
    CHECK(read("edl", edl_event("001 AX A C", "00:00:00:00", "00:00:10:00") + "* FROM CLIP NAME: one.wav\n" +
                          edl_event("002 AX 12 C", "00:00:10:00", "00:00:20:00") +
                          "* FROM CLIP NAME: two.wav\nAUD 3 4\n" +
                          edl_event("003 AX A C", "00:00:20:00", "00:00:30:00") +
                          "* FROM CLIP NAME: three.wav\n* FROM CLIP NAME: four.wav\n") ==
          Lines{"one.wav 0-10", "three.wav 20-30", "? line 3, which is no event of an EDL",
                R"(? line 8, a second name of one event: "four.wav")"});
    CHECK(read("edl",
               "001 AX A C 00:00:00:00 00:00:10:00 00:00:00:00 00:00:10:00\r* FROM CLIP NAME: My Song / Glass Rain\r" +
                   edl_event("002 AX A C", "00:00:20:00", "00:00:30:00") +
                   "* FROM CLIP NAME: Theme v1.2\n* SOURCE FILE: Copper Bells.wav\n" + std::string(5'000, '*') +
                   '\n') ==
          Lines{"Copper Bells.wav 20-30", "My Song - Glass Rain 0-10", "? line 6, which is longer than 4,096 bytes"});
    CHECK(read("edl", edl_event("001 ONE NONE C", "00:00:00:00", "00:00:10:00") +
                          edl_event("001 TWO NONE D 025", "00:00:10:00", "00:00:20:00") + "AUD 3\n") ==
          Lines{"ONE 0-11", "TWO 10-20"});
  }

  TEST_CASE("EDL: drop-frame timecode and frame rates (CLI-25)") {
    const auto minutes = "FCM: DROP FRAME\n" + edl_event("001 A A C", "00:00:00;00", "00:10:00;00");
    CHECK(read("edl", minutes) == Lines{"A 0-599.999"});
    CHECK(read("edl", minutes, 60 * 1000.0 / 1001) == Lines{"A 0-599.999"});
    CHECK(read("edl", edl_event("001 A A C", "00:00:00:00", "00:16:40:00"), 24 * 1000.0 / 1001) == Lines{"A 0-1001"});
    CHECK(read("edl", edl_event("001 A A C", "00:00:00;00", "00:10:00;00")) == Lines{"A 0-599.999"});
    CHECK(read("edl", "FCM: NON-DROP FRAME\n" + edl_event("001 A A C", "00:00:00:00", "00:10:00:00") +
                          "FCM: DROP FRAME\n" + edl_event("002 B A C", "00:10:00:00", "00:20:00:00")) ==
          Lines{"A 0-600", "B 600-1200"});
    CHECK(read("edl", edl_event("001 A A C", "00:00:00;00", "00:00:01;00") +
                          edl_event("002 A A C", "00:00:01:00", "00:00:02:00"))
              .back() == "? its record times, of which some are drop-frame");
    CHECK(read("edl", edl_event("001 A A C", "00:00:00:00", "00:00:00:12"), 24) == Lines{"A 0-0.5"});
  }

  TEST_CASE("XML of Final Cut Pro 7: tracks, transitions, files that are described once (CLI-25)") {
    const std::string rain =
        R"(<name>Rain</name><file id="f1"><name>rain.wav</name><pathurl>file://localhost/m/rain%20one.wav</pathurl></file>)";
    const std::string transition = "<transitionitem><start>100</start><end>125</end></transitionitem>";
    CHECK(read("xml", xmeml("<track>" + clipitem("0", "-1", rain) + transition +
                            clipitem("-1", "-1", "<name>two.wav</name><file id=\"f2\"><name>two.wav</name></file>") +
                            "<transitionitem><start>150</start><end>175</end></transitionitem>" +
                            clipitem("-1", "250", "<file id=\"f1\"/>") + "</track><track><enabled>FALSE</enabled>" +
                            clipitem("0", "25", "<name>off.wav</name>") + "</track><track>" +
                            clipitem("0", "25", "<enabled>FALSE</enabled><name>off.wav</name>") +
                            clipitem("300", "-1", "<name>lost.wav</name>") + clipitem("0", "25", "") + "</track>")) ==
          Lines{"lost.wav", "rain one.wav 0-5 6-10", "two.wav 4-7", "? a clip without a name at 0:00:00",
                "? times of \"lost.wav\""});
  }

  TEST_CASE("XML of Final Cut Pro 7: a nested sequence is heard where it is cut (CLI-25)") {
    const std::string nested =
        "<rate><timebase>25</timebase></rate><in>50</in><out>100</out><sequence "
        "id=\"s2\"><rate><timebase>25</timebase></rate><media><audio><track>" +
        clipitem("0", "60", "<name>one.wav</name>") + clipitem("60", "200", "<name>two.wav</name>") +
        "</track></audio></media></sequence>";
    CHECK(read("xml", xmeml("<track>" + clipitem("100", "150", nested) + "</track>")) ==
          Lines{"one.wav 4-4.4", "two.wav 4.4-6"});
    CHECK_THROWS_AS(
        read("xml", xmeml("<track>" + clipitem("100", "150", "<in>0</in><sequence id=\"s1\"/>") + "</track>")),
        EditError);
    CHECK_THROWS_WITH_AS(read("xml", "<xmeml><bin/></xmeml>"), "has no sequence", EditError);
    CHECK_THROWS_WITH_AS(read("xml", "<rss/>"), "is neither FCPXML nor XML of Final Cut Pro 7", EditError);
    CHECK_THROWS_AS(read("xml", "<xmeml><sequence>"), EditError);
  }

  TEST_CASE("FCPXML: spine, connected and disabled clips, transitions, media of pictures (CLI-25)") {
    CHECK(read("fcpxml", fcpxml(R"(
<asset-clip ref="v1" offset="3600s" duration="10s" start="5s">
  <asset-clip ref="a1" lane="-1" offset="7s" duration="20s" name="x"/>
</asset-clip>
<gap offset="3610s" start="100s" duration="5s"><asset-clip ref="a2" lane="1" offset="101s" duration="1001/1000s"/></gap>
<clip offset="3615s" duration="10s" enabled="0"><audio ref="a1" offset="0s" duration="10s"/><asset-clip ref="a2" lane="-1" offset="2s" duration="1s"/></clip>
<asset-clip ref="a2" offset="3625s" duration="5s"/><transition offset="3629s" duration="2s"/><asset-clip ref="a1" duration="5s"/>)")) ==
          Lines{"Rain on a Roof.wav 2-22 29-35", "drive#1.mp3 11-12.001 17-18 25-31"});
  }

  TEST_CASE("FCPXML: clips, auditions, compound and multicam clips (CLI-25)") {
    const std::string media = R"(
<media id="m1"><sequence tcStart="10s" duration="30s"><spine><gap duration="10s"/><asset-clip ref="a1" duration="20s"/></spine></sequence></media>
<media id="m2"><multicam><mc-angle angleID="A"><asset-clip ref="a1" duration="30s"/></mc-angle><mc-angle angleID="B"><asset-clip ref="a2" duration="30s"/></mc-angle></multicam></media>)";
    CHECK(
        read(
            "fcpxml",
            fcpxml(
                R"(<clip duration="4s" start="10s"><video ref="v1" offset="0s" duration="60s"><audio ref="a1" lane="-1" offset="0s" duration="60s"/></video></clip>)")) ==
        Lines{"Rain on a Roof.wav 0-4"});
    CHECK(
        read(
            "fcpxml",
            fcpxml(
                R"(<gap duration="3s"/><audition><asset-clip ref="a2" duration="5s"/><asset-clip ref="a1" duration="9s"/></audition><asset-clip ref="a1" duration="1s"/>)")) ==
        Lines{"Rain on a Roof.wav 8-9", "drive#1.mp3 3-8"});
    CHECK(read("fcpxml", fcpxml(R"(<gap duration="3s"/><ref-clip ref="m1" start="15s" duration="10s"/>)", media)) ==
          Lines{"Rain on a Roof.wav 8-13"});
    CHECK(
        read(
            "fcpxml",
            fcpxml(
                R"(<mc-clip ref="m2" start="5s" duration="10s"><mc-source angleID="A" srcEnable="video"/><mc-source angleID="B" srcEnable="audio"/></mc-clip>)",
                media)) == Lines{"drive#1.mp3 0-10"});
  }

  TEST_CASE("FCPXML: other beginnings, speeds and exporters (CLI-25)") {
    const std::string media = R"(
<asset id="a3" src="file:///m/plain.mp3" duration="60s" audioSources="1"/><asset id="v2" src="file:///m/both.mov" hasVideo="1" audioChannels="2" duration="9s"/>
<media id="m1"><sequence tcStart="3600s" duration="30s"><spine><asset-clip ref="a1" duration="20s"/></spine></sequence></media>
<media id="m2"><multicam tcStart="36000s"><mc-angle angleID="A"><asset-clip ref="a2" duration="30s"/></mc-angle></multicam></media>)";
    CHECK(read("fcpxml", fcpxml(R"(<asset-clip ref="a3" duration="5s"/><asset-clip ref="v2" duration="5s"/>)",
                                media)) == Lines{"both.mov 5-10", "plain.mp3 0-5"});
    CHECK(
        read(
            "fcpxml",
            fcpxml(
                R"(<ref-clip ref="m1" duration="10s"><asset-clip ref="a2" lane="1" offset="3602s" duration="1s"/></ref-clip><mc-clip ref="m2" duration="5s"/>)",
                media)) == Lines{"Rain on a Roof.wav 0-10", "drive#1.mp3 2-3 10-15"});
    CHECK(read("fcpxml", fcpxml(R"(<mc-clip ref="m2" duration="5s"><mc-source angleID="B"/></mc-clip>)", media)) ==
          Lines{R"(? an angle that is not described, of the clip "")"});
    CHECK(read("fcpxml", fcpxml(R"(<ref-clip ref="m1" duration="10s"><timeMap/></ref-clip>)", media)) ==
          Lines{"Rain on a Roof.wav", R"(? times of "Rain on a Roof.wav")"});
    CHECK(
        read(
            "fcpxml",
            fcpxml(
                R"(<gap duration="9s"/><asset-clip ref="a1" start="5s" duration="10s" audioStart="3s" audioDuration="14s"/>)")) ==
        Lines{"Rain on a Roof.wav 7-21"});
    CHECK(
        read("fcpxml",
             fcpxml(R"(<transition duration="1s"/><asset-clip ref="a1" duration="5s"/><transition duration="1s"/>)")) ==
        Lines{"Rain on a Roof.wav 0-5"});
    CHECK(read("fcpxml", "<fcpxml><sequence><spine><gap duration=\"1s\"/></spine></sequence><sequence/></fcpxml>") ==
          Lines{"? times of several sequences, which all begin at 0"});
  }

  TEST_CASE("FCPXML: what is not described is a problem, and parts that contain themselves are an error (CLI-25)") {
    CHECK(read("fcpxml",
               fcpxml(R"(<asset-clip ref="a9" name="Lost" duration="5s"/><asset-clip ref="a1" duration="later"/>)")) ==
          Lines{"Rain on a Roof.wav", "? a clip whose media is not described: \"Lost\"",
                "? times of \"Rain on a Roof.wav\""});
    const std::string media =
        R"(<media id="m1"><sequence><spine><ref-clip ref="m1" duration="5s"/><ref-clip ref="m1" duration="5s"/></spine></sequence></media>)";
    CHECK_THROWS_AS(read("fcpxml", fcpxml(R"(<ref-clip ref="m1" duration="5s"/>)", media)), EditError);
    std::string deep;
    for (int i = 0; i < 100; ++i) deep += R"(<gap duration="5s"><spine lane="1">)";
    CHECK_THROWS_AS(read("fcpxml", fcpxml(deep)), EditError);
    std::string angles;
    std::string sources;
    for (int i = 0; i < 12'000; ++i) {
      angles += fmt::format("<mc-angle angleID=\"{}\"/>", i);
      sources += fmt::format("<mc-source angleID=\"{}\"/>", i);
    }
    CHECK(read("fcpxml", fcpxml("<mc-clip ref=\"m1\" duration=\"5s\">" + sources + "</mc-clip>",
                                "<media id=\"m1\"><multicam>" + angles + "</multicam></media>")) ==
          Lines{"? it has no clip with sound"});
    std::string many;
    for (int i = 0; i < 2'000; ++i) many += "<ref-clip ref=\"m1\" duration=\"1s\"/>";
    std::string skipped;
    for (int i = 0; i < 2'000; ++i) skipped += "<a/>";
    CHECK_THROWS_AS(
        read("fcpxml", fcpxml(many, "<media id=\"m1\"><sequence><spine>" + skipped + "</spine></sequence></media>")),
        EditError);
    CHECK_THROWS_AS(read("fcpxml", fcpxml("<gap" +
                                          [] {
                                            std::string attributes;
                                            for (int i = 0; i < 300; ++i) attributes += fmt::format(" a{}=\"\"", i);
                                            return attributes;
                                          }() +
                                          "/>")),
                    EditError);
  }

  TEST_CASE("OpenTimelineIO: tracks, gaps, transitions, nested stacks (CLI-25)") {
    const std::string transition =
        R"({"OTIO_SCHEMA":"Transition.1","in_offset":{"OTIO_SCHEMA":"RationalTime.1","rate":24,"value":24},"out_offset":{"OTIO_SCHEMA":"RationalTime.1","rate":24,"value":48}})";
    CHECK(read("otio", otio(otio_track("Video", otio_clip("file:///m/picture.mov", 90)) + ',' +
                            otio_track("Audio", otio_gap(2) + ',' + otio_clip("file:///m/a%20b.wav", 10) + ',' +
                                                    transition + ',' + otio_clip("two.wav", 10) + ',' +
                                                    otio_clip("two.wav", 3, R"("enabled":false,)") + ',' +
                                                    otio_clip("two.wav", 1)) +
                            ',' + otio_track("Audio", otio_clip("off.wav", 10), R"("enabled":false,)"))) ==
          Lines{"a b.wav 2-14", "two.wav 11-22 25-26"});
    const std::string nested = R"({"OTIO_SCHEMA":"Stack.1","source_range":)" + otio_range(3, 4) + R"(,"children":[)" +
                               otio_track("Audio", otio_clip("one.wav", 5) + ',' + otio_clip("two.wav", 5)) + "]}";
    CHECK(read("otio", otio(otio_track("Video", otio_gap(10) + ',' + nested))) ==
          Lines{"one.wav 10-12", "two.wav 12-14"});
  }

  TEST_CASE("OpenTimelineIO: references of other kinds, and unknown times (CLI-25)") {
    const std::string chosen =
        R"({"OTIO_SCHEMA":"Clip.2","name":"Rain","source_range":)" + otio_range(0, 5) +
        R"(,"active_media_reference_key":"low","media_references":{"high":{"OTIO_SCHEMA":"ExternalReference.1","target_url":"high.wav"},)"
        R"("low":{"OTIO_SCHEMA":"ExternalReference.1","target_url":"/m/A1.6F.mxf"}}})";
    const std::string missing =
        R"({"OTIO_SCHEMA":"Clip.2","name":"AC/DC cover","media_references":{"DEFAULT_MEDIA":{"OTIO_SCHEMA":"MissingReference.1"}}})";
    const std::string tone = R"({"OTIO_SCHEMA":"Clip.1","source_range":)" + otio_range(0, 5) +
                             R"(,"media_reference":{"OTIO_SCHEMA":"GeneratorReference.1"}})";
    CHECK(read("otio", otio(otio_track("Audio", chosen + ',' + tone + ',' + otio_clip("", 1) + ',' + missing + ',' +
                                                    otio_clip("after.wav", 1)))) ==
          Lines{"AC-DC cover", "Rain 0-5", "a clip 10-11", "after.wav", "? times of \"AC-DC cover\"",
                "? times of \"after.wav\""});
    const std::string warped =
        R"({"OTIO_SCHEMA":"Stack.1","effects":[{"OTIO_SCHEMA":"LinearTimeWarp.1","time_scalar":2}],"source_range":)" +
        otio_range(0, 4) + R"(,"children":[)" + otio_clip("one.wav", 8) + "]}";
    CHECK(read("otio", otio(otio_track("Video", warped + ',' + otio_clip("/m/music.mp3", 1)))) ==
          Lines{"music.mp3 4-5", "one.wav", R"(? times of "one.wav")"});
    CHECK_THROWS_AS(read("otio", "{"), EditError);
    CHECK_THROWS_WITH_AS(read("otio", R"({"OTIO_SCHEMA":"Other.1"})"), "has no timeline of OpenTimelineIO", EditError);
    CHECK_THROWS_AS(read("otio", std::string(100'000, '[')), EditError);
    CHECK(read("otio", otio(otio_track("Audio", R"({"OTIO_SCHEMA":"New.1"})"))) ==
          Lines{R"(? an element of the unknown type "New")"});
  }
}

}  // namespace tonearm::cli
