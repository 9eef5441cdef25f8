#include "worker_snapshot.h"

#include <string>
#include <utility>
#include <vector>

#include "imports.h"
#include "tonearm/read_plan.h"
#include "tonearm/snapshot_vfs.h"

namespace tonearm::wasm {
namespace {

constexpr std::int32_t kReplay = 1;

}  // namespace

std::string WorkerPartialResults::key_of(std::string_view key) const {
  return std::to_string(snapshot_).append(1, ' ').append(key);
}

std::optional<std::string> WorkerPartialResults::find(std::string_view key) {
  const std::string whole = key_of(key);
  const std::int32_t size = host_find_result(whole.data(), whole.size());
  if (size < 0) return std::nullopt;
  return take_result(static_cast<std::size_t>(size));
}

void WorkerPartialResults::store(std::string_view key, std::string_view result) {
  const std::string whole = key_of(key);
  host_store_result(whole.data(), whole.size(), result.data(), result.size());
}

WorkerSnapshot::WorkerSnapshot(std::uint32_t number, std::uint64_t size, std::size_t blocks_max)
    : number_(number), partial_results_(number), file_(size, *this, blocks_max) {}

sql::SqliteHandle WorkerSnapshot::connect() const {
  return sql::open_sqlite(vfs_name(file_), sql::OpenMode::read_only_immutable, "tonearm");
}

bool WorkerSnapshot::consume_missed() { return std::exchange(missed_, false); }

void WorkerSnapshot::fetch(std::span<const Request> wanted) {
  std::vector<std::uint32_t> numbers;
  std::vector<FetchedBlock> blocks;
  numbers.reserve(wanted.size());
  blocks.reserve(wanted.size());
  for (const auto& [block, into] : wanted) {
    numbers.push_back(block);
    blocks.push_back({block, into});
  }
  const std::vector<BlockRun> runs = plan_reads(numbers);
  const std::int32_t result = host_fetch(number_, runs.data(), runs.size(), blocks.data(), blocks.size());
  if (result < 0) throw Failure("a call that must not need blocks is missing some");
  if (result == kReplay) {
    missed_ = true;
    throw BlocksMissing{};
  }
}

}  // namespace tonearm::wasm
