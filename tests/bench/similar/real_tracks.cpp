#include "real_tracks.h"

#include <algorithm>
#include <filesystem>

#include "cleaning/cleaning.h"
#include "intake/intake.h"
#include "mapping/adapter.h"
#include "system/system_ports.h"
#include "track_files.h"

namespace tonearm::bench {
namespace {

constexpr const char* kData = TONEARM_SOURCE_DIR "/../shared/data/";
constexpr const char* kMappings = TONEARM_SOURCE_DIR "/catalog-builder/sources/";

std::vector<Track> read(const std::vector<std::string>& sources, const builder::CheckOptions& checks) {
  builder::Report report;
  native::OpensslHashing hashing;
  builder::Intake intake(checks, {}, test::folder_of_temporary_files(), report);
  for (const auto& source : sources) {
    const auto mapping = builder::find_mapping(source);
    const auto origin = mapping.supplement ? builder::Origin::supplement : builder::Origin::source;
    builder::read_source(mapping, kData + source, hashing, report,
                         [&](std::uint64_t number, std::variant<builder::Line, builder::Rejection> line) {
                           intake.add(number, std::move(line), origin);
                         });
  }
  return test::tracks_of(intake.finish().tracks);
}

}  // namespace

bool has_data(const std::string& source) { return std::filesystem::is_directory(kData + source); }

std::vector<std::string> all_sources() {
  std::vector<std::string> sources;
  if (!std::filesystem::is_directory(kData)) return sources;
  for (const auto& folder : std::filesystem::directory_iterator(kData)) {
    const auto name = folder.path().filename().string();
    if (std::filesystem::exists(std::string(kMappings) + name + ".toml")) sources.push_back(name);
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

std::vector<Track> read_tracks(const std::vector<std::string>& sources) {
  builder::CheckOptions checks;
  checks.allow_share_alike = true;
  return read(sources, checks);
}

std::vector<Track> read_clean_tracks(const std::function<void(std::vector<Track>&)>& change) {
  builder::CheckOptions checks;
  checks.evaluation = true;
  auto tracks = read(all_sources(), checks);
  std::erase_if(tracks, [](const Track& track) { return track.title.empty(); });
  change(tracks);
  builder::Report report;
  auto file = test::track_file(tracks);
  builder::clean(file, std::vector<bool>(tracks.size(), true), {}, report);
  return test::tracks_of(file);
}

}  // namespace tonearm::bench
