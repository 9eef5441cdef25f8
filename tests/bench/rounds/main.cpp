// Measures the latency of a snapshot that is fetched block by block: the rounds of parallel reads, the reads and the
// bytes of each query on a cold cache. A round is up to six parallel reads, the limit of an edge worker.
//
//     tonearm-rounds --snapshot FILE [--tracks N] [--seed N] [--queries FILE] [--every N] [--slowest] [--times FILE]
//
// If the snapshot is missing, it is built from the generated catalog of `--tracks` and `--seed`.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <set>

#include "catalog/storage/sections.h"
#include "files/pinned_file.h"
#include "generator.h"
#include "names.h"
#include "query.h"
#include "snapshot_file.h"
#include "system/system_ports.h"
#include "tonearm/paged_file.h"
#include "tonearm/read_plan.h"
#include "tonearm/service.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm::bench {
namespace {

constexpr std::size_t kBlocksKept = 256;  // as the edge does
constexpr std::uint64_t kRoundsGoal = 8;
constexpr std::uint64_t kBytesGoal = 4'000'000;
constexpr const char* kAdminToken = "the admin token of the benchmark";

struct Cost {
  std::uint64_t rounds = 0;
  std::uint64_t reads = 0;
  std::uint64_t bytes = 0;
};

/// The offsets of a file's sections.
using SectionOffsets = std::map<std::uint64_t, std::string_view>;

/// The blocks of a mapped file, and what they would cost on a remote store.
class CountedBlocks final : public BlockSource {
 public:
  explicit CountedBlocks(const SnapshotFile& file) : file_(file) {}

  void fetch(std::span<const Request> wanted) override {
    std::vector<std::uint32_t> missing;
    for (const auto& [block, into] : wanted) {
      const std::uint64_t offset = block * kBlockBytes;
      const auto bytes = file_.bytes(offset, std::min(kBlockBytes, file_.size() - offset));
      std::copy(bytes.begin(), bytes.end(), into);
      if (kept_.insert(block).second) missing.push_back(block);
    }
    if (missing.empty()) return;
    const auto reads = plan_reads(missing);
    cost.rounds += (reads.size() + kReadsAtOnce - 1) / kReadsAtOnce;
    cost.reads += reads.size();
    for (const auto& read : reads) cost.bytes += read.count * kBlockBytes;
    fetches.push_back(std::move(missing));
  }

  void end_call() { kept_.clear(); }

  Cost cost;
  std::vector<std::vector<std::uint32_t>> fetches;  // the numbers of the blocks that each fetch reads

 private:
  std::set<std::uint32_t> kept_;  // the blocks fetched for the call, which a host keeps until its end
  const SnapshotFile& file_;
};

/// A mapped file that is read as if it were remote.
class RemoteSnapshot final : public SqliteSnapshot {
 public:
  RemoteSnapshot(const native::PinnedFile& mapped, BlockSource& source)
      : mapped_(mapped), file_(mapped.size(), source, kBlocksKept) {}

  const PagedFile& file() const override { return file_; }
  sql::SqliteHandle connect() const override { return mapped_.connect(); }

 private:
  const native::PinnedFile& mapped_;
  PagedFile file_;
};

struct Options {
  std::string snapshot;
  std::uint32_t tracks = 1'000'000;
  std::uint64_t seed = 1;
  std::string queries = TONEARM_BENCH_QUERIES;
  std::size_t every = 1;
  std::string times;  // the output file for the times of warm calls over the mapped file
  bool slowest = false;
};

/// The service without its answer cache, and a key without limits.
class KeyedService {
 public:
  explicit KeyedService(std::function<std::shared_ptr<const Catalog>()> catalog)
      : store_(sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create))) {
    ServiceOptions options;
    options.answer_cache_bytes = 0;
    options.admin_token_hash = hashing_.sha256(kAdminToken);
    service_ = Service::make({clock_, random_, hashing_, *store_, std::move(catalog)}, options);
    const auto account = admin("/admin/accounts", R"({"plan":"unlimited"})").at("account").as_string();
    key_ = admin("/admin/accounts/" + std::string(account) + "/keys", "{}").at("key").as_string();
  }

  std::string ask(const std::string& method, const std::string& target, const std::string& body) {
    Headers headers{{"Authorization", "Bearer " + key_}};
    if (!body.empty()) headers.push_back({"Content-Type", "application/json"});
    Response response = service_->handle({{method, target, headers}, body});
    if (response.status >= 300) throw std::runtime_error(target + " was answered " + response.body);
    return std::move(response.body);
  }

 private:
  boost::json::object admin(const std::string& target, const std::string& body) {
    const Headers headers{{"Authorization", std::string("Bearer ") + kAdminToken},
                          {"Content-Type", "application/json"}};
    return boost::json::parse(service_->handle_admin({{"POST", target, headers}, body}).body).as_object();
  }

  native::SystemClock clock_;
  native::SystemRandom random_;
  native::OpensslHashing hashing_;
  std::unique_ptr<sql::Store> store_;
  std::unique_ptr<Service> service_;
  std::string key_;
};

/// A service over the mapped file, like a server.
class WarmService {
 public:
  explicit WarmService(const std::string& snapshot)
      : catalog_(
            Catalog::open(std::make_shared<const native::PinnedFile>(snapshot), {.allow_evaluation = true}).value()),
        engine_([this] { return catalog_; }) {}
  void ask(const std::string& target) { engine_.ask("GET", target, {}); }

 private:
  std::shared_ptr<const Catalog> catalog_;
  KeyedService engine_;
};

/// A service over a catalog that is reopened for each call, with nothing resident.
class ColdService {
 public:
  explicit ColdService(const std::string& snapshot) : file_(snapshot), engine_([this] { return catalog_; }) {
    CountedBlocks blocks(file_);
    const PagedFile paged(file_.size(), blocks, kBlocksKept);
    const catalog::Sections sections(paged);
    for (std::size_t i = 0; i < catalog::kSectionCount; ++i) {
      section_offsets_[sections[static_cast<catalog::SectionId>(i)].range(0, 0).offset] = catalog::kSectionNames[i];
    }
  }

  /// Returns the cost of opening the catalog.
  Cost open() {
    source_ = std::make_unique<CountedBlocks>(file_);
    remote_ = std::make_shared<const RemoteSnapshot>(file_, *source_);
    catalog_ = Catalog::open(remote_, {.allow_evaluation = true}).value();
    remote_->file().end_request();
    source_->fetches.clear();
    source_->end_call();
    return std::exchange(source_->cost, {});
  }

  /// Returns the fetches of the last call, one per line: the number of blocks of each section.
  std::string rounds() const {
    std::string lines;
    for (const auto& numbers : source_->fetches) {
      std::map<std::string_view, std::size_t> blocks;
      for (const std::uint32_t number : numbers) {
        const auto behind = section_offsets_.upper_bound((std::uint64_t{number} + 1) * kBlockBytes - 1);
        ++blocks[behind == section_offsets_.begin() ? "database" : std::prev(behind)->second];
      }
      lines += "   ";
      for (const auto& [section, count] : blocks)
        lines.append(" ").append(section).append(" ").append(std::to_string(count));
      lines += "\n";
    }
    return lines;
  }

  /// Returns the cost of a call right after opening.
  Cost call(const std::string& method, const std::string& target, const std::string& body = {}) {
    open();
    ask(method, target, body);
    return source_->cost;
  }

  std::string ask(const std::string& method, const std::string& target, const std::string& body = {}) {
    std::string answer = engine_.ask(method, target, body);
    remote_->file().end_request();
    source_->end_call();
    return answer;
  }

 private:
  native::PinnedFile file_;
  SectionOffsets section_offsets_;
  std::unique_ptr<CountedBlocks> source_;
  std::shared_ptr<const RemoteSnapshot> remote_;
  std::shared_ptr<const Catalog> catalog_;
  KeyedService engine_;
};

/// Creates a collection of tracks of both kinds, spread over the file.
std::string make_collection(ColdService& service, const Generator& generator, std::size_t tracks) {
  service.open();
  const auto made = boost::json::parse(service.ask("POST", "/v1/collections", R"({"name":"Cold"})")).as_object();
  std::string path = "/v1/collections/" + std::string(made.at("id").as_string());
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < tracks; ++i) {
    auto number = static_cast<std::uint32_t>(i * generator.size() / tracks);
    while (number + 1 < generator.size() && generator.track(number).taken_down) ++number;
    ids.push_back(generator.track(number).id);
  }
  constexpr std::size_t kAtOnce = 25;
  for (std::size_t i = 0; i < tracks; i += kAtOnce) {
    boost::json::array batch;
    for (std::size_t k = i; k < std::min(tracks, i + kAtOnce); ++k) batch.emplace_back(ids[k]);
    service.ask("POST", path + "/items", boost::json::serialize(boost::json::object{{"tracks", batch}}));
  }
  return path;
}

std::uint64_t at_percent(std::vector<std::uint64_t> values, double percent) {
  std::sort(values.begin(), values.end());
  const auto at = static_cast<std::size_t>(percent / 100 * static_cast<double>(values.size()));
  return values.at(std::min(at, values.size() - 1));
}

void print_row(const std::string& name, const std::vector<Cost>& costs) {
  std::vector<std::uint64_t> rounds;
  std::vector<std::uint64_t> reads;
  std::vector<std::uint64_t> bytes;
  for (const Cost& cost : costs) {
    rounds.push_back(cost.rounds);
    reads.push_back(cost.reads);
    bytes.push_back(cost.bytes / 1024);
  }
  std::printf("| %s | %zu | %lu | %lu | %lu | %lu | %lu | %lu | %lu |\n", name.c_str(), costs.size(),
              at_percent(rounds, 50), at_percent(rounds, 99), at_percent(rounds, 100), at_percent(reads, 50),
              at_percent(reads, 99), at_percent(bytes, 50), at_percent(bytes, 99));
}

/// Returns the shortest of several times of a call over the mapped file, in microseconds.
boost::json::array warm_times(const std::string& snapshot, const std::vector<Query>& queries, std::size_t every) {
  WarmService service(snapshot);
  boost::json::array times;
  for (std::size_t i = 0; i < queries.size(); i += every) {
    constexpr int kRounds = 5;
    constexpr int kCalls = 20;
    double least = 0;
    for (int round = 0; round < kRounds; ++round) {
      const auto began = std::chrono::steady_clock::now();
      for (int call = 0; call < kCalls; ++call) service.ask(target_of(queries[i], static_cast<std::uint64_t>(call)));
      const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - began;
      least = round == 0 ? took.count() / kCalls : std::min(least, took.count() / kCalls);
    }
    times.push_back({{"class", queries[i].query_class}, {"target", target_of(queries[i], 1)}, {"native_us", least}});
  }
  return times;
}

int measure(const Options& options) {
  const Generator generator(options.tracks, options.seed);
  const std::string names_file = options.snapshot + ".names.json";
  if (!std::filesystem::exists(options.snapshot)) write_snapshot_file(generator, options.snapshot, names_file);
  const Names names = read_names(names_file);
  if (!options.times.empty()) {
    std::ofstream(options.times) << warm_times(options.snapshot, read_queries(options.queries, names), options.every);
    return EXIT_SUCCESS;
  }
  ColdService service(options.snapshot);
  std::printf("| class | calls | rounds p50 | p99 | most | reads p50 | p99 | KiB p50 | p99 |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  print_row("opening", {service.open()});
  std::map<std::string, std::vector<Cost>> by_class;
  std::vector<Cost> all;
  std::size_t number = 0;
  for (const Query& query : read_queries(options.queries, names)) {
    if (number++ % options.every != 0) continue;
    const Cost cost = service.call("GET", target_of(query, number));
    by_class[query.query_class].push_back(cost);
    all.push_back(cost);
    if (options.slowest && (cost.rounds > kRoundsGoal || cost.bytes > kBytesGoal)) {
      std::printf("%lu rounds, %lu reads, %lu KiB: %s\n%s", cost.rounds, cost.reads, cost.bytes / 1024,
                  query.target.c_str(), service.rounds().c_str());
    }
  }
  for (const auto& [name, costs] : by_class) print_row(name, costs);
  print_row("all searches", all);
  const std::string path = make_collection(service, generator, 500);
  print_row("similar to a collection of 500", {service.call("GET", path + "/similar")});
  if (options.slowest) std::printf("%s", service.rounds().c_str());
  print_row("a collection of 500", {service.call("GET", path)});
  if (options.slowest) std::printf("%s", service.rounds().c_str());
  print_row("credits of a collection of 500", {service.call("GET", path + "/credits")});
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace tonearm::bench

int main(int argc, char** argv) {
  tonearm::bench::Options options;
  CLI::App app("Counts what cold queries read from a snapshot that is fetched block by block.");
  app.add_option("--snapshot", options.snapshot, "the snapshot")->required();
  app.add_option("--tracks", options.tracks, "size of the generated catalog")->capture_default_str();
  app.add_option("--seed", options.seed, "its seed")->capture_default_str();
  app.add_option("--queries", options.queries, "the queries, one JSON object a line")->capture_default_str();
  app.add_option("--every", options.every, "only every n-th query")->check(CLI::PositiveNumber);
  app.add_option("--times", options.times, "write the times of warm native calls to this file, as JSON");
  app.add_flag("--slowest", options.slowest, "name the queries that miss the goals, and what they fetch together");
  CLI11_PARSE(app, argc, argv);
  try {
    return tonearm::bench::measure(options);
  } catch (const std::exception& failure) {
    std::cerr << "tonearm-rounds: " << failure.what() << '\n';
    return EXIT_FAILURE;
  }
}
