#include "program/demo_catalog.h"

#include <filesystem>
#include <map>

#include "demo/demo.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

/// Every reason once, with how many recordings it keeps out.
std::string left_out_lines(const std::vector<demo::LeftOut>& left_out) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [name, reason] : left_out) ++counts[reason];
  std::string text;
  for (const auto& [reason, count] : counts) {
    text += "left out: " + std::to_string(count) + (count == 1 ? " recording: " : " recordings: ") + reason + "\n";
  }
  return text;
}

}  // namespace

std::string build_demo(const std::string& folder, BuildOptions options, Hashing& hashing, Progress& progress) {
  demo::Folders folders;
  folders.folder = folder;
  const auto made = demo::make_demo(folders, progress);
  options.inputs = {{std::string(kFolderSource), made.audio}};
  options.media_output = folder + "/media";
  options.output = folder + "/catalog.sqlite";
  const auto report = build_catalog(options, hashing, progress);
  return left_out_lines(made.left_out) + folder + ": " + std::to_string(made.pieces) + " pieces (" +
         std::to_string(made.rendered) + " rendered now), " + std::to_string(made.recordings) + " recordings\n" +
         options.output + ": version " + report.version + ", " + report.summary();
}

}  // namespace tonearm::builder
