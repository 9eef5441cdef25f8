// Edit lists: files with usable names and ordered times, or an error with a reason.

#include <array>
#include <cmath>
#include <string>

#include "edits/edit_list.h"
#include "target.h"
#include "text/unicode.h"

namespace tonearm::fuzz {
namespace {

constexpr std::array<const char*, 4> kEditFormats{"otio", "edl", "xml", "fcpxml"};
constexpr double kEditFrameRate = 25;

std::vector<std::string> edit_seeds() {
  const auto seed = [](char format, const char* text) { return format + std::string(text); };
  return {
      seed(
          '\0',
          R"({"OTIO_SCHEMA":"Timeline.1","tracks":{"OTIO_SCHEMA":"Stack.1","children":[{"OTIO_SCHEMA":"Track.1","kind":"Audio","children":[
{"OTIO_SCHEMA":"Clip.2","name":"a","source_range":{"start_time":{"rate":24,"value":0},"duration":{"rate":24,"value":48}},"media_references":{"DEFAULT_MEDIA":{"OTIO_SCHEMA":"ExternalReference.1","target_url":"file:///m/a%20b.wav"}}},
{"OTIO_SCHEMA":"Transition.1","in_offset":{"rate":24,"value":6},"out_offset":{"rate":24,"value":6}},
{"OTIO_SCHEMA":"Stack.1","source_range":{"start_time":{"rate":24,"value":2},"duration":{"rate":24,"value":9}},"children":[]}]}]}})"),
      seed('\1',
           "TITLE: a\nFCM: DROP FRAME\n001  AX  A2/V  C        00:00:00;00 00:00:10;00 01:00:00;00 01:00:10;00\n* FROM "
           "CLIP NAME: a.wav\n"
           "002  BL  A     D    025 00:00:00;00 00:00:10;00 01:00:10;00 01:00:12;00\n* TO CLIP NAME: b.wav\nAUD  3 "
           "4\nSPLIT: AUDIO DELAY= 00:00:01:00\n* SOURCE FILE: c.wav\n"),
      seed('\2',
           "<xmeml version=\"5\"><sequence "
           "id=\"s\"><rate><timebase>30</timebase><ntsc>TRUE</ntsc></rate><media><audio><track><clipitem><name>a</"
           "name><start>0</start>"
           "<end>-1</end><file "
           "id=\"f\"><pathurl>file://localhost/a%20b.wav</pathurl></file></clipitem><transitionitem><start>5</"
           "start><end>9</end></transitionitem>"
           "<clipitem><start>-1</start><end>20</end><in>2</in><sequence "
           "id=\"t\"><media><audio><track/></audio></media></sequence></clipitem></track></audio></media></sequence></"
           "xmeml>"),
      seed('\3',
           "<fcpxml><resources><asset id=\"a\" hasAudio=\"1\" src=\"file:///a%20b.wav\"/><media id=\"m\"><sequence "
           "tcStart=\"1/2s\"><spine><gap duration=\"1s\"/></spine></sequence></media>"
           "<media id=\"n\"><multicam><mc-angle angleID=\"x\"><asset-clip ref=\"a\" "
           "duration=\"1001/30000s\"/></mc-angle></multicam></media></resources><sequence><spine>"
           "<asset-clip ref=\"a\" duration=\"5s\" start=\"1s\"><audio ref=\"a\" lane=\"-1\" offset=\"2s\" "
           "duration=\"1s\"/></asset-clip><transition duration=\"1s\"/>"
           "<ref-clip ref=\"m\" duration=\"2s\"/><mc-clip ref=\"n\" duration=\"2s\"><mc-source angleID=\"x\" "
           "srcEnable=\"audio\"/></mc-clip>"
           "<audition><clip duration=\"2s\"><video/></clip></audition></spine></sequence></fcpxml>"),
  };
}

void check_edit(const cli::EditList& list) {
  require(!list.files.empty() || !list.problems.empty(), "an edit list with nothing to report");
  for (const auto& file : list.files) {
    require(!file.name.empty() && file.name.size() <= 255, "the length of a file name");
    require(text::is_utf8(file.name) && file.name.find('/') == std::string::npos, "a file name");
    double end = -INFINITY;
    for (const auto& time : file.times) {
      require(std::isfinite(time.begin_s) && std::isfinite(time.end_s), "a time that is not finite");
      require(time.begin_s < time.end_s && time.begin_s > end, "times that are not in order");
      end = time.end_s;
    }
  }
}

void run_edit_list(std::string_view input) {
  const char* const extension = kEditFormats.at(take_byte(input) % kEditFormats.size());
  try {
    check_edit(cli::read_edit_text(extension, input, kEditFrameRate));
  } catch (const cli::EditError& error) {
    require(!std::string_view(error.what()).empty(), "an error without a reason");
  }
}

}  // namespace

const Target kEditLists{"edit_lists", edit_seeds, run_edit_list};

}  // namespace tonearm::fuzz
