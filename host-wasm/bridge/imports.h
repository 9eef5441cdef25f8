#pragma once
// The functions that the module imports from its worker. They are synchronous and do not throw into the module.

#include <cstddef>
#include <cstdint>
#include <string>

#include "tonearm/read_plan.h"

namespace tonearm::wasm {
class RunningTransaction;

struct FetchedBlock {
  std::uint32_t number = 0;
  char* into = nullptr;
};
static_assert(sizeof(FetchedBlock) == 8 && sizeof(BlockRun) == 8, "the worker reads them as 4-byte numbers");
}  // namespace tonearm::wasm

#define TONEARM_IMPORT(name) extern "C" __attribute__((import_module("tonearm"), import_name(#name)))

/// Returns the Unix time in milliseconds, an integer.
TONEARM_IMPORT(host_now_ms) double host_now_ms();
TONEARM_IMPORT(host_random) void host_random(std::uint8_t* out, std::size_t size);
TONEARM_IMPORT(host_sha256) void host_sha256(const char* data, std::size_t size, std::uint8_t* digest);
TONEARM_IMPORT(host_hmac_sha256)
void host_hmac_sha256(const char* key, std::size_t key_size, const char* data, std::size_t size, std::uint8_t* digest);
/// Copies blocks of the snapshot with that number to their addresses; `runs` cover all of them. Returns 0 if they are
/// available, 1 if the call must be replayed after they have been fetched, and a negative number if the call must not
/// need blocks.
TONEARM_IMPORT(host_fetch)
std::int32_t host_fetch(std::uint32_t snapshot, const tonearm::BlockRun* runs, std::size_t run_count,
                        const tonearm::wasm::FetchedBlock* blocks, std::size_t block_count);
/// Looks up a result that an earlier run of the call has stored. Returns its size, and `host_take` copies it, or a
/// negative number if there is none; then the blocks that are fetched from now on are those of this result.
TONEARM_IMPORT(host_find_result) std::int32_t host_find_result(const char* key, std::size_t size);
/// Stores a result for later runs of the call, which no longer need its blocks.
TONEARM_IMPORT(host_store_result)
void host_store_result(const char* key, std::size_t key_size, const char* result, std::size_t size);
/// Looks an answer up in the cache that isolates share. Returns the size of its entry, which `host_take` copies, or a
/// negative number if there is none.
TONEARM_IMPORT(host_find_answer) std::int32_t host_find_answer(const char* key, std::size_t size);
/// Offers an answer to that cache.
TONEARM_IMPORT(host_store_answer)
void host_store_answer(const char* key, std::size_t key_size, const char* entry, std::size_t size);
/// Runs a statement on the storage of the current object. Returns the size n of the message with its rows, or -n - 1
/// for an error text of size n. `host_take` copies the bytes.
TONEARM_IMPORT(host_sql)
std::int32_t host_sql(const char* statement, std::size_t size, const char* parameters, std::size_t parameters_size);
/// Copies the result of the previous import.
TONEARM_IMPORT(host_take) void host_take(char* out);
/// Runs a transaction through `tonearm_run_transaction`. Returns 0 if it was committed or rolled back, and an error
/// like `host_sql` if the storage fails.
TONEARM_IMPORT(host_transact) std::int32_t host_transact(tonearm::wasm::RunningTransaction* transaction);
/// Returns the size of the current object's unwritten counts, which `host_take` copies; 0: there are none.
TONEARM_IMPORT(host_read_counts) std::int32_t host_read_counts();
/// Replaces them. Size 0: all are written.
TONEARM_IMPORT(host_replace_counts) void host_replace_counts(const char* counts, std::size_t size);
/// Returns a number for a record of the current object: above 0, below 2^53, always increasing.
TONEARM_IMPORT(host_next_number) double host_next_number();
/// Writes a line to the operator's log.
TONEARM_IMPORT(host_log) void host_log(const char* text, std::size_t size);

#undef TONEARM_IMPORT

namespace tonearm::wasm {
/// Returns the result of the previous import, which has that size.
inline std::string take_result(std::size_t size) {
  std::string bytes(size, '\0');
  host_take(bytes.data());
  return bytes;
}
}  // namespace tonearm::wasm
