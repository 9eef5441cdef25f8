// Measures how fingerprints find files (CREDIT-26). Three commands; measure.mjs runs them:
//   render FOLDER FROM TO [SEMITONES OTHER_PLAYERS TEMPO_PERCENT]   writes pieces of music as raw samples, 44.1 kHz
//   match                                       reads lines "catalog|EXPECTED|find FILE" and prints JSON lines
//   scale TRACKS                                measures lookups in a catalog of generated fingerprints, and the reads
//                                               of cold ones

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "composer.h"
#include "domain/fingerprint.h"
#include "memory_catalog.h"
#include "sounds.h"
#include "tonearm/paged_file.h"

namespace {

using namespace tonearm;
using namespace tonearm::fingerprints;

constexpr const char* kSoundfont = "/usr/share/sounds/sf2/FluidR3_GM.sf2";
constexpr int kRawRate = 11'025;             // of the files that `match` reads
constexpr std::size_t kTrackValues = 1'450;  // three minutes
constexpr std::size_t kPieceValues = 142;    // twenty seconds

std::vector<std::int16_t> read_samples(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::int16_t> samples;
  samples.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const unsigned both =
        static_cast<unsigned char>(bytes[i]) | static_cast<unsigned>(static_cast<unsigned char>(bytes[i + 1])) << 8U;
    samples.push_back(static_cast<std::int16_t>(both));
  }
  return samples;
}

int render(const std::vector<std::string>& arguments) {
  Rendering rendering;
  if (arguments.size() >= 6) {
    rendering = {std::stoi(arguments[3]), arguments[4] == "1", std::stoi(arguments[5])};
  }
  for (int seed = std::stoi(arguments[1]); seed < std::stoi(arguments[2]); ++seed) {
    const auto samples = render_piece(static_cast<std::uint64_t>(seed), rendering, kSoundfont);
    std::ofstream file(arguments[0] + "/" + std::to_string(seed) + ".s16", std::ios::binary);
    for (const std::int16_t sample : samples) {
      file.put(static_cast<char>(sample & 0xff));
      file.put(static_cast<char>(sample >> 8));
    }
    if (!file) throw std::runtime_error("cannot write to " + arguments[0]);
  }
  return 0;
}

Track track_of(const std::string& id, Values fingerprint) {
  Track track;
  track.id = id;
  track.title = id;
  track.duration_ms = 60'000;
  track.source = "example.org";
  TrackAudio audio;
  audio.fingerprint = std::move(fingerprint);
  track.audio = std::make_shared<const TrackAudio>(std::move(audio));
  return track;
}

/// Applies the transformations of a request: at most two minutes, compressed and decoded.
Values as_sent(Values values) {
  values.resize(std::min<std::size_t>(values.size(), 948));
  return read_fingerprint(compressed(values)).value();
}

int match() {
  std::vector<Track> tracks;
  std::vector<std::pair<std::string, std::string>> asked;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string what;
    std::string path;
    words >> what >> std::ws;
    std::getline(words, path);
    if (what == "catalog") {
      tracks.push_back(track_of("t" + std::to_string(tracks.size()), fingerprint_of(read_samples(path), kRawRate)));
    } else {
      asked.emplace_back(what, path);
    }
  }
  const auto catalog = test::make_memory_catalog(tracks);
  for (const auto& [name, path] : asked) {
    const std::vector<Values> query{as_sent(fingerprint_of(read_samples(path), kRawRate))};
    std::string ids;
    const std::vector<FoundTrack> tracks_found = catalog->look_up_fingerprints(query).front();
    for (const FoundTrack& found : tracks_found) ids += ' ' + test::id_of(found.track);
    std::cout << name << ids << '\n';
  }
  return 0;
}

struct Times {
  std::vector<double> ms;
  std::size_t found = 0;
  std::size_t wrong = 0;

  void print(const std::string& name) {
    std::sort(ms.begin(), ms.end());
    std::cout << name << ": " << found << " of " << ms.size() << " found, " << wrong << " wrong; median "
              << ms[ms.size() / 2] << " ms, 99 % " << ms[ms.size() * 99 / 100] << " ms, most " << ms.back() << " ms\n";
  }
};

void ask(const Catalog& catalog, const Values& values, const std::string& expected, Times& times) {
  const std::vector<Values> query{values};
  const auto begin = std::clock();  // processor time, so that other programs do not count
  const auto found = catalog.look_up_fingerprints(query).front();
  times.ms.push_back(static_cast<double>(std::clock() - begin) * 1'000 / CLOCKS_PER_SEC);
  const bool is_it =
      std::any_of(found.begin(), found.end(), [&](const auto& it) { return test::id_of(it.track) == expected; });
  if (is_it) ++times.found;
  if (!is_it && !found.empty()) ++times.wrong;
}

/// The blocks of a snapshot in memory; records which of them were fetched.
class CountedBlocks final : public BlockSource, public SqliteSnapshot {
 public:
  explicit CountedBlocks(const std::string& bytes)
      : bytes_(bytes), memory_(test::snapshot_of_bytes(bytes)), file_(bytes.size(), *this, kBlocksKept) {}

  const PagedFile& file() const override { return file_; }
  sql::SqliteHandle connect() const override { return memory_->connect(); }
  void fetch(std::span<const Request> wanted) override {
    for (const auto& [block, into] : wanted) {
      const std::string_view bytes = std::string_view(bytes_).substr(block * kBlockBytes, kBlockBytes);
      std::copy(bytes.begin(), bytes.end(), into);
      fetched.insert(block);
    }
  }

  std::set<std::uint32_t> fetched;

 private:
  static constexpr std::size_t kBlocksKept = 8;

  const std::string& bytes_;
  std::shared_ptr<const SqliteSnapshot> memory_;
  PagedFile file_;
};

/// Prints what a cold call reads.
void print_cold(const std::string& bytes, const std::vector<Values>& pieces) {
  const auto blocks = std::make_shared<CountedBlocks>(bytes);
  const auto catalog = Catalog::open(blocks, {}).value();
  for (const std::size_t files : {1U, 2U, 5U, 10U, 20U, 50U, 100U}) {
    blocks->file().end_request();
    blocks->fetched.clear();
    (void)catalog->look_up_fingerprints(std::span(pieces).first(files));
    std::cout << files << " files cold: " << static_cast<double>(blocks->fetched.size() * kBlockBytes) / 1'048'576
              << " MiB read\n";
  }
}

int scale(std::uint64_t count) {
  constexpr std::size_t kModels = 40;
  std::vector<Values> models;
  for (std::size_t seed = 0; seed < kModels; ++seed) {
    models.push_back(fingerprint_of(render_piece(5'000 + seed, {}, kSoundfont), kRenderRate));
  }
  const Generated generated(std::move(models));
  std::vector<Track> tracks;
  tracks.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i)
    tracks.push_back(track_of("t" + std::to_string(i), generated.make(i, kTrackValues)));
  const std::string bytes = test::snapshot_bytes(tracks);
  tracks.clear();
  const auto catalog = Catalog::open(test::snapshot_of_bytes(bytes), {}).value();
  std::vector<Values> noisy;
  std::map<unsigned, Times> pieces;
  Times foreign;
  Times longest;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const std::uint64_t number = i * 7'919 % count;
    const Values whole = generated.make(number, kTrackValues);
    const auto begin = static_cast<std::ptrdiff_t>(i * 31 % (kTrackValues - kPieceValues));
    const Values piece(whole.begin() + begin, whole.begin() + begin + static_cast<std::ptrdiff_t>(kPieceValues));
    noisy.push_back(with_errors(piece, i, 10));
    for (const unsigned percent : {5U, 10U, 15U})
      ask(*catalog, with_errors(piece, i, percent), "t" + std::to_string(number), pieces[percent]);
    ask(*catalog, generated.make(1'000'000'000 + i, kPieceValues), {}, foreign);
    ask(*catalog, generated.make(2'000'000'000 + i, 948), {}, longest);
  }
  for (auto& [percent, times] : pieces) times.print("20 s, " + std::to_string(percent) + " % of bits wrong");
  foreign.print("20 s, foreign");
  longest.print("2 minutes, foreign");
  print_cold(bytes, noisy);
  return 0;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 1 && arguments[0] == "match") return match();
  if (arguments.size() == 2 && arguments[0] == "scale") return scale(std::stoull(arguments[1]));
  if (arguments.size() >= 4 && arguments[0] == "render") return render({arguments.begin() + 1, arguments.end()});
  std::cerr << "usage: tonearm-fingerprints render FOLDER FROM TO [SEMITONES OTHER_PLAYERS TEMPO_PERCENT] | match | "
               "scale TRACKS\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
