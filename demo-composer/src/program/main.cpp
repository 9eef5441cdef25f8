// tonearm-demo: composes and renders music, and collects free recordings, for a catalog to hear.

#include <array>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "output/demo_folder.h"
#include "settings/command_line.h"
#include "tonearm/terminal.h"

namespace {

namespace settings = tonearm::settings;

constexpr std::array kOptions{settings::Option{.name = "output",
                                               .value = "DIR",
                                               .help = "The folder to write: audio files below DIR/audio, scores below "
                                                       "DIR/scores",
                                               .presence = settings::Presence::required,
                                               .layers = settings::Layers::flag_alone}};
constexpr settings::Program kProgram{.name = "tonearm-demo",
                                     .version = TONEARM_VERSION,
                                     .help = "Composes music and collects free recordings for tonearm-catalog demo",
                                     .options = kOptions};

tonearm::demo::DemoPaths paths_of(const settings::Values& values) {
  tonearm::demo::DemoPaths paths;
  paths.folder = values.text("output");
  return paths;
}

}  // namespace

int main(int argc, char** argv) {
  using tonearm::demo::DemoPaths;
  try {
    const std::vector<const char*> words(argv + 1, argv + argc);
    const auto parsed = settings::read_settings<DemoPaths>(kProgram, words, settings::process_environment, paths_of);
    if (const auto* end = std::get_if<settings::ExitStatus>(&parsed)) return settings::print(*end);
    const auto& paths = std::get<DemoPaths>(parsed);
    auto progress = tonearm::native::stderr_progress();
    const auto summary = tonearm::demo::write_demo(paths, progress);
    std::cerr << tonearm::terminal::lines(tonearm::demo::text_of(summary, paths.folder));
  } catch (const std::exception& error) {
    std::cerr << "tonearm-demo: " << tonearm::terminal::line(error.what()) << "\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
